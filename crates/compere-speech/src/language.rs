//! What language a text looks like, by its script, its groups of letters and its smallest words.
//!
//! Nothing is said about texts that are too short or too mixed to tell: a film that is refused for a wrong guess is
//! worse than a voice that stumbles over a foreign sentence, which its author hears. `scripts/languages.sh` counts the
//! wrong guesses on descriptions of Debian's packages in twenty languages.

use std::fmt;

use whatlang::Lang;

use crate::voices::same_language;

/// A text and a voice that do not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageMismatch {
    /// What the text looks like.
    pub text: &'static str,
    /// What the voice speaks.
    pub voice: String,
}

impl fmt::Display for LanguageMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the text looks {}, the voice speaks {}", name(self.text), name(&self.voice))
    }
}

impl std::error::Error for LanguageMismatch {}

/// Says so when a text is plainly not in the language a voice speaks. A wrong refusal is worse than none: what only looks
/// like another language, is short, or may be a neighbour's is let through; and so is, where the text is `expected` to be in
/// the voice's language, whatever does not look otherwise beyond doubt.
pub fn check_language(text: &str, voice: &str, expected: Option<&str>) -> Result<(), LanguageMismatch> {
    let Some(looks) = language_of(text) else { return Ok(()) };
    let surprising = expected.is_some_and(|expected| same_language(expected, voice));
    let fits = same_language(looks, voice)
        || may_be(text, looks, voice)
        || is_never_heard(text, voice)
        || (surprising && !beyond_doubt(text, looks, voice));
    if fits { Ok(()) } else { Err(LanguageMismatch { text: looks, voice: voice.to_owned() }) }
}

/// Whether a text would be taken for some other language whatever it said: nobody here knows Basque when they see it.
fn is_never_heard(text: &str, voice: &str) -> bool {
    let voice = primary(voice);
    let voice = if voice == "no" || voice == "nn" { "nb" } else { voice.as_str() };
    mostly_latin(text) && !has_other_letters(voice) && !Lang::all().iter().any(|lang| tag(*lang) == Some(voice))
}

/// What language a text is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hearing {
    /// The one that it looks.
    Text(&'static str),
    /// That of the film: the text does not tell, or not beyond doubt.
    Film,
    /// The presenter's own: nothing else tells.
    Presenter,
}

/// The language of a text of which something is known besides: what its film is in, which the text can only outdo beyond
/// doubt, and what its presenter speaks (the own language first), which decides where nothing else does.
pub fn heard(text: &str, film: Option<&str>, speaks: &[&str]) -> Option<Hearing> {
    let looks = language_of(text);
    let film = film.filter(|film| could_be_written(text, film));
    let presenter = speaks.first().copied().filter(|own| could_be_written(text, own));
    let Some(looks) = looks else {
        let leans = || presenter.and_then(|_| leaning(text, speaks));
        return match film {
            Some(_) => Some(Hearing::Film),
            None => leans().map(Hearing::Text).or(presenter.map(|_| Hearing::Presenter)),
        };
    };
    let is = |language: &&str| same_language(language, looks);
    let doubtful = |film: &str| may_be(text, looks, film) || !beyond_doubt(text, looks, film);
    Some(match (film, presenter) {
        (Some(film), presenter) if !is(&film) && !presenter.is_some_and(|own| is(&own)) && doubtful(film) => {
            Hearing::Film
        }
        (None, Some(own)) if !is(&own) && akin(text, looks, own) => Hearing::Presenter,
        _ => Hearing::Text(looks),
    })
}

