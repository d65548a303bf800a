//! Fetching one link: conversation, limits, redirects.

use std::collections::HashMap;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use compere_codec::sandbox::Left;
use ureq::http::{Response, StatusCode, header};
use ureq::unversioned::resolver::Resolver;
use ureq::{Agent, Body, Timeout};

use super::address::AddressRules;
use super::cache::{self, Cache, Entry, Note, Partial};
use super::error::FetchError;
use super::guard::{self, Link, Patience};
use super::site;

/// How assets are fetched. The defaults are those of the API's documentation.
#[derive(Clone, Debug)]
pub struct FetchSettings {
    /// Where fetched files are kept.
    pub cache: PathBuf,
    /// Where site paths like `/images/background/x.png` begin.
    pub site: PathBuf,
    pub rules: AddressRules,
    /// The largest file that is fetched.
    pub most_bytes: u64,
    /// The longest a fetch may take, from the first look-up to the last byte.
    pub total: Duration,
    /// The longest a server may stay silent.
    pub stall: Duration,
    pub redirects: u32,
    /// A link that was fetched this recently is not asked again: the scenes of one film ask at about the same time
    /// and must see the same picture. Older ones are revalidated.
    pub fresh: Duration,
    /// The size the cache is kept at.
    pub cache_bytes: u64,
}

impl FetchSettings {
    pub fn new(cache: impl Into<PathBuf>, site: impl Into<PathBuf>) -> Self {
        Self {
            cache: cache.into(),
            site: site.into(),
            rules: AddressRules::default(),
            most_bytes: 500_000_000,
            total: Duration::from_secs(30),
            stall: Duration::from_secs(10),
            redirects: 5,
            fresh: Duration::from_secs(10),
            cache_bytes: 20_000_000_000,
        }
    }
}

/// Fetches linked assets; see the [module](super) for what it promises.
#[derive(Debug)]
pub struct Fetcher {
    settings: FetchSettings,
    cache: Cache,
    client: Agent,
    names: Arc<dyn Resolver>,
    /// Fetches under way and, until they go stale, done. Whoever asks for a link that is on its way waits for it.
    flights: Mutex<HashMap<String, Arc<Flight>>>,
}

type Landed = (Result<PathBuf, FetchError>, Instant);

#[derive(Debug, Default)]
struct Flight {
    result: Mutex<Option<Landed>>,
    bell: Condvar,
}

impl Flight {
    fn result(&self) -> MutexGuard<'_, Option<Landed>> {
        self.result.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn land(&self, result: Result<PathBuf, FetchError>) {
        self.result().get_or_insert((result, Instant::now()));
        self.bell.notify_all();
    }

    /// What somebody else brings; none for whoever leaves before.
    fn wait(&self, left: &Left) -> Option<Result<PathBuf, FetchError>> {
        let mut result = self.result();
        loop {
            if let Some((result, _)) = &*result {
                return Some(result.clone());
            }
            if left.has() {
                return None;
            }
            result = self.bell.wait_timeout(result, GLANCE).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Whoever fetches for all that wait; if it comes to grief, they need not wait for ever.
struct Pilot<'a>(&'a Flight);

impl Drop for Pilot<'_> {
    fn drop(&mut self) {
        self.0.land(Err(FetchError::GivenUp));
    }
}

/// How often is looked whether anybody still waits.
const GLANCE: Duration = Duration::from_millis(100);

impl Fetcher {
    pub fn new(settings: FetchSettings) -> io::Result<Self> {
        Self::with_names(settings, guard::system_names())
    }

    /// As [`new`](Self::new), with another source of addresses. They are judged all the same.
    pub fn with_names(settings: FetchSettings, names: Arc<dyn Resolver>) -> io::Result<Self> {
        let cache = Cache::open(&settings.cache, settings.cache_bytes)?;
        let client = client(&settings, &names);
        Ok(Self { settings, cache, client, names, flights: Mutex::default() })
    }

    /// The file that `source` means: a web link, or a path below the assets folder.
    ///
    /// Blocks until the file is there. A fetched file is read-only and stays at least an hour after its last fetch.
    pub fn fetch(&self, source: &str) -> Result<PathBuf, FetchError> {
        self.fetch_until(source, &Left::default())
    }

