//! What travels between nodes, by way of the cluster. It is kept there for as long as an export runs and longer, so fields
//! are only ever added, with a default: nodes of two versions work side by side.
//!
//! Where an older node would do wrong with what a newer one writes, the ticket says what one has to know ([`Ticket::needs`]).
//! An older node then leaves it alone, and the cluster asks the next one.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What this program knows of what travels.
pub(crate) const KNOWN: u32 = 1;

/// What a workflow is started with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ticket {
    pub(crate) export: String,
    pub(crate) account: String,
    /// What a node has to know to go on with this. The first version said nothing of it.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub(crate) needs: u32,
}

fn first() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_first(needs: &u32) -> bool {
    *needs == first()
}

impl Ticket {
    pub(crate) fn new(export: String, account: String) -> Self {
        Self { export, account, needs: first() }
    }

    /// Whether this node may go on with it.
    pub(crate) fn understood(&self) -> Result<(), Newer> {
        if self.needs > KNOWN { Err(Newer { export: self.export.clone(), needs: self.needs }) } else { Ok(()) }
    }
}

/// Left to nodes of a newer version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Newer {
    export: String,
    needs: u32,
}

impl fmt::Display for Newer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { export, needs } = self;
        write!(
            f,
            "export {export} was begun by a newer version, which asks for nodes that know version {needs} of what they \
             tell each other; this node knows {KNOWN} and leaves it to newer ones"
        )
    }
}

impl std::error::Error for Newer {}

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
        let ticket = Ticket::new("e".into(), "a".into());
        let read: Turn = serde_json::from_str(turn).expect("reads");
        assert_eq!(read, Turn { ticket: ticket.clone(), holder: "e/r/1".into(), rested: 0 });
        let lost = r#"{"ticket":{"export":"e","account":"a"},"holder":"e/r/1"}"#;
        assert_eq!(serde_json::from_str::<Lost>(lost).expect("reads"), Lost { ticket, holder: "e/r/1".into() });
        let after = |text: &str| serde_json::from_str::<After>(text).expect("reads");
        assert_eq!(after(r#""over""#), After::Over);
        assert_eq!(after(r#"{"again":{"wait":5,"fence":2}}"#), After::Again { wait: 5, fence: 2 });
    }

    #[test]
    fn what_newer_nodes_added_is_passed_over_and_what_they_ask_for_is_not() {
        let more = r#"{"export":"e","account":"a","colour":"blue"}"#;
        let read: Ticket = serde_json::from_str(more).expect("reads");
        assert_eq!((read.understood(), read.needs), (Ok(()), KNOWN));
        let written = serde_json::to_string(&read).expect("writes");
        assert_eq!(written, r#"{"export":"e","account":"a"}"#, "older nodes read what we write");
        let newer: Ticket = serde_json::from_str(r#"{"export":"e","account":"a","needs":2}"#).expect("reads");
        let why = newer.understood().expect_err("newer than we are").to_string();
        assert!(why.contains("version 2") && why.contains("knows 1"), "{why}");
        assert!(
            serde_json::from_str::<After>(r#"{"later":{}}"#).is_err(),
            "an end that we do not know is no end that we know"
        );
    }
}