/// What a text that is not plain is nearer to than to the language that it would be spoken in otherwise, of whose small
/// words it has fewer. Of languages that share what it has, those that the presenter speaks go first. A wrong guess costs what
/// no guess costs: another voice stumbles over it.
fn leaning(text: &str, speaks: &[&str]) -> Option<&'static str> {
    let (counts, otherwise) = (small_words(text), primary(speaks.first()?));
    let count = |language: &str| counts.iter().find(|(_, known)| *known == language).map(|(count, _)| *count);
    let words = text.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let letters: usize = words.iter().map(|word| word.chars().count()).sum();
    if words.len() < 3 || letters < FEW || !is_latin(text) {
        return None;
    }
    let borrowed = words.iter().filter(|word| otherwise == "en" && ENGLISH_TOO.contains(&word.as_str())).count();
    let others = count(&otherwise)? + borrowed;
    let known: Vec<Lang> = Lang::all().iter().copied().filter(|lang| tag(*lang).is_some()).collect();
    let resembled = tag(whatlang::Detector::with_allowlist(known).detect(text)?.lang())?;
    let most = counts.iter().map(|(count, _)| *count).max().unwrap_or(0);
    let spoken = |language: &str| speaks.iter().any(|one| same_language(one, language));
    let rival = |(count, known): &&(usize, &str)| *count == most && *known != otherwise && spoken(known);
    // Of a whole sentence groups of letters say more than the few words that many languages share, but for relations.
    let is_long = letters >= 2 * SHORT;
    let related =
        |known: &str| ["es", "pt", "it", "ca"].contains(&known) && ["es", "pt", "it", "ca"].contains(&resembled);
    let rival = counts.iter().find(rival).map(|(_, known)| *known);
    let rival = rival.filter(|known| most > 0 && !spoken(resembled) && (!is_long || related(known)));
    let language = rival.unwrap_or(resembled);
    // Letters that few languages have.
    let marked = !text.is_ascii();
    let nearer = match count(language) {
        Some(own) => own == most && (own > others || (marked && own + others == 0)),
        None => marked && is_long && (most + others == 0 || text.contains(['æ', 'ø', 'å', 'Æ', 'Ø', 'Å'])),
    };
    (nearer && language != otherwise).then_some(language)
}

/// Whether a text has the letters of a language, or those that every language borrows.
fn could_be_written(text: &str, language: &str) -> bool {
    let language = primary(language);
    mostly_latin(text)
        || text.chars().all(|letter| !letter.is_alphabetic())
        || text.chars().any(|letter| writes(&language, letter))
}

/// Whether a text that looks one language can hardly be in another that it was expected to be in: it has other letters, or
/// is long enough, with small words of its language and next to none of the other's.
fn beyond_doubt(text: &str, looks: &str, expected: &str) -> bool {
    let expected = primary(expected);
    let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
    if !mostly_latin(text) || (has_other_letters(&expected) && letters >= SHORT) {
        return true;
    }
    let counts = small_words(text);
    let count = |language: &str| counts.iter().find(|(_, known)| *known == language).map(|(count, _)| *count);
    let others = count(&expected).unwrap_or(0);
    match count(looks) {
        Some(own) => letters >= 2 * SHORT && own >= 2 && own > 2 * others,
        None => letters >= 3 * SHORT && others == 0,
    }
}

fn primary(tag: &str) -> String {
    tag.split(['-', '_']).next().unwrap_or(tag).to_lowercase()
}

/// Whether a text that looks one language may be in that of a voice all the same.
fn may_be(text: &str, looks: &str, voice: &str) -> bool {
    let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
    akin(text, looks, voice) || (letters < SHORT && is_latin(text))
}

/// Whether two languages are told apart by so little in this text that it may be in either.
fn akin(text: &str, looks: &str, voice: &str) -> bool {
    let voice = primary(voice);
    let related = |family: &&[&str]| family.contains(&looks) && family.contains(&voice.as_str());
    if LETTERS.iter().map(|(_, family)| *family).any(|family| related(&family)) {
        // Of languages in the same letters only those are told apart that never have some of them.
        let foreign = FOREIGN.iter().find(|(known, _)| *known == voice).map_or("", |(_, foreign)| *foreign);
        return text.chars().filter(|&letter| foreign.contains(letter)).count() < 2;
    }
    NEIGHBOURS.iter().any(related)
        || (looks == "zh" && voice == "ja" && text.chars().filter(|letter| letter.is_alphabetic()).count() < FEW)
        || (mostly_latin(text) && text.chars().filter(|&letter| writes(&voice, letter)).count() >= 2)
}

