//! From an outline to scenes: what is shown, and what is said meanwhile.

use crate::outline::{Block, Outline, Part, Picture};

/// One scene of a storyboard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// The film's own title rather than that of a part.
    pub opens: bool,
    pub title: Option<String>,
    /// Shown beside the presenter, one below the other.
    pub points: Vec<String>,
    /// A paragraph for each line.
    pub script: String,
    /// The line in which the first point is said.
    pub points_from: usize,
    pub picture: Option<Picture>,
}

/// A scene says about so many characters at most: half a minute.
const LONGEST: usize = 420;

/// More points than this do not fit beside a presenter.
const MOST_POINTS: usize = 5;

/// Cuts an outline into scenes. Everything that was written is said, in its order; points are shown as well.
pub fn storyboard(outline: &Outline) -> Vec<Scene> {
    let mut scenes: Vec<Scene> = Vec::new();
    for part in &outline.parts {
        scenes.extend(of_part(part));
    }
    if let Some(title) = &outline.title {
        // The introduction belongs under the film's title; without one the title says itself.
        match scenes.first_mut().filter(|scene| scene.title.is_none() && scene.points.is_empty()) {
            Some(first) => {
                first.title = Some(title.clone());
                first.opens = true;
            }
            None => scenes
                .insert(0, Scene { opens: true, title: Some(title.clone()), script: said(title), ..Scene::default() }),
        }
    }
    scenes
}

fn of_part(part: &Part) -> Vec<Scene> {
    let mut shots = Shots { title: part.heading.as_ref(), scenes: Vec::new(), waiting: Vec::new() };
    for block in &part.blocks {
        match block {
            Block::Paragraph(words) => shots.say(words),
            Block::List(points) => points.chunks(MOST_POINTS).for_each(|points| shots.list(points)),
            Block::Picture(picture) => shots.show(picture),
        }
    }
    shots.finish()
}

/// The scenes of a part as they come to be, in the order of what was written.
struct Shots<'a> {
    title: Option<&'a String>,
    scenes: Vec<Scene>,
    /// Pictures that no scene so far has room for.
    waiting: Vec<&'a Picture>,
}

impl<'a> Shots<'a> {
    fn scene(&mut self, script: String, points: Vec<String>) {
        let picture = if self.waiting.is_empty() { None } else { Some(self.waiting.remove(0).clone()) };
        self.scenes.push(Scene { title: self.title.cloned(), script, points, picture, ..Scene::default() });
    }

    /// Paragraphs together as long as a scene holds them; one that is longer is cut between its sentences.
    fn say(&mut self, paragraph: &str) {
        for (number, piece) in pieces(paragraph).into_iter().enumerate() {
            let fits = |last: &&mut Scene| number == 0 && last.script.len() + piece.len() <= LONGEST / 2;
            match self.scenes.last_mut().filter(fits).filter(|_| self.waiting.is_empty()) {
                Some(last) => last.script = format!("{}\n{piece}", last.script),
                None => self.scene(piece, Vec::new()),
            }
        }
    }

    fn list(&mut self, points: &[String]) {
        let script: Vec<String> = points.iter().map(|point| said(point)).collect();
        // What is said about the points belongs with them, if it is short.
        let short = |last: &&mut Scene| last.points.is_empty() && last.script.len() <= LONGEST / 2;
        match self.scenes.last_mut().filter(short).filter(|_| self.waiting.is_empty()) {
            Some(last) => {
                last.points = points.to_vec();
                last.points_from = last.script.lines().count();
                last.script = format!("{}\n{}", last.script, script.join("\n"));
            }
            None => self.scene(script.join("\n"), points.to_vec()),
        }
    }

    /// A scene shows one picture: of what was last said, or of what is said next.
    fn show(&mut self, picture: &'a Picture) {
        match self.scenes.last_mut().filter(|last| last.picture.is_none()) {
            Some(last) => last.picture = Some(picture.clone()),
            None => self.waiting.push(picture),
        }
    }

    /// Pictures that are left have scenes in which what they show is said.
    fn finish(mut self) -> Vec<Scene> {
        if let Some(heading) = self.title.filter(|_| self.scenes.is_empty()) {
            self.scene(said(heading), Vec::new());
        }
        while let Some(picture) = self.waiting.first() {
            let words = if picture.says.is_empty() { String::new() } else { said(&picture.says) };
            self.scene(words, Vec::new());
        }
        self.scenes
    }
}

