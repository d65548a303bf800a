//! The others who make a film with us, as they are known through the service.

use std::time::Duration;

use compere_render::{Claim, Company, Next, Part};
use compere_store::{FilmPart, NextPart, PartClaim};

use super::protocol::{FromWorker, PartAnswer, PartNews};
use super::questions::Questions;

/// Who does not answer sooner leaves it to us.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) type Others = Questions<PartAnswer>;

impl Company for Others {
    fn offer(&self, parts: &[Part]) {
        if !parts.is_empty() {
            self.mouth.tell(&FromWorker::Part(PartNews::Offered(parts.iter().map(|part| stored(*part)).collect())));
        }
    }

    fn offered(&self) {
        self.mouth.tell(&FromWorker::Part(PartNews::Whole));
    }

    fn claim(&self, part: Part) -> Claim {
        match self.ask(PATIENCE, |id| FromWorker::Part(PartNews::Claim { id, part: stored(part) })) {
            Some(PartAnswer::Claim(PartClaim::Theirs)) => Claim::Theirs,
            Some(PartAnswer::Claim(PartClaim::Made)) => Claim::Made,
            _ => Claim::Ours,
        }
    }

    fn next(&self, pictures: bool) -> Next {
        match self.ask(PATIENCE, |id| FromWorker::Part(PartNews::Next { id, pictures })) {
            Some(PartAnswer::Next(NextPart::Part(part))) => Next::Part(told(part)),
            Some(PartAnswer::Next(NextPart::Later)) => Next::Later,
            _ => Next::Over,
        }
    }

    fn made(&self, part: Part) {
        self.mouth.tell(&FromWorker::Part(PartNews::Made(stored(part))));
    }
}

fn stored(part: Part) -> FilmPart {
    match part {
        Part::Baked { presenter } => FilmPart::Baked { presenter },
        Part::Speech { scene, run } => FilmPart::Speech { scene, run },
        Part::Pictures { scene, piece } => FilmPart::Pictures { scene, piece },
    }
}

fn told(part: FilmPart) -> Part {
    match part {
        FilmPart::Baked { presenter } => Part::Baked { presenter },
        FilmPart::Speech { scene, run } => Part::Speech { scene, run },
        FilmPart::Pictures { scene, piece } => Part::Pictures { scene, piece },
    }
}
