//! Documents that are something else, broken, or made to hurt. Each gets its sentence soon and leaves nothing behind.

mod common;

use std::net::TcpListener;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use common::{archive, changed, corpus, fill, imported, pages, pdf, refused, refused_with, replaced, want, write};
use compere_codec::{Sandbox, SandboxKind};
use compere_import::{ImportErrorKind, Limits, Want, import};

fn page() -> (&'static str, String) {
    ("/MediaBox [0 0 1600 900]", fill((1.0, 0.0, 0.0), (0, 0, 800, 450)))
}

fn content_types(main: &str) -> Vec<u8> {
    format!(
        "<Types><Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.{main}.main+xml\"/></Types>"
    )
    .into_bytes()
}

const RELATIONS: &[u8] =
    b"<Relationships><Relationship Id=\"r1\" Type=\"x/officeDocument\" Target=\"word/document.xml\"/></Relationships>";

#[test]
fn other_files_are_told_by_content() {
    let dir = tempfile::tempdir().unwrap();
    let word =
        archive(&[("[Content_Types].xml", &content_types("wordprocessingml.document")), ("_rels/.rels", RELATIONS)]);
    let cases: [(&str, &[u8], &str); 6] = [
        ("renamed.pptx", &word, "a Word document"),
        ("zip.pptx", &archive(&[("a.txt", b"hello")]), "a ZIP archive"),
        ("text.pdf", b"hello, I am no document", "a text file"),
        ("old.ppt", b"\xed\xde\xad\x0b\x03\0\0\0", "a presentation of PowerPoint 4 or older"),
        ("picture.ppt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PDF or a presentation"),
        ("odp.pptx", &archive(&[("mimetype", b"x"), ("content.xml", b"<a/>")]), "an OpenDocument file"),
    ];
    for (name, bytes, what) in cases {
        let error = refused(&write(dir.path(), name, bytes));
        assert_eq!(error.kind, ImportErrorKind::WrongType, "{name}: {error}");
        assert!(error.sentence.contains(what), "{name}: {error}");
    }
    // The other way round: names do not matter.
    let right = write(dir.path(), "deck.txt", &pages(&[page()], "", &[]));
    assert_eq!(imported(&right).deck.slides.len(), 1);
}

