//! Notes as they are spoken, and slides as they are read.

use crate::page::Word;

/// Letters that are read in a second, and seconds to find one's way on a slide.
const LETTERS: f64 = 17.0;
/// Han, kana and hangul say more each.
const DENSE: f64 = 6.0;
const LOOKING: f64 = 2.0;
const SHORTEST: f64 = 4.0;
const LONGEST: f64 = 40.0;

/// Seconds in which the words of a page are read.
pub(crate) fn reading_time(words: &[Word]) -> f64 {
    let one = |letter: char| if ('\u{2e80}'..='\u{ffdc}').contains(&letter) { 1.0 / DENSE } else { 1.0 / LETTERS };
    let words: f64 = words.iter().map(|word| word.text.chars().map(one).sum::<f64>() + 1.0 / LETTERS).sum();
    let seconds = (LOOKING + words).clamp(SHORTEST, LONGEST);
    (seconds * 2.0).round() / 2.0
}

/// What a slide says, as sentences that can be spoken.
pub(crate) fn draft(title: Option<&str>, points: &[String]) -> String {
    let sentence = |text: &str| {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = text.trim_start_matches(['•', '–', '-', '*', '▪', '‣', ' ']).trim_end_matches([',', ';', ' ']);
        // Numbers of pages and lone signs are nothing to say.
        if text.chars().filter(|c| c.is_alphabetic()).count() < 2 {
            return None;
        }
        let ended = text.ends_with(['.', '!', '?', '…', ':', '。', '！', '？']);
        Some(if ended {
            text.trim_end_matches(':').to_owned() + if text.ends_with(':') { "." } else { "" }
        } else {
            format!("{text}.")
        })
    };
    let points = points.iter().filter_map(|point| sentence(point)).collect::<Vec<_>>().join(" ");
    let title = title.and_then(sentence);
    [title, Some(points)].into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// What authors tell themselves rather than the audience: `(10 min)`, `[click]`, a line `5 Minuten`.
pub(crate) fn cues(notes: &str) -> Vec<String> {
    let mut cues = Vec::new();
    for line in notes.lines() {
        sift(line, &mut |part, is_cue| {
            if is_cue {
                cues.push(part.trim().to_owned());
            }
        });
    }
    cues
}

/// The notes without them.
pub(crate) fn without_cues(notes: &str) -> String {
    let mut lines = Vec::new();
    for line in notes.lines() {
        let mut kept = String::new();
        sift(line, &mut |part, is_cue| {
            if !is_cue {
                kept.push_str(part);
            }
        });
        let kept = kept.split_whitespace().collect::<Vec<_>>().join(" ");
        lines.push(kept.replace(" .", ".").replace(" ,", ","));
    }
    lines.join("\n").trim_matches('\n').to_owned()
}

/// Hands on the parts of a line, each with whether it is a cue.
fn sift(line: &str, take: &mut dyn FnMut(&str, bool)) {
    if is_time(line) {
        return take(line, true);
    }
    let mut rest = line;
    while let Some(start) = rest.find(['(', '[', '{', '<']) {
        let close = match rest.as_bytes()[start] {
            b'(' => ')',
            b'[' => ']',
            b'{' => '}',
            _ => '>',
        };
        let Some(end) = rest[start..].find(close).map(|end| start + end) else { break };
        let inside = &rest[start + 1..end];
        // A whole line in brackets is said to nobody; within a line it has to look like it.
        let alone = line.trim() == &rest[start..=end] && inside.split_whitespace().count() <= 12;
        let is_cue = close != '>' && (alone || is_time(inside) || is_stage(inside));
        take(&rest[..start], false);
        take(&rest[start..=end], is_cue && !is_direction(&rest[start..=end]));
        rest = &rest[end + 1..];
    }
    take(rest, false);
}

/// A mark that directs the presenter is ours.
fn is_direction(bracket: &str) -> bool {
    let inside = bracket.trim_start_matches('[').trim_end_matches(']');
    let known = || compere_media::Cue::all().into_iter().any(|(name, _)| name == inside);
    bracket.starts_with('[') && (inside.starts_with("pause ") || known())
}

/// Notes as a script writes them. What looks like a mark and is none of ours, such as `[todo:numbers]`, is text: a script
/// that asks for an unknown mark is refused.
pub(crate) fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(start) = rest.find('[') {
        let end = rest[start..].find(']').map_or(rest.len(), |end| start + end + 1);
        let plain = rest[start..end].contains(':') && !is_direction(&rest[start..end]);
        out.push_str(&rest[..start]);
        out.push_str(if plain { "&#91;" } else { "[" });
        rest = &rest[start + 1..];
    }
    out + rest
}