    /// The same for somebody who may leave: then the connection is cut, unless somebody else began it.
    pub fn fetch_until(&self, source: &str, left: &Left) -> Result<PathBuf, FetchError> {
        let source = source.trim();
        if site::is_site_path(source) {
            return Ok(site::file(&self.settings.site, source)?);
        }
        // A browser would take the scheme of the page; there is no page here.
        let link = match source.strip_prefix("//") {
            Some(rest) => Link::parse(&format!("https://{rest}"))?,
            None => Link::parse(source)?,
        };
        loop {
            let (flight, mine) = self.flight(link.as_str());
            if mine {
                let pilot = Pilot(&flight);
                flight.land(self.fetch_link(&link, left));
                drop(pilot);
            }
            let result = flight.wait(left).unwrap_or(Err(FetchError::GivenUp));
            if mine && result.is_err() {
                // Those who waited share the failure; whoever asks next tries again.
                self.forget(link.as_str(), &flight);
            }
            // Somebody else left: that says nothing of the link.
            if mine || left.has() || result != Err(FetchError::GivenUp) {
                return result;
            }
            self.forget(link.as_str(), &flight);
        }
    }

    /// The fetch of this link that is under way or still fresh, else a new one, which whoever asked has to carry out.
    fn flight(&self, link: &str) -> (Arc<Flight>, bool) {
        let mut flights = self.flights.lock().unwrap_or_else(PoisonError::into_inner);
        flights.retain(|_, flight| match &*flight.result() {
            Some((Ok(path), at)) => at.elapsed() < self.settings.fresh && path.exists(),
            _ => true,
        });
        let known = flights.get(link).cloned();
        let mine = known.is_none();
        (known.unwrap_or_else(|| flights.entry(link.to_owned()).or_default().clone()), mine)
    }

    fn forget(&self, link: &str, flight: &Arc<Flight>) {
        let mut flights = self.flights.lock().unwrap_or_else(PoisonError::into_inner);
        if flights.get(link).is_some_and(|current| Arc::ptr_eq(current, flight)) {
            flights.remove(link);
        }
    }

    fn fetch_link(&self, link: &Link, left: &Left) -> Result<PathBuf, FetchError> {
        if !left.may() {
            return self.fetch_by(&self.client, link, left);
        }
        // Connections of its own: they are cut when whoever waits leaves.
        let client = client(&self.settings, &self.names);
        std::thread::scope(|scope| {
            let (done, watch) = mpsc::channel::<()>();
            let cut = client.clone();
            scope.spawn(move || {
                while watch.recv_timeout(GLANCE) == Err(mpsc::RecvTimeoutError::Timeout) {
                    if left.has() {
                        return cut.shutdown();
                    }
                }
            });
            let got = self.fetch_by(&client, link, left);
            drop(done);
            if left.has() { Err(FetchError::GivenUp) } else { got }
        })
    }

    fn fetch_by(&self, client: &Agent, link: &Link, left: &Left) -> Result<PathBuf, FetchError> {
        let deadline = Instant::now() + self.settings.total;
        let known = self.cache.entry(link.as_str());
        let (answered, reply) = self.follow(client, link, known.as_ref(), deadline)?;
        let host = answered.host();
        match (reply.status(), &known) {
            (StatusCode::NOT_MODIFIED, Some(entry)) => {
                self.cache.file(entry).ok_or_else(|| FetchError::Cache("a file vanished while it was asked for".into()))
            }
            (StatusCode::OK, _) => {
                let note = note(&answered, &reply);
                let partial = self.receive(host, reply, deadline)?;
                // A connection that was cut may look like the end of the file.
                if left.has() {
                    return Err(FetchError::GivenUp);
                }
                self.cache.keep(link.as_str(), partial, note).map_err(on_disk)
            }
            (status, _) => Err(FetchError::Status { host: host.to_owned(), status: status.as_u16() }),
        }
    }

    /// Asks, and asks on where the reply points, until somebody answers with something else than a redirect.
    fn follow(
        &self,
        client: &Agent,
        link: &Link,
        known: Option<&Entry>,
        deadline: Instant,
    ) -> Result<(Link, Response<Body>), FetchError> {
        let mut link = link.clone();
        for _ in 0..=self.settings.redirects {
            let reply = self.ask(client, &link, known, deadline)?;
            if !matches!(reply.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
                return Ok((link, reply));
            }
            let host = || link.host().to_owned();
            let location =
                reply.headers().get(header::LOCATION).and_then(|value| str::from_utf8(value.as_bytes()).ok());
            let location = location.ok_or_else(|| FetchError::LostRedirect { host: host() })?;
            link = link.redirected(location).map_err(|why| FetchError::BadRedirect { host: host(), why })?;
        }
        Err(FetchError::TooManyRedirects { host: link.host().to_owned(), most: self.settings.redirects })
    }

