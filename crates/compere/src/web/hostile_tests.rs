//! What users wrote is text on every page, whatever they wrote.

use askama::Template;

use super::shell::Shell;

const HOSTILE: &str = r#""><script>alert(1)</script><img src=x onerror='alert(2)'>"#;

#[derive(Template)]
#[template(path = "shell.html")]
struct Frame {
    shell: Shell,
}

#[test]
fn names_stay_text_in_the_frame() {
    let mut shell = Shell::bare(None, HOSTILE);
    shell.name = HOSTILE.to_owned();
    shell.email = HOSTILE.to_owned();
    shell.toast = Some(HOSTILE.to_owned());
    let page = Frame { shell }.render().expect("renders");
    assert!(!page.contains("<script>alert"), "{page}");
    assert!(!page.contains("<img src=x"), "{page}");
    assert!(page.contains("&#60;script&#62;alert(1)"), "it is there, as text");
}

#[test]
fn no_page_has_a_script_or_style_of_its_own() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/templates");
    for entry in std::fs::read_dir(dir).expect("the templates") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a template");
        for forbidden in [" style=", "<style", " onclick", " onload", "javascript:", "https://"] {
            assert!(!text.contains(forbidden), "{} has `{forbidden}`", path.display());
        }
        for script in text.match_indices("<script").map(|(at, _)| &text[at..]) {
            let from_here = ["<script type=\"module\" src=\"/app/s/", "<script src=\"/app/s/"];
            assert!(from_here.iter().any(|from| script.starts_with(from)), "{}", path.display());
        }
        // Only what templates made themselves goes in unescaped.
        for raw in text.match_indices("|safe").map(|(at, _)| &text[..at]) {
            assert!(raw.ends_with("{{ chart") || raw.ends_with("{{ films"), "{}", path.display());
        }
    }
}
