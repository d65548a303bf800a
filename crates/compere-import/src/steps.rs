//! Where in the notes a slide's steps happen: at the author's clicks, else at the sentence that names what comes, else
//! spread evenly.

use std::collections::BTreeSet;

/// As scripts write it.
const STEP: &str = "[step]";
/// What authors write for it.
const CLICKS: [&str; 6] = ["[click]", "(click)", "[klick]", "(klick)", "[clic]", "<click>"];
/// Share of what a step says that a sentence has to say to name it.
const NAMED: f64 = 0.3;

/// Authors' clicks as marks.
pub(crate) fn clicked(notes: &str) -> String {
    let mut out = String::with_capacity(notes.len());
    let mut rest = notes;
    while let Some(next) = rest.chars().next() {
        let click =
            CLICKS.iter().find(|click| rest.get(..click.len()).is_some_and(|it| it.eq_ignore_ascii_case(click)));
        match click {
            Some(click) => {
                out.push_str(STEP);
                rest = &rest[click.len()..];
            }
            None => {
                out.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
    }
    out
}

/// The notes with their first `most` marks, and how many were left out.
pub(crate) fn kept(notes: &str, most: usize) -> (String, usize) {
    let mut parts = notes.split(STEP);
    let mut out = parts.next().unwrap_or_default().to_owned();
    let mut left_out = 0;
    for (before, part) in parts.enumerate() {
        if before < most {
            out.push_str(STEP);
        } else {
            left_out += 1;
            close_gap(&mut out, part);
        }
        out.push_str(part);
    }
    if left_out > 0 {
        let lines = out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        out = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    }
    (out, left_out)
}

/// Makes `out` ready for what stood behind a mark that is no more: words stay apart, full stops stay with theirs.
fn close_gap(out: &mut String, next: &str) {
    if next.starts_with(['.', ',', ';', ':', '!', '?']) {
        out.truncate(out.trim_end_matches(' ').len());
    } else {
        out.push(' ');
    }
}

/// The notes with a mark for each step, of which each says this.
pub(crate) fn placed(notes: &str, says: &[String]) -> String {
    let marked = notes.matches(STEP).count();
    let Some(says) = says.get(marked..).filter(|says| !says.is_empty()) else { return notes.to_owned() };
    let from = notes.rfind(STEP).map_or(0, |at| at + STEP.len());
    let (head, tail) = notes.split_at(from);
    let mut out = head.to_owned();
    let mut at = 0;
    for place in places(tail, says) {
        out.push_str(&tail[at..place]);
        out.push_str(STEP);
        at = place;
    }
    out + &tail[at..]
}

/// Rising places in the text.
fn places(text: &str, says: &[String]) -> Vec<usize> {
    let sentences = sentences(text);
    if sentences.is_empty() {
        return vec![text.len(); says.len()];
    }
    let named = named(text, &sentences, says);
    let mut places = vec![None; says.len()];
    for (step, sentence) in named.iter().enumerate() {
        let Some(sentence) = *sentence else { continue };
        let (start, end) = sentences[sentence];
        let alone = named.iter().filter(|other| **other == Some(sentence)).count() == 1;
        // Of several that one sentence names, each comes with its own word.
        let word = || first_word(&text[start..end], &says[step]).map_or(start, |at| start + at);
        let place = if alone { start } else { word() };
        places[step] = Some(place);
    }
    let mut last = 0;
    for place in places.iter_mut().flatten() {
        *place = (*place).max(last);
        last = *place;
    }
    evened(text, &sentences, &places)
}

/// Those without a place as far from each other as from their neighbours, at the start of a sentence if one is near.
fn evened(text: &str, sentences: &[(usize, usize)], places: &[Option<usize>]) -> Vec<usize> {
    let mut all = Vec::with_capacity(places.len());
    let mut step = 0;
    while step < places.len() {
        if let Some(place) = places[step] {
            all.push(place);
            step += 1;
            continue;
        }
        let next = (step..places.len()).find(|at| places[*at].is_some()).unwrap_or(places.len());
        let from = all.last().copied().unwrap_or(0);
        let to = places.get(next).copied().flatten().unwrap_or(text.len());
        let count = next - step;
        let each = (to - from) as f64 / (count + 1) as f64;
        for nth in 1..=count {
            let wanted = from as f64 + each * nth as f64;
            let low = all.last().copied().unwrap_or(0);
            all.push(snapped(text, sentences, wanted as usize, each * 0.5, low, to));
        }
        step = next;
    }
    all
}

/// The start of a sentence, a clause or a word near a place.
fn snapped(text: &str, sentences: &[(usize, usize)], wanted: usize, reach: f64, low: usize, high: usize) -> usize {
    let near = |starts: &mut dyn Iterator<Item = usize>, reach: f64| {
        let all = starts.filter(|at| (low..=high).contains(at) && *at > 0 && at.abs_diff(wanted) as f64 <= reach);
        all.min_by_key(|at| at.abs_diff(wanted))
    };
    near(&mut sentences.iter().map(|(start, _)| *start), reach)
        .or_else(|| near(&mut words(text).filter(|at| clause(text, *at)), reach))
        .or_else(|| near(&mut words(text), f64::MAX))
        .unwrap_or(high)
}

/// Where words begin, those in brackets left out.
fn words(text: &str) -> impl Iterator<Item = usize> {
    let mut depth = 0_i32;
    let mut before = ' ';
    text.char_indices().filter_map(move |(at, c)| {
        let outside = depth == 0;
        depth += i32::from(c == '[') - i32::from(c == ']' && depth > 0);
        let dense = ('\u{3040}'..='\u{9fff}').contains(&c);
        let begins = outside && !c.is_whitespace() && (before.is_whitespace() || dense);
        before = c;
        begins.then_some(at)
    })
}

fn clause(text: &str, at: usize) -> bool {
    text[..at].trim_end().ends_with([',', ';', ':', '–', '—', '、', '，', '；', '：'])
}

/// Start and end of each.
fn sentences(text: &str) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    let mut start = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if start.is_none() && !c.is_whitespace() {
            start = Some(at);
        }
        let next = chars.peek().map(|(_, c)| *c);
        let ends = match c {
            '\n' | '。' | '！' | '？' | '।' | '؟' => true,
            '.' | '!' | '?' | '…' => next.is_none_or(char::is_whitespace),
            _ => false,
        };
        if let (true, Some(first)) = (ends || next.is_none(), start) {
            all.push((first, at + c.len_utf8()));
            start = None;
        }
    }
    all
}

