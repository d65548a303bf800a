//! The suite of all engines, and what only this one does, against a Temporal server that runs: `./test farm` starts one
//! and names it in `COMPERE_TEST_TEMPORAL`.

#[macro_use]
#[path = "../../../compere-jobs/tests/engine/suite.rs"]
mod suite;

#[path = "../../../compere-jobs/tests/engine/conformance.rs"]
mod conformance;
#[path = "../../../compere-jobs/tests/engine/hooks.rs"]
mod hooks;
mod recording;
mod replays;
mod scaling;
#[path = "../../../compere-jobs/tests/engine/stage.rs"]
mod stage;

// Rooms of the crate with tests of their own, which would otherwise be run by nobody: without the feature they are empty, and
// with it all of the crate would be compiled a second time.
#[allow(dead_code, reason = "tested here, used there")]
#[path = "../../src/address.rs"]
mod address;
#[allow(dead_code, reason = "tested here, used there")]
#[path = "../../src/error.rs"]
mod error;
#[allow(dead_code, reason = "tested here, used there")]
#[path = "../../src/turn.rs"]
mod turn;

use compere_farm::{Farm, Queue};
use compere_jobs::crew::Later;
use compere_jobs::{Engine, Parts};
use compere_store::Key;

/// All of a farm in one node.
fn temporal(parts: Parts) -> Later<'static, Engine> {
    Box::pin(async {
        let address =
            std::env::var("COMPERE_TEST_TEMPORAL").expect("COMPERE_TEST_TEMPORAL names a server: ./test farm");
        // Every world has a folder of its own, and its engines have to meet.
        let folder = parts.objects.local(&Key::Film("e".to_owned(), compere_media::Format::Mp4)).expect("a folder");
        let prefix: String = folder.display().to_string().chars().filter(char::is_ascii_alphanumeric).collect();
        let farm = Farm {
            address: address.parse().expect("an address"),
            prefix: format!("{prefix}-"),
            queues: Queue::ALL.into_iter().collect(),
            relay: true,
        };
        compere_farm::start(parts, farm).await.expect("joins")
    })
}

conforms!(temporal);