fn mostly_latin(text: &str) -> bool {
    let letters = text.chars().filter(|letter| letter.is_alphabetic());
    let (latin, other): (Vec<char>, Vec<char>) = letters.partition(|&letter| script(letter) == "latin");
    latin.len() > other.len()
}

/// Whether a letter is one of those that a language has and most do not.
fn writes(language: &str, letter: char) -> bool {
    match script(letter) {
        "latin" => false,
        "han" if ["ja", "ko"].contains(&language) => true,
        "kana" => language == "ja",
        script => match LETTERS.iter().find(|(known, _)| *known == script) {
            Some((_, family)) => family.contains(&language),
            None => script == language,
        },
    }
}

/// Whether a language is not written in Latin letters.
fn has_other_letters(language: &str) -> bool {
    let alone = ["ja", "ko", "pa", "gu", "ta", "te", "kn", "ml", "th", "ka"];
    alone.contains(&language) || (language != "sr" && LETTERS.iter().any(|(_, family)| family.contains(&language)))
}

fn is_latin(text: &str) -> bool {
    text.chars().filter(|letter| letter.is_alphabetic()).all(|letter| script(letter) == "latin")
}

/// Letters, below which nobody is refused for how a text in Latin letters looks.
const SHORT: usize = 20;

/// Chinese characters that may well be Japanese: a title, a name.
const FEW: usize = 12;

/// Languages that share a script. Nobody is refused for having written another one of it, unless with letters that the
/// voice's language never has.
const LETTERS: [(&str, &[&str]); 8] = [
    ("cyrillic", &["ru", "uk", "be", "bg", "sr", "mk", "kk", "ky", "tt", "ba", "cv", "tg", "mn"]),
    ("arabic", &["ar", "fa", "ur", "sd", "ug", "ps", "ckb"]),
    ("hi", &["hi", "mr", "ne", "kok", "sa", "bho", "mai"]),
    ("bn", &["bn", "as", "bpy"]),
    ("han", &["zh", "cmn", "yue", "hak", "nan"]),
    ("el", &["el", "grc"]),
    ("he", &["he", "yi"]),
    ("hy", &["hy", "hyw"]),
];

/// Those letters.
const FOREIGN: [(&str, &str); 8] = [
    ("ru", "іїєґјљњћђџ"),
    ("uk", "ыэъёјљњћђџ"),
    ("be", "ищїєґъјљњћђџ"),
    ("bg", "ыэёіїєґјљњћђџ"),
    ("sr", "йыэъьщюяёіїєґ"),
    ("mk", "йыэъьщюяёіїєґћђ"),
    ("ar", "پچژگٹڈڑںے"),
    ("fa", "ةيكٹڈڑںے"),
];

/// Languages that are told apart by so little that nobody is refused for it.
const NEIGHBOURS: [&[&str]; 5] =
    [&["cs", "sk"], &["da", "nb", "no", "nn", "sv"], &["id", "ms"], &["hr", "sr", "bs", "sl"], &["es", "ca", "gl"]];

