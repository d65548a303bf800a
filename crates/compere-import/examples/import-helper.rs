//! The helper program of this crate's own tests, and a bare import for trying things:
//! `import-helper [--editable] FILE FOLDER` prints the project. The product's binary does the same in its `main`.

use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;

use compere_codec::Sandbox;
use compere_compose::draw::Fonts;
use compere_import::{Presenter, Want, deck_to_project, import};

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]
fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    if let Some(code) = compere_codec::helper_main(args.clone()) {
        return code;
    }
    if let Some(code) = compere_import::helper_main(args.clone()) {
        return code;
    }
    let (editable, args) = match args.as_slice() {
        [first, rest @ ..] if first == "--editable" => (true, rest),
        all => (false, all),
    };
    let [file, folder] = args else { return ExitCode::FAILURE };
    let sandbox = Sandbox::detect(std::env::current_exe().unwrap_or_default());
    let mut want = Want::new(|_| None);
    if editable {
        let folders = Fonts::SYSTEM_DIRS.map(std::path::PathBuf::from);
        want.editable = Fonts::open(&folders).ok().map(std::sync::Arc::new);
    }
    match import(Path::new(file), &want, Path::new(folder), &sandbox, &|_| ControlFlow::Continue(())) {
        Ok(deck) => {
            deck.warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
            let presenter = Presenter { model: "nora".to_owned(), cloth: "nora/blazer".to_owned(), voice: None };
            println!("{:#}", deck_to_project(&deck, &|path| path.display().to_string(), None, &presenter));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{:?}: {error}", error.kind);
            ExitCode::FAILURE
        }
    }
}