/// The sentence that names each step, in rising order; nothing where none does.
fn named(text: &str, sentences: &[(usize, usize)], says: &[String]) -> Vec<Option<usize>> {
    let spoken: Vec<BTreeSet<String>> = sentences.iter().map(|(start, end)| tokens(&text[*start..*end])).collect();
    let score = |step: usize, sentence: usize| {
        let wanted = tokens(&says[step]);
        let met = wanted.iter().filter(|word| spoken[sentence].contains(*word)).count();
        let share = met as f64 / wanted.len().max(1) as f64;
        if met > 0 && (share >= NAMED || met >= 3) { share } else { 0.0 }
    };
    // The best of all ways to name steps in order: rows are steps, columns the last sentence that may name them.
    let (rows, columns) = (says.len(), sentences.len());
    let mut best = vec![vec![0.0_f64; columns + 1]; rows + 1];
    for step in (0..rows).rev() {
        for from in (0..columns).rev() {
            let own = score(step, from);
            let here = if own > 0.0 { own + best[step + 1][from] } else { 0.0 };
            best[step][from] = here.max(best[step][from + 1]).max(best[step + 1][from]);
        }
    }
    let (mut found, mut from) = (vec![None; rows], 0);
    for step in 0..rows {
        let mut at = from;
        while at < columns {
            let own = score(step, at);
            if own > 0.0 && own + best[step + 1][at] >= best[step][from] - 1e-9 {
                found[step] = Some(at);
                from = at;
                break;
            }
            if best[step + 1][from] >= best[step][from] - 1e-9 && best[step][at + 1] < best[step][from] - 1e-9 {
                break;
            }
            at += 1;
        }
    }
    found
}

/// Where in a sentence the first word stands that a step says.
fn first_word(sentence: &str, says: &str) -> Option<usize> {
    let wanted = tokens(says);
    words(sentence).find(|at| {
        let end = sentence[*at..].find(char::is_whitespace).map_or(sentence.len(), |end| at + end);
        tokens(&sentence[*at..end]).iter().any(|word| wanted.contains(word))
    })
}