/// The language of a text, if it is plain.
pub fn language_of(text: &str) -> Option<&'static str> {
    let mut scripts: Vec<(&'static str, usize)> = Vec::new();
    let mut letters = 0;
    for letter in text.chars().filter(|c| c.is_alphabetic()) {
        letters += 1;
        let script = script(letter);
        match scripts.iter_mut().find(|(known, _)| *known == script) {
            Some((_, count)) => *count += 1,
            None => scripts.push((script, 1)),
        }
    }
    let share = |script: &str| scripts.iter().find(|(known, _)| *known == script).map_or(0, |(_, count)| *count);
    if letters < 2 {
        return None;
    }
    // Japanese mixes in Chinese characters, but no Chinese text has kana. Both, and Korean, mix in names in Latin letters:
    // a few of their own letters are enough, and Latin ones say nothing of what a text is that has any other.
    if share("kana") * 10 >= letters && (share("kana") + share("han")) * 10 >= letters * 4 {
        return Some("ja");
    }
    // A syllable in one letter, a word in two: between names in Latin letters few of them are a text.
    for (script, language) in [("ko", "ko"), ("han", "zh")] {
        if share("kana") == 0 && share(script) * 10 >= letters * 3 && share(script) + share("latin") == letters {
            return Some(language);
        }
    }
    let (script, count) = scripts.iter().max_by_key(|(_, count)| *count).copied()?;
    if count * 10 < letters * 6 || (script == "latin" && count * 20 < letters * 19) {
        return None;
    }
    match script {
        "latin" => latin(text),
        "han" => Some("zh"),
        "kana" => Some("ja"),
        "cyrillic" => Some(cyrillic(text)),
        "hi" => Some(among(text, &[Lang::Hin, Lang::Mar, Lang::Nep]).unwrap_or("hi")),
        "arabic" => Some(match () {
            () if text.contains(['ٹ', 'ڈ', 'ڑ', 'ں', 'ے']) => "ur",
            () if text.contains(['پ', 'چ', 'ژ', 'گ', 'ک', 'ی']) => "fa",
            () => "ar",
        }),
        "" => None,
        language => Some(language),
    }
}

/// Of the languages in Cyrillic letters that which has them, or whose groups of letters a text has; Russian where nothing
/// tells.
fn cyrillic(text: &str) -> &'static str {
    let lower = text.to_lowercase();
    let has = |letters: &str| lower.chars().any(|letter| letters.contains(letter));
    match () {
        () if has("ҙҫҡғ") && has("ә") => "ba",
        () if has("җ") || (has("ә") && !has("ғқұ")) => "tt",
        () if has("ғқұһ") => "kk",
        () if has("ӑӗҫӳ") => "cv",
        () if has("ңөү") => "ky",
        () if has("ў") => "be",
        () if has("їєґ") || (has("і") && !has("ы")) => "uk",
        () if has("і") => "be",
        () if has("ѓќѕ") => "mk",
        () if has("ћђ") => "sr",
        () if has("јљњџ") => among(text, &[Lang::Mkd, Lang::Srp]).unwrap_or("sr"),
        () if has("ыэё") => "ru",
        () if is_bulgarian(&lower) => "bg",
        () => among(text, &[Lang::Rus, Lang::Bul, Lang::Mkd]).unwrap_or("ru"),
    }
}

/// Russian has a hard sign before some vowels only, and other small words.
fn is_bulgarian(lower: &str) -> bool {
    const SMALL: &str = "се да със че ще като е са си този това тази които който бъде може";
    const RUSSIAN: &str = "для или это как что из к о вы все только его можно";
    let letters: Vec<char> = lower.chars().collect();
    let vowel = |pair: &[char]| pair[0] == 'ъ' && pair[1].is_alphabetic() && !"еёюяи".contains(pair[1]);
    let count = |small: &str| {
        lower.split(|c: char| !c.is_alphabetic()).filter(|word| small.split(' ').any(|known| known == *word)).count()
    };
    letters.windows(2).any(vowel) || count(SMALL) > count(RUSSIAN)
}

/// Which of some languages a text is in, if it is plainly one of them.
fn among(text: &str, languages: &[Lang]) -> Option<&'static str> {
    let found = whatlang::Detector::with_allowlist(languages.to_vec()).detect(text)?;
    let plain = found.is_reliable() || found.confidence() > 0.5;
    plain.then(|| match found.lang() {
        Lang::Bul => "bg",
        Lang::Mkd => "mk",
        Lang::Srp => "sr",
        Lang::Mar => "mr",
        Lang::Nep => "ne",
        Lang::Hin => "hi",
        _ => "ru",
    })
}