    fn ask(
        &self,
        client: &Agent,
        link: &Link,
        known: Option<&Entry>,
        deadline: Instant,
    ) -> Result<Response<Body>, FetchError> {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(self.too_slow(link.host()));
        }
        let mut request = client.get(link.as_str());
        if let Some(entry) = known.filter(|entry| entry.answered == cache::hash(link.as_str())) {
            let validators = [(header::IF_NONE_MATCH, &entry.etag), (header::IF_MODIFIED_SINCE, &entry.last_modified)];
            for (name, value) in validators {
                if let Some(value) = value {
                    request = request.header(name, value);
                }
            }
        }
        let reply = request.config().timeout_global(Some(left)).build().call();
        reply.map_err(|error| self.explain(link.host(), error))
    }

    fn receive(&self, host: &str, reply: Response<Body>, deadline: Instant) -> Result<Partial, FetchError> {
        let most = self.settings.most_bytes;
        let too_large = || FetchError::TooLarge { host: host.to_owned(), most_bytes: most };
        let encoded = reply.headers().contains_key(header::CONTENT_ENCODING);
        // An announced size is believed only when it is bad news; what arrives is counted.
        if !encoded && reply.body().content_length().is_some_and(|bytes| bytes > most) {
            return Err(too_large());
        }
        let mut partial = self.cache.begin().map_err(on_disk)?;
        let mut body = reply.into_body().into_reader();
        let mut piece = vec![0; 64 * 1024];
        loop {
            let got = match body.read(&mut piece) {
                Ok(0) => break,
                Ok(got) => got,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(self.explain_body(host, partial.bytes(), error)),
            };
            if partial.bytes() + got as u64 > most {
                return Err(too_large());
            }
            partial.add(&piece[..got]).map_err(on_disk)?;
            // The client watches the clock while it waits for the network, which a fast and endless sender avoids.
            if Instant::now() > deadline {
                return Err(self.too_slow(host));
            }
        }
        if partial.bytes() == 0 {
            return Err(FetchError::Empty { host: host.to_owned() });
        }
        Ok(partial)
    }

    fn too_slow(&self, host: &str) -> FetchError {
        FetchError::TooSlow { host: host.to_owned(), limit: self.settings.total }
    }

    fn explain(&self, host: &str, error: ureq::Error) -> FetchError {
        if let Some(refusal) = guard::refusal(&error) {
            return FetchError::Refused(refusal.clone());
        }
        let host = host.to_owned();
        match error {
            ureq::Error::HostNotFound => FetchError::NoSuchHost { host },
            ureq::Error::Timeout(Timeout::Global | Timeout::PerCall) => self.too_slow(&host),
            ureq::Error::Timeout(_) => FetchError::Stalled { host, limit: self.settings.stall },
            ureq::Error::Io(error) if guard::is_unknown_name(&error.to_string()) => FetchError::NoSuchHost { host },
            other => FetchError::Unreachable { host, why: other.to_string() },
        }
    }

    fn explain_body(&self, host: &str, bytes: u64, error: io::Error) -> FetchError {
        match ureq::Error::from(error) {
            timeout @ ureq::Error::Timeout(_) => self.explain(host, timeout),
            _ => FetchError::BrokeOff { host: host.to_owned(), bytes },
        }
    }
}

fn client(settings: &FetchSettings, names: &Arc<dyn Resolver>) -> Agent {
    let patience = Patience { connect: settings.stall, stall: settings.stall };
    guard::client(Arc::new(settings.rules.clone()), Arc::clone(names), patience)
}

fn note(answered: &Link, reply: &Response<Body>) -> Note {
    let text =
        |name| reply.headers().get(name).and_then(|value: &header::HeaderValue| value.to_str().ok()).map(str::to_owned);
    Note {
        answered: cache::hash(answered.as_str()),
        etag: text(header::ETAG),
        last_modified: text(header::LAST_MODIFIED),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn on_disk(error: io::Error) -> FetchError {
    FetchError::Cache(error.to_string())
}

#[cfg(test)]
#[path = "fetch_tests.rs"]
mod tests;
