//! What documents and slides are called.

use crate::page::Word;

/// A document's own title, where an author wrote one.
pub(crate) fn of_document(title: &str) -> Option<String> {
    let title = title.trim();
    let title = title
        .strip_prefix("Microsoft PowerPoint - ")
        .or_else(|| title.strip_prefix("Microsoft Word - "))
        .unwrap_or(title);
    let lower = title.to_lowercase();
    let ending =
        [".pptx", ".ppt", ".pptm", ".odp", ".key", ".pdf", ".docx"].into_iter().find(|ending| lower.ends_with(ending));
    let title = ending.map_or(title, |ending| &title[..title.len() - ending.len()]).trim();
    (!title.is_empty() && !is_stock(title)).then(|| title.to_owned())
}

/// What programs write when the author wrote nothing: `PowerPoint Presentation`, `Folie 1`, `Präsentation2`.
fn is_stock(title: &str) -> bool {
    const STOCK: [&str; 24] = [
        "powerpoint presentation",
        "powerpoint-präsentation",
        "présentation powerpoint",
        "presentación de powerpoint",
        "presentazione standard di powerpoint",
        "presentazione di powerpoint",
        "apresentação do powerpoint",
        "powerpoint-presentatie",
        "presentation",
        "präsentation",
        "présentation",
        "presentación",
        "slide",
        "folie",
        "diapositive",
        "diapositiva",
        "dia",
        "untitled",
        "unbenannt",
        "sans titre",
        "no slide title",
        "kein folientitel",
        "untitled presentation",
        "slides",
    ];
    let lower = title.to_lowercase();
    let bare =
        lower.trim_end_matches(|c: char| c.is_ascii_digit() || c.is_whitespace() || matches!(c, '-' | '_' | '(' | ')'));
    bare.is_empty() || STOCK.contains(&bare)
}

/// Longer lines are texts.
const LONGEST: usize = 80;

/// The uppermost of the large words of a page, where they are plainly a title.
pub(crate) fn of_page(words: &[Word]) -> Option<String> {
    let height = |word: &&Word| word.y.1 - word.y.0;
    let lettered: Vec<&Word> = words.iter().filter(|word| word.text.chars().any(char::is_alphabetic)).collect();
    let largest = lettered.iter().map(height).fold(0.0, f64::max);
    let (large, small): (Vec<&Word>, Vec<&Word>) = lettered.iter().partition(|word| height(word) >= 0.7 * largest);
    let first = large.iter().min_by(|a, b| a.y.0.total_cmp(&b.y.0))?;
    // A title has one line or two.
    let line =
        |word: &&Word| (height(word) / height(first) - 1.0).abs() < 0.15 && word.y.0 < first.y.0 + 1.7 * height(first);
    // Numbers and dashes make no title, but belong to one.
    let is_large = |word: &&Word| height(word) >= 0.7 * largest;
    let title: Vec<&str> = words.iter().filter(is_large).filter(line).map(|word| word.text.as_str()).collect();
    // Where all words are alike, a title is told by there being little else.
    let mut heights: Vec<f64> = small.iter().map(height).collect();
    heights.sort_by(f64::total_cmp);
    let plain = match heights.get(heights.len() / 2) {
        Some(middle) => height(first) >= 1.25 * middle,
        None => large.len() <= 12,
    };
    let title = title.join(" ");
    (plain && (2..=LONGEST).contains(&title.chars().count()) && !is_stock(&title)).then_some(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_programs_give_are_none() {
        for stock in
            ["PowerPoint Presentation", "Slide 1", "Folie 1", " ", "Présentation PowerPoint", "Presentation2", "7"]
        {
            assert_eq!(of_document(stock), None, "{stock}");
        }
        assert_eq!(of_document("Microsoft PowerPoint - Fire safety.pptx").as_deref(), Some("Fire safety"));
        assert_eq!(of_document("Slides of hope").as_deref(), Some("Slides of hope"));
    }

    #[test]
    fn the_largest_words_are_a_title() {
        let word =
            |text: &str, top: f64, height: f64| Word { text: text.into(), x: (0.0, 9.0), y: (top, top + height) };
        let small = vec![word("small", 200.0, 10.0); 20];
        let page = |large: &[(&str, f64, f64)]| {
            let large = large.iter().map(|(text, top, height)| word(text, *top, *height));
            small.iter().cloned().chain(large).collect::<Vec<_>>()
        };
        let why = [("Why", 10.0, 30.0), ("we", 10.0, 30.0), ("meet", 45.0, 30.0)];
        assert_eq!(of_page(&page(&why)).as_deref(), Some("Why we meet"));
        let numbers = [("2026", 10.0, 30.0), ("outlook:", 10.0, 30.0), ("12", 10.0, 30.0), ("%", 10.0, 30.0)];
        assert_eq!(of_page(&page(&numbers)).as_deref(), Some("2026 outlook: 12 %"));
        assert_eq!(of_page(&page(&[("2026", 10.0, 30.0)])), None, "a number alone");
        let quiet = [("Quiet", 10.0, 30.0), ("minute", 10.0, 30.0), ("Where", 100.0, 36.0), ("is", 100.0, 36.0)];
        assert_eq!(of_page(&page(&quiet)).as_deref(), Some("Quiet minute"), "the larger words below are its text");
        assert_eq!(of_page(&small), None);
        assert_eq!(of_page(&page(&[("words", 10.0, 30.0); 20])), None);
        assert_eq!(of_page(&[]), None);
    }
}
