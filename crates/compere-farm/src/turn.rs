//! What travels between nodes, by way of the cluster. It is kept there for as long as an export runs and longer, so fields
//! are only ever added, with a default: nodes of two versions work side by side.

use serde::{Deserialize, Serialize};

/// What a workflow is started with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ticket {
    pub(crate) export: String,
    pub(crate) account: String,
}

/// A place for one export of an account, on the machine that reads this.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Turn {
    pub(crate) ticket: Ticket,
    /// Whoever takes something up does so under this name; no other turn ever has it.
    pub(crate) holder: String,
    /// The ticket's export has waited as long as it had to when it was at this fence.
    pub(crate) rested: i64,
}

/// Whoever had this turn does not answer any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Lost {
    pub(crate) ticket: Ticket,
    pub(crate) holder: String,
}

/// What is to become of a ticket after a turn, or after one was lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum After {
    /// Its export is over.
    Over,
    /// Another turn, in so many milliseconds, or when somebody says that the export at this fence need not wait.
    Again { wait: i64, fence: i64 },
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written by nodes of the first version: whoever changes this strands what runs.
    #[test]
    fn what_older_nodes_wrote_is_understood() {
        let turn = r#"{"ticket":{"export":"e","account":"a"},"holder":"e/r/1","rested":0}"#;
        let ticket = Ticket { export: "e".into(), account: "a".into() };
        let read: Turn = serde_json::from_str(turn).expect("reads");
        assert_eq!(read, Turn { ticket: ticket.clone(), holder: "e/r/1".into(), rested: 0 });
        let lost = r#"{"ticket":{"export":"e","account":"a"},"holder":"e/r/1"}"#;
        assert_eq!(serde_json::from_str::<Lost>(lost).expect("reads"), Lost { ticket, holder: "e/r/1".into() });
        let after = |text: &str| serde_json::from_str::<After>(text).expect("reads");
        assert_eq!(after(r#""over""#), After::Over);
        assert_eq!(after(r#"{"again":{"wait":5,"fence":2}}"#), After::Again { wait: 5, fence: 2 });
    }
}