/// A script, or the language where a script has but one.
fn script(letter: char) -> &'static str {
    match letter {
        'a'..='z' | 'A'..='Z' | '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => "latin",
        '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => "el",
        '\u{400}'..='\u{52F}' => "cyrillic",
        '\u{530}'..='\u{58F}' => "hy",
        '\u{590}'..='\u{5FF}' => "he",
        '\u{600}'..='\u{6FF}' | '\u{750}'..='\u{77F}' => "arabic",
        '\u{900}'..='\u{97F}' => "hi",
        '\u{980}'..='\u{9FF}' => "bn",
        '\u{A00}'..='\u{A7F}' => "pa",
        '\u{A80}'..='\u{AFF}' => "gu",
        '\u{B80}'..='\u{BFF}' => "ta",
        '\u{C00}'..='\u{C7F}' => "te",
        '\u{C80}'..='\u{CFF}' => "kn",
        '\u{D00}'..='\u{D7F}' => "ml",
        '\u{E00}'..='\u{E7F}' => "th",
        '\u{10A0}'..='\u{10FF}' => "ka",
        '\u{1100}'..='\u{11FF}' | '\u{AC00}'..='\u{D7AF}' => "ko",
        '\u{3040}'..='\u{30FF}' => "kana",
        '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' => "han",
        _ => "",
    }
}

/// Small words of English that others have too: where English is in doubt they are no sign of those.
const ENGLISH_TOO: [&str; 7] = ["a", "an", "or", "by", "as", "do", "em"];

/// The commonest small words of each language.
const SMALL_WORDS: [(&str, &str); 13] = [
    ("en", "the and of to is in that it for you with are this was be on have not we they your from will can our at"),
    (
        "es",
        "el la de que y en los se del las un por con una su para es al lo como más pero sus le ya este sí muy está hoy",
    ),
    (
        "fr",
        "le la les de des et est en un une du que qui dans pour ce il pas au sur nous vous avec sont je elle mais ou très",
    ),
    (
        "de",
        "der die das und ist in zu den mit von sie nicht ein eine es auf für dem sich des auch wir ich wird wie sind an",
    ),
    ("it", "il la di che e è un per una sono del con non le si in da gli al più della dei come nel ma questo anche ha"),
    (
        "pt",
        "o a de que e do da em um para com não uma os no se na por mais as dos como mas ao é foi muito você está são",
    ),
    (
        "nl",
        "de het een en van is in dat op te zijn met voor niet aan er om ook als dan maar we ik je wij bij naar deze",
    ),
    ("pl", "i w na z że się do nie to jest jak o po co tak za od ale przez czy są dla ten tego już tylko jego"),
    ("sv", "och att det som en på är av för med den till inte om har ett jag men var sig så vi kan från han hon"),
    ("tr", "ve bir bu da de için ile çok daha ne gibi o ben olarak kadar olan var ama sonra şey mi en değil"),
    ("id", "yang dan di ini itu dengan untuk tidak dari dalam akan pada ke saya anda kami adalah bisa ada juga atau"),
    ("vi", "và của là có không được cho một những với các người trong để này đã khi về đó tôi chúng ra như cũng"),
    ("fi", "ja on ei se että hän oli ovat mutta kun niin myös kuin tai joka ole tämä minä sen mukaan"),
];

/// Groups of three letters say which language a text resembles, small words whether it is made of that language. The
/// first alone take names and technical terms for English or French, the second alone took plain English for Portuguese.
fn latin(text: &str) -> Option<&'static str> {
    let resembled = whatlang::detect(text)?;
    if let Some(twin) = twin(text, resembled.lang()) {
        return Some(twin);
    }
    let language = tag(resembled.lang())?;
    let counts = small_words(text);
    let most = counts.iter().map(|(count, _)| *count).max().unwrap_or(0);
    let Some((own, _)) = counts.iter().find(|(_, known)| *known == language).copied() else {
        return resembled.is_reliable().then_some(language);
    };
    let unrivalled = counts.iter().all(|(count, known)| *known == language || count * 2 < own);
    let plain = resembled.is_reliable() || (own >= 2 && unrivalled && resembled.confidence() > 0.5);
    (plain && own == most).then_some(language)
}

