//! Fonts that stand in for others.
//!
//! The office program asks the system for what is missing and the system knows little of the fonts that decks are made
//! with today. This table is given to it: for each such font those that may stand in, the best first, and whether they
//! were made to the same widths, so that no line breaks elsewhere. The first that is installed is taken.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A font that may stand in for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StandIn {
    pub(crate) family: &'static str,
    /// Made to be as wide, letter by letter.
    pub(crate) same_widths: bool,
}

const fn twin(family: &'static str) -> StandIn {
    StandIn { family, same_widths: true }
}

const fn alike(family: &'static str) -> StandIn {
    StandIn { family, same_widths: false }
}

/// Who is missed, and who may come instead. What is rather too narrow goes before what is rather too wide: a line that
/// ends early is no fault, one that runs out of its box is.
const TABLE: &[(&[&str], &[StandIn])] = &[
    (&["Calibri"], &[twin("Carlito")]),
    (&["Cambria"], &[twin("Caladea")]),
    (&["Arial", "Helvetica"], &[twin("Liberation Sans")]),
    (&["Arial Narrow", "Helvetica Narrow"], &[twin("Liberation Sans Narrow")]),
    (&["Times New Roman", "Times"], &[twin("Liberation Serif")]),
    (&["Courier New", "Courier"], &[twin("Liberation Mono")]),
    (&["Georgia"], &[twin("Gelasio"), alike("Caladea"), alike("Noto Serif")]),
    (&["Palatino Linotype", "Palatino", "Book Antiqua"], &[twin("P052"), alike("Caladea")]),
    (&["Century Schoolbook"], &[twin("C059"), alike("Caladea")]),
    (&["Bookman Old Style"], &[twin("URW Bookman"), alike("DejaVu Serif")]),
    (&["Century Gothic"], &[twin("URW Gothic"), alike("DejaVu Sans")]),
    (&["Aptos", "Aptos Display", "Aptos Light", "Aptos SemiBold"], &[alike("Carlito")]),
    (&["Aptos Narrow"], &[alike("Liberation Sans Narrow")]),
    (&["Aptos Serif"], &[alike("Caladea")]),
    (&["Aptos Mono"], &[alike("Liberation Mono")]),
    (&["Calibri Light", "Candara", "Corbel", "Gill Sans MT", "Tw Cen MT"], &[alike("Carlito")]),
    (&["Cambria Math", "Constantia", "Garamond", "Sitka Text"], &[alike("Caladea")]),
    (&["Verdana", "Lucida Sans Unicode"], &[alike("DejaVu Sans")]),
    (&["Tahoma", "Trebuchet MS", "Lucida Sans"], &[alike("Liberation Sans")]),
    (
        &["Segoe UI", "Segoe UI Light", "Segoe UI Semilight", "Segoe UI Semibold", "Segoe"],
        &[twin("Selawik"), alike("Liberation Sans")],
    ),
    (&["Franklin Gothic Book", "Franklin Gothic Medium", "Arial Black"], &[alike("Liberation Sans")]),
    (
        &["Helvetica Neue", "Helvetica Neue Light", "Helvetica Neue Medium", "SF Pro Text", "SF Pro Display", "Avenir"],
        &[alike("Liberation Sans")],
    ),
    (&["Roboto", "Inter", "Proxima Nova", "Avenir Next"], &[alike("Liberation Sans")]),
    (&["Lato", "Gill Sans"], &[alike("Carlito")]),
    (&["Open Sans", "Montserrat", "Poppins"], &[alike("Noto Sans"), alike("DejaVu Sans")]),
    (&["Playfair Display", "Merriweather", "Lora"], &[alike("Noto Serif"), alike("Caladea")]),
    (&["Menlo", "Monaco", "Roboto Mono"], &[alike("DejaVu Sans Mono"), alike("Liberation Mono")]),
    (&["Consolas", "Lucida Console"], &[alike("Inconsolata"), alike("Liberation Mono")]),
    (&["Comic Sans MS"], &[alike("Comic Neue"), alike("Carlito")]),
    (
        &[
            "MS Gothic",
            "MS PGothic",
            "Yu Gothic",
            "Meiryo",
            "Hiragino Sans",
            "Hiragino Kaku Gothic ProN",
            "游ゴシック",
            "ＭＳ Ｐゴシック",
            "メイリオ",
        ],
        &[alike("Noto Sans CJK JP")],
    ),
    (&["MS Mincho", "MS PMincho", "Yu Mincho", "游明朝"], &[alike("Noto Serif CJK JP")]),
    (
        &["Microsoft YaHei", "PingFang SC", "SimHei", "DengXian", "等线", "微软雅黑", "黑体"],
        &[alike("Noto Sans CJK SC")],
    ),
    (&["SimSun", "NSimSun", "KaiTi", "FangSong", "宋体"], &[alike("Noto Serif CJK SC")]),
    (&["Microsoft JhengHei", "PingFang TC", "微軟正黑體"], &[alike("Noto Sans CJK TC")]),
    (&["PMingLiU", "MingLiU", "新細明體"], &[alike("Noto Serif CJK TC")]),
    (
        &["Malgun Gothic", "Apple SD Gothic Neo", "Gulim", "Dotum", "맑은 고딕", "굴림", "돋움"],
        &[alike("Noto Sans CJK KR")],
    ),
    (&["Batang", "바탕"], &[alike("Noto Serif CJK KR")]),
];