/// What a text is recognised by: stems of its longer words, its numbers, pairs of characters where words have no gaps.
fn tokens(text: &str) -> BTreeSet<String> {
    const SMALL: [&str; 34] = [
        "with", "that", "this", "from", "have", "will", "your", "they", "what", "when", "which", "their", "there",
        "then", "than", "into", "more", "most", "also", "eine", "einen", "einer", "nicht", "sich", "auch", "wird",
        "werden", "pour", "avec", "dans", "para", "como", "slide", "folie",
    ];
    let mut found = BTreeSet::new();
    for word in text.to_lowercase().split(|c: char| !c.is_alphanumeric()) {
        let letters: Vec<char> = word.chars().collect();
        if letters.iter().any(|c| ('\u{3040}'..='\u{9fff}').contains(c) || ('\u{ac00}'..='\u{d7af}').contains(c)) {
            found.extend(letters.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else if letters.iter().any(char::is_ascii_digit) {
            found.insert(word.to_owned());
        } else if letters.len() >= 4 && !SMALL.contains(&word) {
            found.insert(letters.iter().take(5).collect());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(notes: &str, says: &[&str]) -> String {
        placed(notes, &says.iter().map(|says| (*says).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn steps_happen_where_they_are_named() {
        let notes = "Let us look at fire. Close the doors behind you. Never take the lift, whatever happens. We meet at the oak.";
        assert_eq!(
            said(notes, &["Close doors", "Do not use the lift", "Meeting point: the oak tree"]),
            "Let us look at fire. [step]Close the doors behind you. [step]Never take the lift, whatever happens. [step]We meet at the oak."
        );
        assert_eq!(
            said("Revenue, cost and margin: all three grew. Thank you.", &["Revenue", "Margin"]),
            "[step]Revenue, cost and [step]margin: all three grew. Thank you."
        );
    }

    #[test]
    fn the_authors_clicks_come_first() {
        let notes = clicked("First this. [Click] Then that (click) and so on.");
        assert_eq!(notes, "First this. [step] Then that [step] and so on.");
        assert_eq!(said(&notes, &["x", "y"]), notes);
        assert_eq!(
            said("One. [step]Two is here. Three is there.", &["", ""]),
            "One. [step]Two is here. [step]Three is there."
        );
        assert_eq!(kept(&notes, 0), ("First this. Then that and so on.".to_owned(), 2));
    }

    #[test]
    fn clicks_that_bring_nothing_are_left_out() {
        let notes = clicked("[Click] First this [click]. Then[CLICK]that.\n[click]\nThe end (click)");
        assert_eq!(kept(&notes, 0), ("First this. Then that.\nThe end".to_owned(), 5));
        assert_eq!(kept(&notes, 2), ("[step] First this [step]. Then that.\nThe end".to_owned(), 3));
        assert_eq!(kept(&notes, 5), (notes, 0));
        assert_eq!(kept("Nothing\n\nhere  is one.", 0), ("Nothing\n\nhere  is one.".to_owned(), 0));
        assert_eq!(kept(&clicked("[click]"), 0), (String::new(), 1));
        assert_eq!(kept(&clicked("文。[click]次です。"), 0).0, "文。 次です。");
    }

    #[test]
    fn what_nobody_names_is_spread_evenly() {
        let notes = "Alpha is one. Beta is two. Gamma is too. Delta is last.";
        assert_eq!(
            said(notes, &["", "", ""]),
            "Alpha is one. [step]Beta is two. [step]Gamma is too. [step]Delta is last."
        );
        let one = said("Only one sentence is here but it is long enough for two", &["", ""]);
        assert_eq!(one.matches(STEP).count(), 2);
        assert!(!one.starts_with(STEP) && !one.ends_with(STEP) && !one.contains("[step][step]"), "{one}");
        assert_eq!(said("", &["a"]), STEP);
        // Between two that are named.
        let between = said("Doors first. Then walk on. Keep calm. The lift is last.", &["Doors", "", "Lift"]);
        assert_eq!(between, "[step]Doors first. [step]Then walk on. Keep calm. [step]The lift is last.");
    }

    #[test]
    fn texts_without_gaps_are_recognised() {
        let notes = "今日は始めます。売上は伸びました。費用は同じです。";
        assert_eq!(said(notes, &["費用"]), "今日は始めます。売上は伸びました。[step]費用は同じです。");
    }
}