/// Languages so near to each other that neither is plain beside the other: a letter or a word tells them apart.
const TWINS: [(Lang, Lang, &str, &str, &str, &str); 2] = [
    (
        Lang::Dan,
        Lang::Nob,
        "",
        "",
        "af hvad mig dig noget nogen efter være nu kunne skulle ville hvor meget blev bliver gør mod lige siger",
        "av hva meg deg noe noen etter være nå kunne skulle ville hvor mye ble blir gjør mot like sier",
    ),
    (
        Lang::Ces,
        Lang::Slk,
        "ěřů",
        "ľĺŕ",
        "se jsem jsou jako pro i který která které být také ještě jen zítra co ale když",
        "sa som sú ako pre aj ktorý ktorá ktoré byť tiež ešte iba zajtra čo avšak keď",
    ),
];

/// One of two that are nearly the same, if a text is plainly one of both.
fn twin(text: &str, resembled: Lang) -> Option<&'static str> {
    let (one, other, letters, others, words, other_words) =
        TWINS.iter().copied().find(|twins| twins.0 == resembled || twins.1 == resembled)?;
    let lower = text.to_lowercase();
    let marks = |letters: &str, words: &str| {
        lower.chars().filter(|letter| letters.contains(*letter)).count()
            + lower
                .split(|c: char| !c.is_alphabetic())
                .filter(|word| words.split(' ').any(|known| known == *word))
                .count()
    };
    let (own, others) = (marks(letters, words), marks(others, other_words));
    let without = |left: Lang| -> Vec<Lang> { Lang::all().iter().copied().filter(|lang| *lang != left).collect() };
    let plain = [without(other), without(one)].into_iter().any(|languages| {
        let found = whatlang::Detector::with_allowlist(languages).detect(text);
        let sure = |found: &whatlang::Info| found.is_reliable() || (own + others >= 2 && found.confidence() > 0.1);
        found.is_some_and(|found| sure(&found) && (found.lang() == one || found.lang() == other))
    });
    // Letters of both that most others lack.
    let both = if one == Lang::Dan { "æøå" } else { "čšžýťďň" };
    if !plain || (own + others == 0 && !lower.contains(|letter| both.contains(letter))) {
        return None;
    }
    match own.cmp(&others) {
        std::cmp::Ordering::Greater => tag(one),
        std::cmp::Ordering::Less => tag(other),
        std::cmp::Ordering::Equal => tag(resembled),
    }
}

/// How many of its small words each language has in a text.
fn small_words(text: &str) -> Vec<(usize, &'static str)> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).collect();
    let count = |small: &str| words.iter().filter(|word| small.split(' ').any(|known| known == **word)).count();
    SMALL_WORDS.iter().map(|(language, small)| (count(small), *language)).collect()
}

/// Of the languages in Latin letters those that some voice may speak.
fn tag(language: Lang) -> Option<&'static str> {
    Some(match language {
        Lang::Eng => "en",
        Lang::Deu => "de",
        Lang::Spa => "es",
        Lang::Fra => "fr",
        Lang::Ita => "it",
        Lang::Por => "pt",
        Lang::Nld => "nl",
        Lang::Pol => "pl",
        Lang::Swe => "sv",
        Lang::Tur => "tr",
        Lang::Ind => "id",
        Lang::Vie => "vi",
        Lang::Fin => "fi",
        Lang::Dan => "da",
        Lang::Nob => "nb",
        Lang::Ces => "cs",
        Lang::Slk => "sk",
        Lang::Hun => "hu",
        Lang::Ron => "ro",
        Lang::Cat => "ca",
        Lang::Hrv => "hr",
        _ => return None,
    })
}