fn pieces(paragraph: &str) -> Vec<String> {
    if paragraph.chars().count() <= LONGEST {
        return vec![paragraph.to_owned()];
    }
    let sentences = sentences(paragraph);
    let all: usize = sentences.iter().map(|sentence| sentence.len()).sum();
    // As equal as can be: nothing is worse than a scene of three words.
    let each = all / all.div_ceil(LONGEST).max(1);
    let mut pieces = vec![String::new()];
    for sentence in sentences {
        let last = pieces.last_mut().filter(|last| last.is_empty() || last.len() + sentence.len() / 2 <= each);
        match last {
            Some(last) => last.push_str(sentence),
            None => pieces.push(sentence.to_owned()),
        }
    }
    pieces.into_iter().map(|piece| piece.trim().to_owned()).collect()
}

/// With the space behind them.
fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut ended = false;
    for (at, character) in text.char_indices() {
        if ended && !character.is_whitespace() && !is_end(character) && !matches!(character, '"' | '”' | ')' | '’')
        {
            sentences.push(&text[start..at]);
            start = at;
        }
        let wide = matches!(character, '。' | '！' | '？');
        ended = wide || (ended && !character.is_alphanumeric()) || (is_end(character) && ends_here(&text[at + 1..]));
    }
    sentences.push(&text[start..]);
    sentences
}

fn is_end(character: char) -> bool {
    matches!(character, '.' | '!' | '?' | '。' | '！' | '？')
}

/// A full stop inside `3.14` or `example.com` ends nothing.
fn ends_here(rest: &str) -> bool {
    rest.chars()
        .next()
        .is_none_or(|next| next.is_whitespace() || matches!(next, '"' | '”' | ')' | '’' | '.' | '!' | '?'))
}

/// A heading or point as a sentence, so that the voice falls.
fn said(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(|last: char| is_end(last) || matches!(last, ':' | ';' | '…')) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_said_once_and_in_order() {
        let long = "This sentence is about as long as sentences are in such texts, and it says 3.14 twice. ".repeat(9);
        let text = format!("# Title\n\nHello there.\n\n## One\n\n{long}\n\n- first\n- second\n\n## Two\n\n- third\n");
        let board = storyboard(&Outline::read(&text));
        assert_eq!(
            (board[0].opens, board[0].title.as_deref(), board[0].script.as_str()),
            (true, Some("Title"), "Hello there.")
        );
        let said: String = board.iter().map(|scene| scene.script.clone()).collect::<Vec<_>>().join(" ");
        assert_eq!(said.matches("3.14").count(), 9);
        let order: Vec<usize> =
            ["Hello", "3.14", "first.", "second.", "third."].iter().map(|w| said.find(w).unwrap()).collect();
        assert!(order.is_sorted(), "{order:?}");
        for scene in &board {
            assert!(scene.script.len() <= LONGEST + 60, "{} is long: {}", scene.script.len(), scene.script);
        }
        assert_eq!(board.last().unwrap().points, ["third"]);
    }

    #[test]
    fn what_follows_a_list_is_said_after_it() {
        let text = "## Steps\n\nIntro.\n\n- One\n- Two\n\nClosing words.\n\n1. First\n2. Second\n\nDone.\n";
        let board = storyboard(&Outline::read(text));
        let said: Vec<&str> = board.iter().flat_map(|scene| scene.script.lines()).collect();
        assert_eq!(said, ["Intro.", "One.", "Two.", "Closing words.", "First.", "Second.", "Done."]);
        assert_eq!((board.len(), board[0].points_from, board[1].points_from), (2, 1, 0));
    }

    #[test]
    fn each_picture_is_shown_once() {
        let text = "## Bees\n\nThey fly.\n\n![one](/1.png =4x3)\n\n![A hive](/2.png =4x3)\n\n## Honey\n\nSweet.\n";
        let board = storyboard(&Outline::read(text));
        let shown: Vec<_> =
            board.iter().map(|scene| scene.picture.as_ref().map(|picture| picture.url.as_str())).collect();
        assert_eq!(shown, [Some("/1.png"), Some("/2.png"), None]);
        assert_eq!((board[1].script.as_str(), board[1].title.as_deref()), ("A hive.", Some("Bees")));
    }

    #[test]
    fn long_lists_are_spread() {
        let points: String = (1..=12).map(|n| format!("- point {n}\n")).collect();
        let board = storyboard(&Outline::read(&points));
        assert_eq!(board.iter().map(|scene| scene.points.len()).collect::<Vec<_>>(), [5, 5, 2]);
    }

    #[test]
    fn other_scripts_have_sentences_too() {
        let text = "欢迎来到我们的课程。今天我们来看看电影的制作！".repeat(20);
        assert!(pieces(&text).len() > 1);
        assert_eq!(sentences("One. Two? \"Three!\" Four").len(), 4);
    }
}
