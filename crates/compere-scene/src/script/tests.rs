use super::*;

/// Parts as one line: `Hello |0.5| (SQL=sequel)`.
fn told(org: &str) -> String {
    let part = |part: &ScriptPart| match part {
        ScriptPart::Text(text) => format!("{text:?}"),
        ScriptPart::Say { written, said } => format!("({written}={said})"),
        ScriptPart::Pause(seconds) => format!("|{seconds}|"),
    };
    parts(org).iter().map(part).collect::<Vec<_>>().join(" ")
}

#[test]
fn tags_go_and_words_stay() {
    assert_eq!(told(""), "");
    assert_eq!(told("  \n "), "");
    assert_eq!(told("Hello <b>wor</b>ld."), r#""Hello world.""#);
    assert_eq!(told("a < b, x<3, <>, 1 <"), r#""a < b, x<3, <>, 1 <""#);
    assert_eq!(told("one<!-- not this -->two"), r#""onetwo""#);
    assert_eq!(told(r#"<a title="a > b">link</a>"#), r#""link""#);
    assert_eq!(told("open <b"), r#""open <b""#);
}

#[test]
fn paragraphs_are_half_a_second_apart() {
    assert_eq!(told("<p>One.</p><p>Two.</p>"), r#""One." |0.5| "Two.""#);
    assert_eq!(told("One.<br><BR/>\n<p></p>Two."), r#""One." |0.5| "Two.""#);
    assert_eq!(told("<p> </p><p>Only.</p><p></p>"), r#""Only.""#);
    assert_eq!(told("One.\n\n  Two."), r#""One.\nTwo.""#);
}

#[test]
fn pauses_in_either_spelling() {
    assert_eq!(told("One [pause 0.5s] two"), r#""One" |0.5| "two""#);
    assert_eq!(told("Eins [pause 0,5s] zwei"), r#""Eins" |0.5| "zwei""#);
    assert_eq!(told("One[Pause 2]two[pause 250ms]"), r#""One" |2| "two" |0.25|"#);
    assert_eq!(told(r#"One<span data-pause="1.5"></span>two"#), r#""One" |1.5| "two""#);
    assert_eq!(told(r#"One<span data-pause='1.5'>1.5s</span> two"#), r#""One" |1.5| "two""#);
    assert_eq!(told(r#"One<span data-pause=1>and</span> two"#), r#""One" |1| "and two""#);
    assert_eq!(told(r#"One<span data-pause="2"/>two"#), r#""One" |2| "two""#);
    assert_eq!(told("<p>One</p>[pause 2s]<p>Two</p>"), r#""One" |2| |0.5| "Two""#);
    assert_eq!(told("[pause] [pause x] [pauses 1] [1]"), r#""[pause] [pause x] [pauses 1] [1]""#);
    assert_eq!(told("[pause -1] [pause NaN] [pause inf]"), r#""[pause -1] [pause NaN] [pause inf]""#);
}

#[test]
fn written_one_way_said_another() {
    assert_eq!(told(r#"We like <span data-say="sequel">SQL</span>."#), r#""We like" (SQL.=sequel.)"#);
    assert_eq!(told(r#"<span data-say="Q &amp; A"><b>Q</b>&amp;A</span>"#), "(Q&A=Q & A)");
    assert_eq!(told(r#"<span data-say="sequel">SQL</span>'s end"#), r#"(SQL's=sequel's) "end""#);
    assert_eq!(told(r#"<span data-say="sequel">SQL</span> is"#), r#"(SQL=sequel) "is""#);
    assert_eq!(told(r#"<span data-say="sequel">SQL</span>很好"#), r#"(SQL=sequel) "很好""#);
    assert_eq!(told(r#"<span data-say="sequel">SQL</span><br>is"#), r#"(SQL=sequel) |0.5| "is""#);
    assert_eq!(told(r#"<span data-say="">as is</span>"#), r#""as is""#);
    assert_eq!(told(r#"<span data-say="x">never closed"#), "(never closed=x)");
    assert_eq!(told(r#"<span data-say="x">a<p>b</p><span data-pause="1">c</span></span>d"#), "(a b cd=xd)");
}

#[test]
fn entities() {
    assert_eq!(told("Q&amp;A &lt;3 &#233;t&#xe9; a&nbsp;b"), r#""Q&A <3 été a b""#);
    assert_eq!(told("AT&T; &unknown; & &#x110000; &#0;x"), r#""AT&T; &unknown; & &#x110000; x""#);
}

#[test]
fn the_words_alone() {
    assert_eq!(written(&parts(r#"We [pause 1s] like <span data-say="sequel">SQL</span>"#)), "We like SQL");
}

/// Marks with the letters before them.
fn cued(org: &str) -> String {
    let script = read(org);
    let names = Cue::all();
    let name = |cue: Cue| names.iter().find(|(_, known)| *known == cue).map_or("?", |(name, _)| name.as_str());
    let marks: Vec<String> = script.marks.iter().map(|mark| format!("{}@{}", name(mark.cue), mark.letters)).collect();
    format!("{} / {}", written(&script.parts), marks.join(" "))
}

#[test]
fn cues_are_neither_written_nor_heard() {
    assert_eq!(cued("[smile] Hello, [gesture:open]world."), "Hello, world. / smile@0 gesture:open@5");
    assert_eq!(cued("Look [look:left] here[NOD]."), "Look here. / look:left@4 nod@8");
    assert_eq!(cued("<p>One [pause 1s]</p><p>[gesture:two]two</p>"), "One two / gesture:two@3");
    assert_eq!(cued(r#"A <span data-pause="1">1s</span> [smile] b"#), "A b / smile@1");
    assert_eq!(cued(r#"<span data-say="x">SQL</span> [nod] is"#), "SQL is / nod@3");
    assert_eq!(cued("[gesture:raise]"), " / gesture:raise@0");
}

#[test]
fn other_brackets_are_text_and_unknown_cues_are_told() {
    let script = read("[sic] [1] [10:30] [a b:c] [gesture:jump] [foo:bar] [smlie] []");
    assert_eq!(written(&script.parts), "[sic] [1] [10:30] [a b:c] [smlie] []");
    assert_eq!(script.unknown, ["gesture:jump", "foo:bar"]);
    assert_eq!(script.slips, ["smlie"]);
}