/// A sentence in a language, to hear a voice with; English where there is none.
pub fn sample(tag: &str) -> &'static str {
    const SAMPLES: [(&str, &str); 25] = [
        ("ar", "صباح الخير، كيف حالك؟"),
        ("cs", "Dobré ráno, jak se máte?"),
        ("da", "Godmorgen, hvordan har du det?"),
        ("de", "Guten Morgen, schön, dass Sie da sind."),
        ("el", "Καλημέρα, τι κάνετε;"),
        ("es", "Buenos días, me alegro de verle."),
        ("fa", "صبح بخیر، حال شما چطور است؟"),
        ("fi", "Hyvää huomenta, mitä kuuluu?"),
        ("fr", "Bonjour, ravi de vous voir."),
        ("he", "בוקר טוב, מה שלומך?"),
        ("hi", "सुप्रभात, आप कैसे हैं?"),
        ("hu", "Jó reggelt, hogy van?"),
        ("id", "Selamat pagi, apa kabar?"),
        ("it", "Buongiorno, piacere di vederla."),
        ("ja", "おはようございます。お元気ですか。"),
        ("ko", "안녕하세요, 만나서 반갑습니다."),
        ("nl", "Goedemorgen, fijn dat u er bent."),
        ("pl", "Dzień dobry, miło pana widzieć."),
        ("pt", "Bom dia, que bom ver você."),
        ("ru", "Доброе утро, рад вас видеть."),
        ("sv", "God morgon, trevligt att ses."),
        ("tr", "Günaydın, nasılsınız?"),
        ("uk", "Доброго ранку, радий вас бачити."),
        ("vi", "Chào buổi sáng, bạn khỏe không?"),
        ("zh", "早上好，很高兴见到你。"),
    ];
    let primary = tag.split(['-', '_']).next().unwrap_or(tag);
    SAMPLES.iter().find(|(code, _)| *code == primary).map_or("Good morning, how are you?", |(_, text)| text)
}

/// A language in English, or its tag.
pub fn name(tag: &str) -> &str {
    const NAMES: [(&str, &str); 61] = [
        ("af", "Afrikaans"),
        ("ba", "Bashkir"),
        ("be", "Belarusian"),
        ("bg", "Bulgarian"),
        ("cv", "Chuvash"),
        ("et", "Estonian"),
        ("eu", "Basque"),
        ("gl", "Galician"),
        ("is", "Icelandic"),
        ("kk", "Kazakh"),
        ("ky", "Kyrgyz"),
        ("lt", "Lithuanian"),
        ("lv", "Latvian"),
        ("mk", "Macedonian"),
        ("mr", "Marathi"),
        ("ne", "Nepali"),
        ("sl", "Slovenian"),
        ("tt", "Tatar"),
        ("yue", "Cantonese"),
        ("ar", "Arabic"),
        ("bn", "Bengali"),
        ("cs", "Czech"),
        ("da", "Danish"),
        ("de", "German"),
        ("el", "Greek"),
        ("en", "English"),
        ("es", "Spanish"),
        ("fa", "Persian"),
        ("fi", "Finnish"),
        ("fr", "French"),
        ("gu", "Gujarati"),
        ("he", "Hebrew"),
        ("hi", "Hindi"),
        ("hu", "Hungarian"),
        ("hy", "Armenian"),
        ("id", "Indonesian"),
        ("it", "Italian"),
        ("ja", "Japanese"),
        ("ka", "Georgian"),
        ("kn", "Kannada"),
        ("ko", "Korean"),
        ("ml", "Malayalam"),
        ("nl", "Dutch"),
        ("pa", "Punjabi"),
        ("pl", "Polish"),
        ("pt", "Portuguese"),
        ("ru", "Russian"),
        ("sv", "Swedish"),
        ("ta", "Tamil"),
        ("te", "Telugu"),
        ("th", "Thai"),
        ("tr", "Turkish"),
        ("uk", "Ukrainian"),
        ("ur", "Urdu"),
        ("vi", "Vietnamese"),
        ("nb", "Norwegian"),
        ("sk", "Slovak"),
        ("sr", "Serbian"),
        ("ro", "Romanian"),
        ("ca", "Catalan"),
        ("hr", "Croatian"),
    ];
    let primary = tag.split(['-', '_']).next().unwrap_or(tag);
    if primary == "zh" {
        return "Chinese";
    }
    NAMES.iter().find(|(code, _)| *code == primary).map_or(tag, |(_, name)| name)
}
