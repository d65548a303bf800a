//! Slides: how long a document takes, and whether memory follows its length.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::machine::peak_memory;
use super::{Row, median};

/// Imports by `exe`, this program.
pub fn imports(exe: &Path, assets: &Path, runs: usize, say: &mut dyn FnMut(&Row)) -> Result<Vec<Row>, String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let bench = Bench { exe, assets, dir: dir.path() };
    let mut rows = Vec::new();
    let mut add = |row: Row| {
        say(&row);
        rows.push(row);
    };
    let long = bench.pdf(100)?;
    let (took, peak) = bench.several(&long, runs)?;
    let (_, short) = bench.several(&bench.pdf(20)?, 1)?;
    add(Row::new("import of a PDF of 100 pages", took, "s").target("< 20 on 2 cores"));
    add(Row::new("peak memory, PDF of 100 pages", peak / 1e6, "MB"));
    add(Row::new("100 pages against 20", peak / short, "").target("< 1.10"));
    match bench.pptx(30) {
        Ok(deck) => {
            let (took, _) = bench.several(&deck, runs)?;
            add(Row::new("import of a PPTX of 30 slides", took, "s").target("< 25 on 2 cores"));
        }
        // Without LibreOffice there is nothing to measure.
        Err(why) => crate::tell::say(&format!("PPTX is not measured: {why}")),
    }
    Ok(rows)
}

struct Bench<'a> {
    exe: &'a Path,
    assets: &'a Path,
    dir: &'a Path,
}

impl Bench<'_> {
    /// Seconds (the middle of the runs) and bytes that the process itself holds at most.
    fn several(&self, file: &Path, runs: usize) -> Result<(f64, f64), String> {
        let mut all = Vec::new();
        let mut peak = 0;
        for _ in 0..runs.max(1) {
            let (took, bytes) = self.import(file)?;
            all.push(took);
            peak = peak.max(bytes);
        }
        Ok((median(all), peak as f64))
    }

    fn import(&self, file: &Path) -> Result<(f64, u64), String> {
        let started = Instant::now();
        let mut command = Command::new(self.exe);
        command.arg("--assets").arg(self.assets).arg("import").arg(file).arg("--json");
        command.arg("-o").arg(self.dir.join("project.json")).stdout(Stdio::null());
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let mut peak = 0;
        loop {
            peak = peak_memory(child.id()).unwrap_or(0).max(peak);
            match child.try_wait().map_err(|error| error.to_string())? {
                Some(status) if status.success() => return Ok((started.elapsed().as_secs_f64(), peak)),
                Some(status) => return Err(format!("an import ended with {status}")),
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    /// Pages of headings, text and blocks of colour.
    fn pdf(&self, count: usize) -> Result<PathBuf, String> {
        let mut objects = vec!["<< /Type /Catalog /Pages 2 0 R >>".to_owned(), String::new()];
        objects.push("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned());
        let mut kids = String::new();
        for page in 0..count {
            let mut content = format!("0.{} 0.9 0.95 rg 0 0 1600 900 re f\n", page % 10);
            let _ = writeln!(content, "BT /F 60 Tf 0 g 100 760 Td (Page {page}) Tj ET");
            for line in 0..12 {
                let _ = writeln!(
                    content,
                    "BT /F 28 Tf 100 {} Td (Point {line} of page {page}, about this and that) Tj ET",
                    660 - line * 48
                );
            }
            let _ = write!(kids, "{} 0 R ", objects.len() + 1);
            objects.push(format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1600 900] /Contents {} 0 R /Resources << /Font << /F 3 0 R >> >> >>",
                objects.len() + 2
            ));
            objects.push(format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()));
        }
        objects[1] = format!("<< /Type /Pages /Kids [{kids}] /Count {count} >>");
        let path = self.dir.join(format!("{count}.pdf"));
        std::fs::write(&path, written(&objects)).map_err(|error| error.to_string())?;
        Ok(path)
    }

    /// A deck that LibreOffice makes of a description.
    fn pptx(&self, count: usize) -> Result<PathBuf, String> {
        let mut deck = String::from(DECK_HEAD);
        for slide in 0..count {
            let _ = write!(deck, "<draw:page draw:name=\"s{slide}\">{}", text_box(2.0, 1.0, &format!("Slide {slide}")));
            (0..8).for_each(|line| {
                deck.push_str(&text_box(3.0, 4.0 + f64::from(line) * 1.3, &format!("Point {line} of the matter")));
            });
            deck.push_str("</draw:page>");
        }
        deck.push_str("</office:presentation></office:body></office:document>");
        let source = self.dir.join("deck.fodp");
        std::fs::write(&source, deck).map_err(|error| error.to_string())?;
        let profile = format!("-env:UserInstallation=file://{}", self.dir.join("profile").display());
        let mut command = Command::new("soffice");
        command.args([&profile, "--headless", "--convert-to", "pptx", "--outdir"]).arg(self.dir).arg(&source);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.status().map_err(|error| error.to_string())?;
        let made = self.dir.join("deck.pptx");
        if made.is_file() { Ok(made) } else { Err("LibreOffice made no deck".to_owned()) }
    }
}

const DECK_HEAD: &str = "<?xml version=\"1.0\"?><office:document \
    xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" \
    xmlns:draw=\"urn:oasis:names:tc:opendocument:xmlns:drawing:1.0\" \
    xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" \
    xmlns:svg=\"urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0\" office:version=\"1.3\" \
    office:mimetype=\"application/vnd.oasis.opendocument.presentation\"><office:body><office:presentation>";

fn text_box(x: f64, y: f64, text: &str) -> String {
    format!(
        "<draw:frame svg:x=\"{x}cm\" svg:y=\"{y}cm\" svg:width=\"22cm\" svg:height=\"1.2cm\"><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame>"
    )
}

/// Objects from number 1 as a file.
fn written(objects: &[String]) -> String {
    let mut out = String::from("%PDF-1.7\n");
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (at, object) in objects.iter().enumerate() {
        let _ = writeln!(table, "{:010} 00000 n ", out.len());
        let _ = write!(out, "{} 0 obj\n{object}\nendobj\n", at + 1);
    }
    let start = out.len();
    let _ = write!(out, "{table}trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n", objects.len() + 1);
    out
}
