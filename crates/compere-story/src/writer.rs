//! What a language model is asked for, and how its answer becomes a text.

/// Somebody who writes. Errors are sentences for the author of the request.
pub trait Writer {
    fn answer(&self, instructions: &str, request: &str) -> Result<String, String>;
}

/// What is to be written about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    Topic(String),
    /// The text of a page, to be told in the presenter's words.
    Page(String),
    /// A text that says the right things, to be said better.
    Rewrite(String),
}

/// For whom and how.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Brief {
    /// `en`, `ko`; the writer follows the request's own language without it.
    pub language: Option<String>,
    pub objective: Option<String>,
    pub audience: Option<String>,
    pub tone: Option<String>,
    /// How long the film shall be.
    pub seconds: Option<u32>,
}

/// A page longer than this is told from its beginning.
const LONGEST: usize = 24_000;

/// Words that a presenter says in a second.
const PACE: f64 = 2.4;

/// Has a text written that [`Outline::read`](crate::Outline::read) understands.
pub fn write(writer: &dyn Writer, task: &Task, brief: &Brief) -> Result<String, String> {
    let answer = writer.answer(&instructions(brief), &request(task))?;
    let text = unfenced(&answer);
    if text.trim().is_empty() {
        return Err("the language model answered with nothing".to_owned());
    }
    Ok(text)
}

fn instructions(brief: &Brief) -> String {
    let mut all = String::from(
        "You write what a presenter says in a short film. Answer in Markdown and with nothing else: one `# title`, then \
         for each scene a `## heading` of at most six words, one to three sentences to be spoken, and where it helps a list \
         of two to five short points. No greetings to the reader, no stage directions, no notes, no emoji.",
    );
    let mut add = |what: &str, value: &Option<String>| {
        if let Some(value) = value.as_deref().map(str::trim).filter(|value| !value.is_empty()) {
            all.push_str(&format!(" {what}: {value}."));
        }
    };
    add("Language", &brief.language);
    add("Objective", &brief.objective);
    add("Audience", &brief.audience);
    add("Tone", &brief.tone);
    let seconds = brief.seconds.unwrap_or(60);
    let words = (f64::from(seconds) * PACE).round();
    all.push_str(&format!(" Length: {seconds} seconds, which is about {words} words."));
    all
}

fn request(task: &Task) -> String {
    let cut = |text: &str| text.chars().take(LONGEST).collect::<String>();
    match task {
        Task::Topic(topic) => format!("Write about this topic:\n\n{}", cut(topic)),
        Task::Page(text) => format!("Tell what this page says, and nothing that it does not say:\n\n{}", cut(text)),
        Task::Rewrite(text) => format!("Say this better, and keep every fact in it:\n\n{}", cut(text)),
    }
}

/// Of such a text what is said: without its headings, its points as sentences.
pub fn spoken(text: &str) -> String {
    let line = |line: &str| {
        let line = line.trim();
        let point = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).map(str::trim);
        match point {
            Some(point) if point.ends_with(['.', '!', '?']) => point.to_owned(),
            Some(point) => format!("{point}."),
            None => line.to_owned(),
        }
    };
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#')).map(line);
    let said = lines.collect::<Vec<_>>().join("\n");
    said.split("\n\n").map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// Models like to put their answer into a fence.
fn unfenced(answer: &str) -> String {
    let answer = answer.trim();
    let inner = answer.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let inner = inner.and_then(|inner| inner.split_once('\n')).map(|(_, inner)| inner);
    inner.unwrap_or(answer).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    struct Fake(RefCell<Vec<String>>, &'static str);

    impl Writer for Fake {
        fn answer(&self, instructions: &str, request: &str) -> Result<String, String> {
            self.0.borrow_mut().extend([instructions.to_owned(), request.to_owned()]);
            Ok(self.1.to_owned())
        }
    }

    #[test]
    fn what_is_said_has_no_headings() {
        assert_eq!(spoken("# Bees\n\n## Why\nThey fly.\n\n- Fast\n- Far!\n"), "They fly.\n\nFast.\nFar!");
    }

    #[test]
    fn the_brief_reaches_the_writer_and_fences_go() {
        let fake = Fake(RefCell::default(), "```markdown\n# Bees\n\n## Why\nThey fly.\n```");
        let brief = Brief {
            language: Some("en".to_owned()),
            seconds: Some(30),
            tone: Some(" ".to_owned()),
            ..Brief::default()
        };
        let text = write(&fake, &Task::Topic("bees".to_owned()), &brief).expect("an answer");
        assert_eq!(text, "# Bees\n\n## Why\nThey fly.\n");
        let asked = fake.0.borrow();
        assert!(
            asked[0].contains("Language: en.") && asked[0].contains("about 72 words") && !asked[0].contains("Tone")
        );
        assert!(asked[1].ends_with("bees"));
        assert!(write(&Fake(RefCell::default(), " "), &Task::Topic(String::new()), &brief).is_err());
    }
}