/// The families of this machine, in small letters.
pub(crate) type Installed = BTreeSet<String>;

fn has(installed: &Installed, family: &str) -> bool {
    installed.contains(&family.to_lowercase())
}

/// Who stands in for a font on this machine.
pub(crate) fn stand_in(family: &str, installed: &Installed) -> Option<StandIn> {
    let row = TABLE.iter().find(|(missed, _)| missed.iter().any(|name| name.to_lowercase() == family.to_lowercase()));
    row?.1.iter().copied().find(|stand_in| has(installed, stand_in.family))
}

/// The font that was drawn to the widths of another.
pub(crate) fn same_widths(family: &str) -> Option<&'static str> {
    let row = TABLE.iter().find(|(missed, _)| missed.iter().any(|name| name.eq_ignore_ascii_case(family)));
    row?.1.iter().find(|stand_in| stand_in.same_widths).map(|stand_in| stand_in.family)
}

/// The table as fontconfig reads it, before what the system has to say; fonts in the folder `beside` the configuration are
/// there too.
pub(crate) fn configuration(installed: &Installed, beside: Option<&str>) -> String {
    let mut text = String::from("<?xml version=\"1.0\"?>\n<!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">\n<fontconfig>\n");
    if let Some(folder) = beside {
        let _ = writeln!(text, "<dir prefix=\"relative\">{folder}</dir>");
    }
    for (missed, _) in TABLE {
        for name in missed.iter().filter(|name| !has(installed, name)) {
            let Some(StandIn { family, .. }) = stand_in(name, installed) else { continue };
            let _ = writeln!(
                text,
                "<match target=\"pattern\"><test name=\"family\" qual=\"any\"><string>{name}</string></test>\
                 <edit name=\"family\" mode=\"assign\" binding=\"same\"><string>{family}</string></edit></match>"
            );
        }
    }
    text.push_str("<include ignore_missing=\"yes\">/etc/fonts/fonts.conf</include>\n</fontconfig>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_that_is_there_stands_in() {
        let installed = |families: &[&str]| families.iter().map(|family| family.to_lowercase()).collect::<Installed>();
        let plain = installed(&["Carlito", "Caladea", "Liberation Sans"]);
        assert_eq!(stand_in("aptos", &plain), Some(alike("Carlito")));
        assert_eq!(stand_in("Georgia", &plain), Some(alike("Caladea")));
        assert_eq!(stand_in("Georgia", &installed(&["Caladea", "Gelasio"])), Some(twin("Gelasio")));
        assert_eq!(stand_in("Verdana", &plain), None);
        assert_eq!(stand_in("Futura", &plain), None);
        let text = configuration(&installed(&["Carlito", "Calibri"]), None);
        assert!(text.contains("<string>Calibri Light</string>"));
        assert!(!text.contains("<string>Calibri</string>"), "what is installed needs nobody");
    }

    /// Asked as LibreOffice will ask.
    #[test]
    fn fontconfig_follows_the_table() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("fonts.conf");
        let installed = ["Liberation Sans", "Carlito", "Caladea"].map(str::to_lowercase).into();
        std::fs::write(&file, configuration(&installed, None)).unwrap();
        let found = |family: &str| {
            let mut asked = std::process::Command::new("fc-match");
            asked.env("FONTCONFIG_FILE", &file).args(["-f", "%{family[0]}", family]);
            String::from_utf8(asked.output().unwrap().stdout).unwrap()
        };
        let asked = ["Segoe UI", "Aptos", "Georgia", "Cambria Math", "Liberation Serif"].map(found);
        assert_eq!(asked, ["Liberation Sans", "Carlito", "Caladea", "Caladea", "Liberation Serif"]);
    }
}