#[test]
fn broken_files_are_told_as_such() {
    let dir = tempfile::tempdir().unwrap();
    let whole = std::fs::read(corpus("business.pptx")).unwrap();
    let one = pages(&[page()], "", &[]);
    let noise: Vec<u8> =
        one.iter().enumerate().map(|(i, b)| if i > 9 { b.wrapping_mul(31) ^ i as u8 } else { *b }).collect();
    let mut compound = vec![0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
    compound.resize(100, 0);
    let cases: [(&str, &[u8]); 6] = [
        ("empty.pptx", b""),
        ("cut.pptx", &whole[..whole.len() / 2]),
        ("head.pdf", b"%PDF-1.7\n"),
        ("noise.pdf", &noise),
        ("cut.ppt", &compound),
        ("none.pdf", &pages(&[], "", &[])),
    ];
    for (name, bytes) in cases {
        let error = refused(&write(dir.path(), name, bytes));
        assert_eq!(error.kind, ImportErrorKind::Unreadable, "{name}: {error}");
    }
    let slideless = changed("portrait.pptx", &|name, bytes| match name {
        "ppt/presentation.xml" => {
            let text = String::from_utf8(bytes).unwrap();
            let (start, end) = (text.find("<p:sldIdLst>").unwrap(), text.find("</p:sldIdLst>").unwrap());
            format!("{}{}", &text[..start], &text[end + "</p:sldIdLst>".len()..]).into_bytes()
        }
        _ => bytes,
    });
    let error = refused(&write(dir.path(), "slideless.pptx", &slideless));
    assert_eq!((error.kind, error.sentence.as_str()), (ImportErrorKind::Unreadable, "The presentation has no slides."));
}

#[test]
fn locked_files_ask_for_an_open_one() {
    let dir = tempfile::tempdir().unwrap();
    let profile = format!("-env:UserInstallation=file://{}", dir.path().join("profile").display());
    let filter = r#"pdf:impress_pdf_Export:{"EncryptFile":{"type":"boolean","value":"true"},"DocumentOpenPassword":{"type":"string","value":"x"}}"#;
    let made = std::process::Command::new("soffice")
        .args([&profile, "--headless", "--convert-to", filter, "--outdir"])
        .arg(dir.path())
        .arg(corpus("portrait.pptx"))
        .output()
        .unwrap();
    assert!(made.status.success());
    let error = refused(&dir.path().join("portrait.pdf"));
    assert_eq!(error.kind, ImportErrorKind::Unreadable);
    assert!(error.sentence.contains("password"), "{error}");
}

#[test]
fn limits_of_size_and_count_hold() {
    let dir = tempfile::tempdir().unwrap();
    let ten_thousand: Vec<(&str, String)> = vec![("/MediaBox [0 0 160 90]", String::new()); 10_000];
    let error = refused(&write(dir.path(), "many.pdf", &pages(&ten_thousand, "", &[])));
    assert_eq!(error.kind, ImportErrorKind::TooLarge);
    assert!(error.sentence.contains("10000") && error.sentence.contains("300"), "{error}");
    let small = Want { limits: Limits { bytes: 1000, slides: 2, ..Limits::default() }, ..want() };
    let error = refused_with(&corpus("portrait.pptx"), &small);
    assert_eq!(error.kind, ImportErrorKind::TooLarge);
    let few = Want { limits: Limits { slides: 1, ..Limits::default() }, ..want() };
    assert_eq!(refused_with(&corpus("portrait.pptx"), &few).kind, ImportErrorKind::TooLarge);
}

#[test]
fn bombs_do_not_go_off() {
    let dir = tempfile::tempdir().unwrap();
    let entities = "<!DOCTYPE p [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;\">]>";
    let laughing = changed("portrait.pptx", &|name, bytes| match name {
        "ppt/slides/slide1.xml" => {
            let text = String::from_utf8(bytes).unwrap();
            let text = text.replace("Upright slide 1", "&c;");
            let at = text.find("<p:sld").unwrap();
            format!("{}{entities}{}", &text[..at], &text[at..]).into_bytes()
        }
        _ => bytes,
    });
    let error = refused(&write(dir.path(), "laughing.pptx", &laughing));
    assert_eq!(error.kind, ImportErrorKind::Unreadable);
    assert!(error.sentence.contains("entities"), "{error}");

    let deep = changed("portrait.pptx", &|name, bytes| match name {
        "ppt/slides/slide1.xml" => ["<p:sld>".repeat(200_000), "</p:sld>".repeat(200_000)].concat().into_bytes(),
        _ => bytes,
    });
    assert_eq!(refused(&write(dir.path(), "deep.pptx", &deep)).kind, ImportErrorKind::Unreadable);

    // A slide of 100 MB in a file of 100 kB.
    let large = changed("portrait.pptx", &|name, bytes| match name {
        "ppt/slides/slide1.xml" => [b"<!--", vec![b' '; 100 << 20].as_slice(), b"-->", &bytes].concat(),
        _ => bytes,
    });
    assert!(large.len() < 1_000_000);
    let error = refused(&write(dir.path(), "large.pptx", &large));
    assert!(error.sentence.contains("unpacks"), "{error}");
}

#[test]
fn what_lies_elsewhere_is_not_fetched() {
    let dir = tempfile::tempdir().unwrap();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    server.set_nonblocking(true).unwrap();
    let port = server.local_addr().unwrap().port();
    let calling = changed("external.pptx", &|_, bytes| replaced(bytes, "127.0.0.1:9/", &format!("127.0.0.1:{port}/")));
    let found = imported(&write(dir.path(), "external.pptx", &calling));
    assert_eq!(found.deck.slides.len(), 1);
    assert!(server.accept().is_err(), "the import called");
}

#[test]
fn a_conversion_that_hangs_is_killed_and_harms_no_other() {
    // No honest conversion ends within a second of processor time and three in all; this stands for one that never does.
    let hasty = Limits { convert_wall: 1, ..Limits::default() };
    let error = refused_with(&corpus("business.pptx"), &Want { limits: hasty, ..want() });
    assert_eq!(error.kind, ImportErrorKind::Unreadable);
    assert!(error.sentence.contains("stopped"), "{error}");
    let found = std::thread::scope(|scope| {
        let both =
            ["portrait.pptx", "external.pptx"].map(|deck| scope.spawn(|| imported(&corpus(deck)).deck.slides.len()));
        both.map(|thread| thread.join().unwrap())
    });
    assert_eq!(found, [2, 1], "side by side, each with a profile of its own");
}

/// A table of so many rows and columns on one of the two slides.
fn with_table(slide: &str, rows: usize, columns: usize) -> Vec<u8> {
    let column = "<a:gridCol w=\"90000\"/>".repeat(columns);
    let cells =
        "<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>x</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc>".repeat(columns);
    let rows = format!("<a:tr h=\"90000\">{cells}</a:tr>").repeat(rows);
    let table = format!(
        "<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id=\"90\" name=\"Table\"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>\
         <p:xfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"5000000\" cy=\"5000000\"/></p:xfrm><a:graphic>\
         <a:graphicData uri=\"http://schemas.openxmlformats.org/drawingml/2006/table\"><a:tbl><a:tblPr/>\
         <a:tblGrid>{column}</a:tblGrid>{rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame></p:spTree>"
    );
    changed("portrait.pptx", &|name, bytes| match name == slide {
        true => replaced(bytes, "</p:spTree>", &table),
        false => bytes,
    })
}

#[test]
fn a_slide_that_nobody_could_read_is_refused_before_it_is_drawn() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "cells.pptx", &with_table("ppt/slides/slide2.xml", 200, 200));
    let started = Instant::now();
    let error = refused(&file);
    assert_eq!(error.kind, ImportErrorKind::Unreadable);
    assert!(error.sentence.starts_with("Slide 2 has 40000 cells of tables; at most 1500 are taken."), "{error}");
    // LibreOffice would need hours.
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn whoever_is_refused_for_too_much_work_is_told_where_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "slow.pptx", &with_table("ppt/slides/slide2.xml", 50, 29));
    let hasty = Limits { convert_cpu: 4, ..Limits::default() };
    let error = refused_with(&file, &Want { limits: hasty, ..want() });
    assert_eq!(error.kind, ImportErrorKind::Unreadable);
    assert!(error.sentence.contains("Most of the work is on slide 2 (1450 cells of tables)."), "{error}");
}