/// `10 min`, `~ 2:30`, `5 Minuten`, and nothing else.
fn is_time(text: &str) -> bool {
    const UNITS: [&str; 20] = [
        "min", "mins", "minute", "minutes", "minuten", "minuti", "minuto", "minutos", "sec", "secs", "second",
        "seconds", "sek", "sekunden", "s", "h", "hour", "hours", "stunden", "'",
    ];
    const AROUND: [&str; 10] = ["ca", "circa", "about", "approx", "etwa", "time", "zeit", "dauer", "duration", "max"];
    let lower = text.to_lowercase();
    let words =
        lower.split(|c: char| c.is_whitespace() || matches!(c, '.' | ':' | '~' | '-' | '–' | '≈' | ',' | '(' | ')'));
    let (mut number, mut unit) = (false, lower.contains(':') && lower.chars().any(|c| c.is_ascii_digit()));
    for word in words.filter(|word| !word.is_empty()) {
        let letters = word.trim_start_matches(|c: char| c.is_ascii_digit());
        number |= letters.len() < word.len();
        match letters {
            "" => (),
            letters if UNITS.contains(&letters) => unit = true,
            letters if AROUND.contains(&letters) => (),
            _ => return false,
        }
    }
    number && unit
}

/// `click`, `next slide`, `pause`, `demo`.
fn is_stage(text: &str) -> bool {
    const STAGE: [&str; 18] = [
        "click",
        "klick",
        "klicken",
        "clic",
        "next",
        "next slide",
        "nächste folie",
        "pause",
        "demo",
        "video",
        "play video",
        "animation",
        "transition",
        "advance",
        "weiter",
        "breathe",
        "applause",
        "wait",
    ];
    let lower = text.trim().trim_end_matches(['.', '!', ':']).to_lowercase();
    let bare = lower.trim_end_matches(|c: char| c.is_ascii_digit() || c.is_whitespace() || c == 'x');
    STAGE.contains(&lower.as_str()) || STAGE.contains(&bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str) -> Word {
        Word { text: text.into(), x: (0.0, 1.0), y: (0.0, 1.0) }
    }

    #[test]
    fn a_slide_stays_as_long_as_it_is_read() {
        assert_eq!(reading_time(&[]), SHORTEST);
        assert_eq!(reading_time(&vec![word("seven77"); 40]), 21.0);
        assert_eq!(reading_time(&vec![word("seven77"); 400]), LONGEST);
        assert!(reading_time(&[word("今日は東京で会議があります今日は東京で会議があります")]) > 6.0);
    }

    #[test]
    fn a_slide_without_notes_says_what_it_says() {
        let points = ["• Close the doors;", "12", "Where to meet:", "Is it safe?"].map(str::to_owned);
        assert_eq!(
            draft(Some("In an emergency"), &points),
            "In an emergency.\nClose the doors. Where to meet. Is it safe?"
        );
        assert_eq!(draft(None, &[]), "");
    }

    #[test]
    fn what_is_no_mark_of_ours_is_text() {
        assert_eq!(
            escaped("[look:left] R&D [todo:x] [a] [open: one"),
            "[look:left] R&amp;D &#91;todo:x] [a] &#91;open: one"
        );
    }

    #[test]
    fn cues_are_told_from_what_is_said() {
        let notes = "10 mins\nThis is the most important slide (ca. 5 min).\n[click] Now the numbers (see page 3).\n\
            (remember to smile)\n[smile] Thank you [pause 1s] all (2:30)";
        assert_eq!(cues(notes), ["10 mins", "(ca. 5 min)", "[click]", "(remember to smile)", "(2:30)"]);
        assert_eq!(
            without_cues(notes),
            "This is the most important slide.\nNow the numbers (see page 3).\n\n[smile] Thank you [pause 1s] all"
        );
        for said in [
            "In 1999 we met.",
            "The ratio is 3:1 here",
            "(a long aside that goes on and on for more than a dozen words, surely)",
            "5 apples",
        ] {
            assert_eq!(cues(said), Vec::<String>::new(), "{said}");
            assert_eq!(without_cues(said), said);
        }
    }
}
