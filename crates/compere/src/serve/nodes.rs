//! Alone, or one of many nodes.

use compere_house::settings::Settings;
use compere_jobs::{Engine, EngineSettings, Parts};
use compere_store::{Hold, Store};

/// What this process is among others.
#[derive(Debug)]
pub(super) enum Part {
    /// All there is: this process makes every film of its database.
    Alone,
    /// One of several, which an engine tells what to do.
    #[cfg(feature = "temporal")]
    Node(compere_farm::Farm),
}

impl Part {
    /// As the settings say. `relay`: it answers requests, and brings their exports to the engine.
    pub(super) fn of(settings: &Settings, queues: &[String], relay: bool) -> Result<Self, String> {
        match &settings.engine {
            None if relay => Ok(Self::Alone),
            None => {
                Err("a worker needs an engine that tells it what to make: --engine temporal://HOST:PORT/NAMESPACE, \
                         and the --database and --objects of the services it works for"
                    .to_owned())
            }
            Some(engine) => node(engine, settings, queues, relay),
        }
    }

    /// Whether films are made in this process's hands.
    pub(super) fn makes_films(&self) -> bool {
        match self {
            Self::Alone => true,
            #[cfg(feature = "temporal")]
            Self::Node(farm) => farm.queues.contains(&compere_farm::Queue::Render),
        }
    }

    pub(super) fn is_alone(&self) -> bool {
        matches!(self, Self::Alone)
    }

    /// Takes the records, before anything in them is taken up.
    pub(super) async fn hold(&self, store: &Store) -> Result<Hold, String> {
        let who = ourselves();
        let held = match self {
            Self::Alone => store.hold(&who).await,
            #[cfg(feature = "temporal")]
            Self::Node(farm) if farm.relay => store.share(&who).await,
            #[cfg(feature = "temporal")]
            Self::Node(_) => store.assist(&who).await,
        };
        held.map_err(|error| error.to_string())
    }

    /// Begins to make films, or to have them made.
    pub(super) async fn start(self, parts: Parts) -> Result<Engine, String> {
        match self {
            Self::Alone => Engine::start(parts).await.map_err(|error| error.to_string()),
            #[cfg(feature = "temporal")]
            Self::Node(farm) => compere_farm::start(parts, farm).await.map_err(|error| error.to_string()),
        }
    }

    pub(super) fn settings(&self) -> EngineSettings {
        match self {
            Self::Alone => EngineSettings::default(),
            #[cfg(feature = "temporal")]
            Self::Node(farm) => EngineSettings {
                name: ourselves(),
                // Whoever answers requests carries webhooks.
                deliveries: if farm.relay { EngineSettings::default().deliveries } else { 0 },
                ..EngineSettings::default()
            },
        }
    }
}

#[cfg(feature = "temporal")]
fn node(engine: &str, settings: &Settings, queues: &[String], relay: bool) -> Result<Part, String> {
    let address = engine.parse().map_err(|error: compere_farm::FarmError| error.to_string())?;
    let starts = |text: &Option<String>, with: &str| text.as_deref().is_some_and(|text| text.starts_with(with));
    if !starts(&settings.database, "postgres") {
        return Err(
            "with an engine, records are in a database that all nodes reach: --database postgres://…".to_owned()
        );
    }
    if !starts(&settings.objects, "s3://") {
        return Err("with an engine, films are in a store that all nodes reach: --objects s3://BUCKET".to_owned());
    }
    if settings.public_url.is_none() {
        return Err(
            "with an engine, links are the same whoever writes them: set public_url, or COMPERE_PUBLIC_URL, to how \
                    clients reach the services, on every node"
                .to_owned(),
        );
    }
    let known = |name: &String| {
        let queue = compere_farm::Queue::ALL.into_iter().find(|queue| queue.as_str() == name);
        queue.ok_or_else(|| format!("queues: there is no `{name}`; there are exports and render"))
    };
    let queues = queues.iter().map(known).collect::<Result<_, _>>()?;
    Ok(Part::Node(compere_farm::Farm { address, prefix: String::new(), queues, relay }))
}

#[cfg(not(feature = "temporal"))]
fn node(engine: &str, _: &Settings, _: &[String], _: bool) -> Result<Part, String> {
    Err(format!(
        "engine: this program was built for one machine and does not know `{engine}`; build it with \
         `cargo build --release --features compere/temporal`, see docs/scale.md"
    ))
}

/// As others are told who has the database.
fn ourselves() -> String {
    // Only the message depends on it.
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    format!("process {} on {}", std::process::id(), host.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(settings: &Settings, queues: &[&str], relay: bool) -> String {
        let queues: Vec<String> = queues.iter().map(|name| (*name).to_owned()).collect();
        match Part::of(settings, &queues, relay) {
            Ok(part) => format!("{part:?}"),
            Err(why) => why,
        }
    }

    #[test]
    fn a_service_needs_nobody_and_a_worker_an_engine() {
        let plain = Settings::default();
        assert_eq!(said(&plain, &["exports", "render"], true), "Alone");
        assert!(said(&plain, &["render"], false).contains("--engine temporal://"));
    }

    #[cfg(not(feature = "temporal"))]
    #[test]
    fn a_program_for_one_machine_says_how_the_other_is_built() {
        let settings = Settings { engine: Some("temporal://there".to_owned()), ..Settings::default() };
        let said = said(&settings, &["exports"], true);
        assert!(said.contains("`temporal://there`") && said.contains("--features compere/temporal"), "{said}");
    }

    #[cfg(feature = "temporal")]
    #[test]
    fn nodes_share_records_files_and_links() {
        let mut settings = Settings { engine: Some("temporal://there".to_owned()), ..Settings::default() };
        for (missing, set) in [
            (
                "postgres://",
                (|settings| settings.database = Some("postgres://there/films".to_owned())) as fn(&mut Settings),
            ),
            ("s3://", |settings| settings.objects = Some("s3://films".to_owned())),
            ("COMPERE_PUBLIC_URL", |settings| settings.public_url = Some("https://films.example".to_owned())),
        ] {
            let said = said(&settings, &["exports"], true);
            assert!(said.contains(missing), "{said}");
            set(&mut settings);
        }
        assert!(said(&settings, &["exports", "weddings"], true).contains("there is no `weddings`"));
        assert!(Part::of(&settings, &["render".to_owned()], false).expect("a node").makes_films());
        assert!(!Part::of(&settings, &["exports".to_owned()], true).expect("a node").makes_films());
        settings.engine = Some("http://there".to_owned());
        assert!(said(&settings, &[], true).contains("temporal://HOST:PORT/NAMESPACE"));
    }
}