#[test]
fn a_page_costs_no_more_than_its_share() {
    // Half a million wide translucent lines across the page.
    let lines = "0 0 m 1600 900 l 1600 0 l 0 900 l B\n".repeat(300_000);
    let heavy = ("/MediaBox [0 0 1600 900]", format!("40 w\n{lines}"));
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "heavy.pdf", &pages(&[heavy], "", &[]));
    let short = Want { limits: Limits { page_cpu: 1, ..Limits::default() }, ..want() };
    let started = Instant::now();
    let error = refused_with(&file, &short);
    assert_eq!(error.kind, ImportErrorKind::Unreadable, "{error}");
    assert!(started.elapsed().as_secs() < 30, "{:?}", started.elapsed());
}

/// Seconds as one process would have them that had a processor for itself: a thread counts beside what is measured which
/// share of the time it gets itself.
fn seconds_of_a_free_processor(measured: impl FnOnce()) -> f64 {
    /// Whoever counts ends when the measured does, by a failure, too.
    struct Ends<'a>(&'a AtomicBool);
    impl Drop for Ends<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let done = AtomicBool::new(false);
    let (elapsed, share) = std::thread::scope(|scope| {
        let counting = scope.spawn(|| {
            let started = Instant::now();
            while !done.load(Ordering::Relaxed) {
                std::hint::black_box((0..10_000u64).fold(0, |sum, n| sum ^ std::hint::black_box(n)));
            }
            // Nanoseconds on a processor come first.
            let spent = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
            let spent: f64 = spent.split_whitespace().next().unwrap().parse().unwrap();
            spent / 1e9 / started.elapsed().as_secs_f64()
        });
        let (started, ends) = (Instant::now(), Ends(&done));
        measured();
        drop(ends);
        (started.elapsed().as_secs_f64(), counting.join().unwrap())
    });
    elapsed * share
}

/// A page whose forms show forms, ten times each and ten deep. Whoever looks for words goes through all of them, too.
fn forms_in_forms() -> Vec<u8> {
    let form = |inside: &str, resources: &str| {
        let entries = "/Type /XObject /Subtype /Form /BBox [0 0 1600 900] /Group << /S /Transparency >>";
        format!("<< {entries} {resources} /Length {} >>\nstream\n{inside}\nendstream", inside.len())
    };
    let resources = |at: usize| format!("/Resources << /XObject << /F {at} 0 R >> >>");
    let mut forms: Vec<String> = (6..15).map(|next| form(&"/F Do ".repeat(10), &resources(next))).collect();
    forms.push(form("1 0 0 rg 0 0 800 450 re f", ""));
    let entries = format!("/MediaBox [0 0 1600 900] {}", resources(5));
    pages(&[(&entries, "/F Do".to_owned())], "", &forms)
}

