//! Measures how loud each Kokoro voice is before its gain and writes `src/voices/kokoro/loudness.tsv`.
//!
//! `calibrate [ASSETS] [VOICE or LANGUAGE..]`; with any named, the others keep their lines.

#![allow(clippy::disallowed_methods, reason = "a tool for developers")]
#![allow(clippy::print_stdout, reason = "an example talks to its terminal")]

use compere_speech::{VoiceKind, Voices};
use std::path::Path;

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/voices/kokoro/loudness.tsv");

/// Eight sentences of each language: plain ones, a question, an exclamation, a list.
const PAGES: [(&str, &str); 8] = [
    (
        "en",
        "The birch canoe slid on the smooth planks. Glue the sheet to the dark blue background. Did you wait for an hour? \
         These days, a chicken leg is a rare dish. What a wonderful morning! The juice of lemons makes fine punch, and \
         everyone likes it. We sell apples, pears, plums and cherries. Please open the window a little.",
    ),
    (
        "es",
        "El sol sale por el este cada mañana. Los niños juegan en el parque con sus amigos. ¿Has visto la nueva película? \
         Hoy hace mucho frío en la montaña. ¡Qué alegría verte! Compramos pan, queso, fruta y vino. La reunión empieza a \
         las nueve, así que no llegues tarde. Por favor, abre un poco la ventana.",
    ),
    (
        "fr",
        "Le soleil se lève à l'est chaque matin. Les enfants jouent dans le parc avec leurs amis. As-tu vu le nouveau film? \
         Il fait très froid à la montagne. Quelle belle surprise! Nous achetons du pain, du fromage, des fruits et du vin. \
         La réunion commence à neuf heures, alors sois à l'heure. Ouvre un peu la fenêtre, s'il te plaît.",
    ),
    (
        "it",
        "Il sole sorge a est ogni mattina. I bambini giocano nel parco con i loro amici. Hai visto il nuovo film? Oggi fa \
         molto freddo in montagna. Che bella sorpresa! Compriamo pane, formaggio, frutta e vino. La riunione comincia alle \
         nove, quindi non fare tardi. Per favore, apri un poco la finestra.",
    ),
    (
        "pt",
        "O sol nasce no leste todas as manhãs. As crianças brincam no parque com os amigos. Você viu o novo filme? Hoje faz \
         muito frio na montanha. Que bela surpresa! Compramos pão, queijo, frutas e vinho. A reunião começa às nove, então \
         não se atrase. Por favor, abra um pouco a janela.",
    ),
    (
        "hi",
        "सूरज हर सुबह पूरब में निकलता है। बच्चे अपने दोस्तों के साथ पार्क में खेलते हैं। क्या तुमने नई फ़िल्म देखी? आज पहाड़ों पर बहुत \
         ठंड है। कितनी सुंदर सुबह है! हम रोटी, पनीर, फल और दूध खरीदते हैं। बैठक नौ बजे शुरू होती है। कृपया खिड़की थोड़ी खोल दो।",
    ),
    (
        "ja",
        "太陽は毎朝東から昇ります。子供たちは公園で友達と遊んでいます。新しい映画を見ましたか？今日は山がとても寒いです。\
         なんて素敵な朝でしょう！パンとチーズと果物を買います。会議は九時に始まります。窓を少し開けてください。",
    ),
    (
        "zh",
        "太阳每天早上从东方升起。孩子们在公园里和朋友一起玩。你看过新的电影吗？今天山上很冷。多么美好的早晨！\
         我们买面包、奶酪、水果和牛奶。会议九点开始，请不要迟到。请把窗户打开一点。",
    ),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let assets = arguments.next().unwrap_or_else(|| "assets".into());
    let wanted: Vec<String> = arguments.collect();
    let threads = std::thread::available_parallelism().map_or(1, Into::into);
    let voices = Voices::open(Path::new(&assets), threads);
    let mut table = std::fs::read_to_string(TABLE)?;
    for info in voices.list().iter().filter(|info| info.kind == VoiceKind::Kokoro && info.missing.is_none()) {
        let Some((_, page)) = PAGES.iter().find(|(language, _)| info.language.starts_with(language)) else { continue };
        if !wanted.is_empty() && !wanted.iter().any(|wanted| *wanted == info.id || *wanted == info.language) {
            continue;
        }
        let heard = voices.natural_loudness(&info.id, page)?;
        let line = format!("{}\t{heard:.1}", info.id);
        println!("{line}");
        let lines = table.lines().map(|old| if old.split('\t').next() == Some(&info.id) { &line } else { old });
        table = lines.fold(String::new(), |table, line| table + line + "\n");
        std::fs::write(TABLE, &table)?;
    }
    Ok(())
}
