use super::*;
use proptest::prelude::*;

/// Words of `text`, each 0.3 s long and 0.05 s apart, with a breath of 0.2 s behind punctuation.
fn marks(text: &str) -> Marks {
    let mut at = SECOND / 5;
    let mut words = Vec::new();
    for word in text.split_whitespace() {
        let span = SampleSpan { start: at, end: at + SECOND * 3 / 10 };
        at = span.end + if word.ends_with(['.', ',', '?']) { SECOND / 5 } else { SECOND / 20 };
        words.push(WordMark { span, text: word.to_owned() });
    }
    Marks { phonemes: Vec::new(), words }
}

fn texts(marks: &Marks) -> Vec<String> {
    cues(marks).iter().map(Cue::text).collect()
}

#[test]
fn a_sentence_is_a_cue() {
    assert_eq!(
        texts(&marks("Welcome to the first lesson. Today we look at how a film is made, step by step.")),
        ["Welcome to the first lesson.", "Today we look at how a film is made,\nstep by step."]
    );
}

#[test]
fn a_long_sentence_breaks_at_its_comma() {
    let text = "When the director has read the whole of the script, the camera crew begins to set up the lights in \
                the small studio behind the market.";
    assert_eq!(
        texts(&marks(text)),
        [
            "When the director has read\nthe whole of the script,",
            "the camera crew begins\nto set up the lights",
            "in the small studio behind the market."
        ]
    );
}

#[test]
fn a_word_alone_is_too_short_to_read() {
    assert_eq!(texts(&marks("Yes. That is right.")), ["Yes. That is right."]);
}

#[test]
fn a_paragraph_ends_its_cue_even_without_a_full_stop() {
    let mut marks = marks("10 mins This is the most important slide");
    // Paragraphs are half a second apart.
    marks.words[2..].iter_mut().for_each(|word| {
        word.span.start += SECOND * 9 / 20;
        word.span.end += SECOND * 9 / 20;
    });
    assert_eq!(marks.words[2].span.start - marks.words[1].span.end, SECOND / 2);
    assert_eq!(texts(&marks), ["10 mins", "This is the most important slide"]);
}

#[test]
fn a_scene_ends_its_cue_however_short_it_is() {
    let (first, mut second) = (marks("It takes ten minutes."), marks("10 mins"));
    let later = first.words.last().unwrap().span.end + SECOND / 5;
    for word in &mut second.words {
        (word.span.start, word.span.end) = (word.span.start + later, word.span.end + later);
    }
    let cues: Vec<String> = cues_of_scenes(&[first, second]).iter().map(Cue::text).collect();
    assert_eq!(cues, ["It takes ten minutes.", "10 mins"]);
}

#[test]
fn abbreviations_do_not_end_sentences() {
    let mut marks = marks("Ask Dr. Stone about it.");
    marks.words[1].span.end = marks.words[2].span.start;
    assert_eq!(texts(&marks), ["Ask Dr. Stone about it."]);
}

#[test]
fn languages_without_spaces() {
    let one = |text: &str| Marks {
        phonemes: Vec::new(),
        words: vec![WordMark { span: SampleSpan { start: 0, end: 6 * SECOND }, text: text.to_owned() }],
    };
    let cues = cues(&one("今天我们来看看一部电影是怎样一步一步制作出来的，先从剧本开始，再到灯光和声音。"));
    let text: Vec<String> = cues.iter().map(Cue::text).collect();
    assert_eq!(text, ["今天我们来看看一部电影是怎样一步一步制作出\n来的，先从剧本开始，再到灯光和声音。"]);
    assert_eq!(cues[0].lines[1][0].span.start, 6 * SECOND * 42 / 78);

    let cues = self::cues(&one("今天我们看一部电影。然后呢？我们从剧本开始，再到灯光和声音。"));
    let text: Vec<String> = cues.iter().map(Cue::text).collect();
    assert_eq!(text, ["今天我们看一部电影。然后呢？", "我们从剧本开始，再到灯光和声音。"]);

    let words: Vec<WordMark> = "今日 は いい 天気 です。 Rust も です。"
        .split(' ')
        .zip(0..)
        .map(|(text, n)| WordMark { span: SampleSpan { start: n * 9600, end: n * 9600 + 9600 }, text: text.to_owned() })
        .collect();
    assert_eq!(texts(&Marks { phonemes: Vec::new(), words }), ["今日はいい天気です。Rustもです。"]);
}