#[test]
fn a_page_that_never_ends_is_given_up_within_twenty_seconds() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "endless.pdf", &forms_in_forms());
    let seconds = seconds_of_a_free_processor(|| {
        let error = refused(&file);
        assert_eq!(error.kind, ImportErrorKind::Unreadable, "{error}");
        assert!(error.sentence.starts_with("Page 1 ") && error.sentence.contains("Leave it out"), "{error}");
    });
    // Twenty on a machine that does nothing else. What others take by fits and starts is only guessed at.
    assert!(seconds < 30.0, "{seconds:.1} s");
}

#[test]
fn crooked_pdfs_end_soon() {
    let dir = tempfile::tempdir().unwrap();
    // A tree of pages that is its own child, one that is a hundred thousand deep, and a page that asks for itself.
    let circle = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R] /Count 1 >>"].map(str::to_owned);
    let mut chain = vec!["<< /Type /Catalog /Pages 2 0 R >>".to_owned()];
    let deepest = 50_000;
    chain.extend((2..deepest).map(|n| format!("<< /Type /Pages /Kids [{} 0 R] /Count 1 >>", n + 1)));
    chain.push("<< /Type /Page /MediaBox [0 0 160 90] >>".to_owned());
    for (name, objects) in [("circle.pdf", circle.as_slice()), ("chain.pdf", chain.as_slice())] {
        let file = write(dir.path(), name, &pdf(objects));
        let out = dir.path().join("out");
        // A page may be found or not; what counts is that it ends.
        match import(&file, &want(), &out, &common::sandbox(), &|_| ControlFlow::Continue(())) {
            Ok(deck) => assert_eq!(deck.slides.len(), 1, "{name}"),
            Err(error) => assert_eq!(error.kind, ImportErrorKind::Unreadable, "{name}: {error}"),
        }
    }
    let form = "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F 5 0 R >> >> /Length 5 >>\nstream\n/F Do\nendstream";
    let own = ("/MediaBox [0 0 1600 900] /Resources << /XObject << /F 5 0 R >> >>", "/F Do".to_owned());
    assert_eq!(imported(&write(dir.path(), "own.pdf", &pages(&[own], "", &[form.to_owned()]))).deck.slides.len(), 1);
}

#[test]
fn it_works_where_namespaces_are_forbidden() {
    let sandbox = Sandbox::of_kind(SandboxKind::Landlock, common::helper());
    let errand = compere_codec::sandbox::Errand::new("/usr/bin/true", compere_codec::sandbox::Limits::SMALL);
    sandbox.run(&errand).expect("a kernel with Landlock, which Linux has since 5.13");
    let dir = tempfile::tempdir().unwrap();
    let deck = import(&corpus("portrait.pptx"), &want(), dir.path(), &sandbox, &|_| ControlFlow::Continue(()));
    assert_eq!(deck.map(|deck| deck.slides.len()), Ok(2));
}