#[test]
fn files() {
    let cues = cues(&marks("Tom & Jerry <3. Then we rest."));
    assert_eq!(
        webvtt(&cues),
        "WEBVTT\n\n1\n00:00:00.200 --> 00:00:01.550\nTom <00:00:00.550>&amp; <00:00:00.900>Jerry <00:00:01.250>&lt;3.\n\n\
         2\n00:00:01.750 --> 00:00:02.750\nThen <00:00:02.100>we <00:00:02.450>rest.\n"
    );
    assert_eq!(
        srt(&cues),
        "1\n00:00:00,200 --> 00:00:01,550\nTom & Jerry <3.\n\n2\n00:00:01,750 --> 00:00:02,750\nThen we rest.\n"
    );
    assert_eq!(webvtt(&[]), "WEBVTT\n");
    assert_eq!(stamp_of(100 * 3600 * SECOND), "100:00:00.000");
}

fn stamp_of(samples: u64) -> String {
    let span = SampleSpan { start: samples, end: samples + SECOND };
    let cue = Cue { span, lines: vec![vec![WordMark { span, text: "x".to_owned() }]] };
    webvtt(&[cue]).lines().nth(3).and_then(|line| line.split(' ').next()).unwrap_or_default().to_owned()
}

#[test]
fn a_chapter_lasts_until_the_next() {
    let chapter = |start: f64, title: &str| compere_media::Chapter { start, title: title.to_owned() };
    let file = chapters(&[chapter(0.0, "Why & how"), chapter(62.5, "Two\n--> lines")], 3601.0);
    let expected = "WEBVTT\n\n1\n00:00:00.000 --> 00:01:02.500\nWhy &amp; how\n\n\
                    2\n00:01:02.500 --> 01:00:01.000\nTwo --&gt; lines\n";
    assert_eq!(file, expected);
}

#[test]
fn nothing_is_said() {
    assert_eq!(cues(&Marks::default()), []);
}

proptest! {
    /// Whatever was said: every word once and in order, lines that fit, cues that do not overlap.
    #[test]
    fn captions_are_well_formed(words in prop::collection::vec((".{0,60}|[a-z]{1,12}[,.]?|[一-龥。、]{1,70}", 0u64..60_000, 0u64..60_000), 0..120)) {
        let mut at = 0;
        let mut marks = Marks::default();
        for (text, silence, length) in words {
            let span = SampleSpan { start: at + silence, end: at + silence + length };
            at = span.end;
            marks.words.push(WordMark { span, text });
        }
        let cues = cues(&marks);
        let plain = |text: String| text.split_whitespace().collect::<String>();
        let said: String = cues.iter().flat_map(|cue| cue.lines.iter().flatten()).map(|word| plain(word.text.clone())).collect();
        prop_assert_eq!(said, marks.words.iter().map(|word| plain(word.text.clone())).collect::<String>());
        for cue in &cues {
            prop_assert!((1..=2).contains(&cue.lines.len()), "{:?}", cue.text());
            prop_assert!(cue.text().lines().all(|line| columns(line) <= LINE), "{:?}", cue.text());
            prop_assert!(cue.span.start <= cue.span.end);
        }
        for pair in cues.windows(2) {
            prop_assert!(pair[0].span.end <= pair[1].span.start);
        }
        let end = cues.last().map_or(0, |cue| cue.span.end);
        prop_assert!(end <= at + LAST_LINGER);
    }
}