/// A compound file with the two streams that a deck behind a password consists of.
fn locked() -> Vec<u8> {
    const END: u32 = 0xffff_fffe;
    const FREE: u32 = 0xffff_ffff;
    let mut header = vec![0u8; 512];
    header[..8].copy_from_slice(&[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
    let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
    put(24, &[0x3e, 0, 3, 0, 0xfe, 0xff, 9, 0, 6, 0]);
    // One sector of the table, the directory in the second; no small streams, no further tables.
    put(44, &1u32.to_le_bytes());
    put(48, &1u32.to_le_bytes());
    put(56, &4096u32.to_le_bytes());
    for (at, word) in [(60, END), (68, END), (76, 0)] {
        put(at, &word.to_le_bytes());
    }
    (1..109).for_each(|at| put(76 + at * 4, &FREE.to_le_bytes()));
    let mut table = vec![0xffff_fffd, END];
    table.extend((2..17).map(|sector| sector + 1).chain([END]));
    table.resize(128, FREE);
    let mut out = header;
    out.extend(table.iter().flat_map(|word| word.to_le_bytes()));
    for (name, kind, start, size) in
        [("Root Entry", 5u8, END, 0u32), ("EncryptionInfo", 2, END, 0), ("EncryptedPackage", 2, 2, 8192), ("", 0, 0, 0)]
    {
        let mut entry = [0u8; 128];
        for (at, unit) in name.encode_utf16().enumerate() {
            entry[at * 2..at * 2 + 2].copy_from_slice(&unit.to_le_bytes());
        }
        let length = if name.is_empty() { 0 } else { (name.len() as u16 + 1) * 2 };
        entry[64..66].copy_from_slice(&length.to_le_bytes());
        entry[66] = kind;
        entry[68..80].fill(0xff);
        entry[116..120].copy_from_slice(&start.to_le_bytes());
        entry[120..124].copy_from_slice(&size.to_le_bytes());
        out.extend(entry);
    }
    out.resize(out.len() + 8192, 0x5a);
    out
}

#[test]
fn a_deck_behind_a_password_asks_for_an_open_one() {
    let dir = tempfile::tempdir().unwrap();
    let error = refused(&write(dir.path(), "locked.pptx", &locked()));
    assert_eq!(error.kind, ImportErrorKind::Unreadable);
    assert_eq!(error.sentence, "The presentation is protected by a password; save it without one.");
}

#[test]
fn broken_fonts_harm_nobody() {
    let dir = tempfile::tempdir().unwrap();
    // The head of a TrueType font with a table that lies far beyond its end, and noise.
    let mut font: Vec<u8> =
        b"\0\x01\0\0\0\x09\0\x80\0\x03\0\x10glyf\xff\xff\xff\xff\x7f\xff\xff\xf0\x7f\xff\xff\xff".to_vec();
    font.extend((0..3000u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8 & 0x7f));
    let font: String = font.iter().map(|byte| format!("{byte:02x}")).collect();
    let objects = [
        "<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Broken /FirstChar 32 /LastChar 126 /Widths [] /FontDescriptor 6 0 R >>".to_owned(),
        "<< /Type /FontDescriptor /FontName /ABCDEF+Broken /Flags 4 /FontBBox [0 0 9 9] /FontFile2 7 0 R >>".to_owned(),
        format!("<< /Filter /ASCIIHexDecode /Length {} >>\nstream\n{font}>\nendstream", font.len() + 1),
    ];
    let content = format!("{}BT /F 90 Tf 0 g 100 500 Td (Broken) Tj ET", fill((1.0, 0.0, 0.0), (0, 0, 800, 450)));
    let page = ("/MediaBox [0 0 1600 900] /Resources << /Font << /F 5 0 R >> >>", content);
    let found = imported(&write(dir.path(), "font.pdf", &pages(&[page], "", &objects)));
    assert_eq!(found.deck.slides.len(), 1);
    assert!(std::fs::metadata(&found.deck.slides[0].picture).unwrap().len() > 1000, "the rest of the page is drawn");
}

#[test]
fn without_libreoffice_the_sentence_says_what_to_install_and_pdfs_still_work() {
    let dir = tempfile::tempdir().unwrap();
    // The program's folder hidden, all else as it is.
    let hidden = |file: &std::path::Path, out: &str| {
        let mut command = std::process::Command::new("bwrap");
        command.args(["--dev-bind", "/", "/", "--tmpfs", "/usr/lib/libreoffice"]);
        command.arg(common::helper()).arg(file).arg(dir.path().join(out)).output().unwrap()
    };
    let whole = std::process::Command::new("bwrap").args(["--dev-bind", "/", "/", "true"]).output();
    assert!(whole.is_ok_and(|output| output.status.success()), "this test hides a program in a namespace of its own");
    let deck = hidden(&corpus("portrait.pptx"), "deck");
    let said = String::from_utf8_lossy(&deck.stderr).into_owned();
    assert!(!deck.status.success() && said.contains("Unavailable"), "{said}");
    assert!(said.contains("apt-get install libreoffice-impress-nogui") && said.contains("PDF"), "{said}");
    let pdf = hidden(&write(dir.path(), "a.pdf", &pages(&[page()], "", &[])), "pdf");
    assert!(pdf.status.success(), "{}", String::from_utf8_lossy(&pdf.stderr));
}
