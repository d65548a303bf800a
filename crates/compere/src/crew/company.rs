//! Films that the workers of several machines make together: what is said of parts, on its way between a worker process
//! and the records.
//!
//! A part is told to be made only when it lies where others find it. Whoever helps gives signs of life for its worker; one
//! that dies, or cannot send what it makes, has nothing any more after a moment, and whoever leads makes it.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use compere_store::{Claimed, FilmPart, NextPart, PartClaim, Project, Split, Store, new_id};
use tokio::sync::{mpsc, watch};

use super::child::Mouth;
use super::depot::Receipt;
use crate::worker::protocol::{PartAnswer, PartNews, ToWorker};

/// Whoever leads has what it has until its film is over.
const LEADER: &str = "lead";
const FOR_EVER: i64 = 10 * 365 * 86_400_000;
/// A helper that says nothing for so long is gone, by clocks that may differ a little; what is taken for lost too soon is
/// made twice.
const LEASE: i64 = 10_000;
const BEAT: Duration = Duration::from_secs(2);
/// Nobody waits longer for one part, however alive its helper is. Milliseconds.
const LONGEST: i64 = 60_000;

/// Where those are known who make films together.
#[derive(Clone, Debug)]
pub(super) struct Company {
    store: Store,
    alike: String,
}

impl Company {
    /// `alike`: machines that would make the same bytes.
    pub(super) fn new(store: Store, alike: String) -> Self {
        Self { store, alike }
    }

    /// A film that others lead and that has parts for us, but for those which we `shun`.
    pub(super) async fn film_to_help(&self, shun: &(dyn Fn(&str) -> bool + Sync)) -> Option<Claimed> {
        match self.store.film_to_help(&self.alike, shun).await {
            Ok(found) => found,
            Err(error) => {
                tracing::debug!(%error, "no film to help with can be looked for");
                None
            }
        }
    }

    /// A project that was saved, and will be wanted as a film.
    pub(super) async fn project_to_prepare(&self) -> Option<Project> {
        match self.store.take_ahead().await {
            Ok(found) => found,
            Err(error) => {
                tracing::debug!(%error, "no project to prepare can be looked for");
                None
            }
        }
    }
}

/// One film, as one of those who make it knows it.
#[derive(Debug)]
pub(super) struct Together {
    send: mpsc::UnboundedSender<(PartNews, Vec<Receipt>, Mouth)>,
    /// What our worker made since it last said that a part is made.
    under_way: Mutex<Vec<Receipt>>,
}

impl Together {
    /// For whoever has the export.
    pub(super) fn leading(company: &Company, export: &str, fence: i64) -> Self {
        Self::with(company, export, fence, LEADER.to_owned(), None)
    }

    /// For whoever helps, until nobody wants it: `stop` turns true then.
    pub(super) fn helping(company: &Company, export: &str, fence: i64, stop: watch::Sender<bool>) -> Self {
        Self::with(company, export, fence, new_id(company.store.now()), Some(stop))
    }

    fn with(company: &Company, export: &str, fence: i64, holder: String, stop: Option<watch::Sender<bool>>) -> Self {
        let (send, receive) = mpsc::unbounded_channel();
        let (company, export) = (company.clone(), export.to_owned());
        tokio::spawn(Clerk { company, export, fence, holder, stop, opened: false, made: 0 }.serve(receive));
        Self { send, under_way: Mutex::default() }
    }

    /// Something that our worker made goes to where others find it.
    pub(super) fn sends(&self, receipt: Option<Receipt>) {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner).extend(receipt);
    }

    /// What our worker says of parts.
    pub(super) fn take(&self, news: PartNews, mouth: &Mouth) {
        let under_way = match news {
            PartNews::Made(_) => std::mem::take(&mut *self.under_way.lock().unwrap_or_else(PoisonError::into_inner)),
            _ => Vec::new(),
        };
        // It serves for as long as we are there.
        let _ = self.send.send((news, under_way, mouth.clone()));
    }
}

/// Writes down what is said, in order, until nobody says anything any more.
struct Clerk {
    company: Company,
    export: String,
    fence: i64,
    holder: String,
    /// Of whoever helps.
    stop: Option<watch::Sender<bool>>,
    /// Whether others know of the film.
    opened: bool,
    made: usize,
}

impl Clerk {
    async fn serve(mut self, mut heard: mpsc::UnboundedReceiver<(PartNews, Vec<Receipt>, Mouth)>) {
        let (sending, mut sent) = one_after_another();
        let mut sending = Some(sending);
        let mut beat = tokio::time::interval(BEAT);
        loop {
            tokio::select! {
                news = heard.recv(), if sending.is_some() => match news {
                    Some((PartNews::Made(part), receipts, _)) => {
                        // It is served for as long as we are there.
                        let _ = sending.as_ref().map(|sending| sending.send((part, receipts)));
                    }
                    Some((news, _, mouth)) => self.answer(news, &mouth).await,
                    None => sending = None,
                },
                told = sent.recv() => match told {
                    Some((part, is_there)) => self.is_made(part, is_there).await,
                    None => break,
                },
                _ = beat.tick(), if self.stop.is_some() => self.beat().await,
            }
        }
        self.end().await;
    }

    fn split(&self) -> Split<'_> {
        Split { export: &self.export, fence: self.fence }
    }

    async fn answer(&mut self, news: PartNews, mouth: &Mouth) {
        let (store, lease) = (&self.company.store, if self.stop.is_some() { LEASE } else { FOR_EVER });
        let answered = match news {
            PartNews::Offered(parts) => {
                if !self.opened {
                    self.opened =
                        self.noted(store.open_split(self.split(), &self.company.alike).await).unwrap_or(false);
                }
                self.noted(self.company.store.offer_parts(self.split(), &parts, false).await);
                return;
            }
            PartNews::Whole => {
                self.noted(store.offer_parts(self.split(), &[], true).await);
                return;
            }
            // Comes by another way.
            PartNews::Made(_) => return,
            PartNews::Claim { id, part } => {
                let claim = self.noted(store.claim_part(self.split(), part, &self.holder, lease).await);
                (id, PartAnswer::Claim(claim.unwrap_or(PartClaim::Ours)))
            }
            PartNews::Next { id, pictures } => {
                let next = self.noted(store.next_part(self.split(), pictures, &self.holder, lease).await);
                (id, PartAnswer::Next(next.unwrap_or(NextPart::Over)))
            }
        };
        let (id, answer) = answered;
        // A worker that is dead asks nothing.
        let _ = mouth.tell(&ToWorker::Part { id, answer }).await;
    }

    async fn is_made(&mut self, part: FilmPart, sent: bool) {
        if !sent {
            self.give_up().await;
            return;
        }
        self.made += 1;
        if self.stop.is_some() {
            let what = match part {
                FilmPart::Baked { .. } => "baked",
                FilmPart::Speech { .. } => "spoken",
                FilmPart::Pictures { .. } => "drawn",
            };
            metrics::counter!("compere_parts_total", "what" => what).increment(1);
        }
        self.noted(self.company.store.part_is_made(self.split(), part, &self.holder).await);
    }

    async fn beat(&self) {
        let renewed = self.company.store.renew_parts(self.split(), &self.holder, LEASE, LONGEST).await;
        if self.noted(renewed) == Some(false)
            && let Some(stop) = &self.stop
        {
            stop.send_replace(true);
        }
    }

    /// Whoever cannot hand on what they make is no help.
    async fn give_up(&self) {
        if let Some(stop) = &self.stop {
            stop.send_replace(true);
            self.noted(self.company.store.let_parts_go(self.split(), &self.holder).await);
        }
    }

    async fn end(&self) {
        if self.stop.is_some() {
            self.noted(self.company.store.let_parts_go(self.split(), &self.holder).await);
            tracing::info!(export = self.export, parts = self.made, "helped with a film");
        } else if self.opened {
            let had = self.noted(self.company.store.close_split(self.split()).await).unwrap_or_default();
            let count = |ours: bool| -> i64 {
                had.iter().filter(|(holder, _)| (holder == LEADER) == ours).map(|(_, parts)| parts).sum()
            };
            let helpers = had.iter().filter(|(holder, _)| holder != LEADER).count();
            tracing::info!(export = self.export, ours = count(true), theirs = count(false), helpers, "parts of a film");
        }
    }

    /// Records that are away make nobody wait: then everybody makes what they come to.
    fn noted<T>(&self, told: Result<T, compere_store::StoreError>) -> Option<T> {
        told.map_err(|error| tracing::warn!(export = self.export, %error, "a part of a film could not be written down"))
            .ok()
    }
}

type Parcels = (FilmPart, Vec<Receipt>);

/// Says of parts, in the order in which they were made, whether they lie where others find them. What one part waits for may
/// have come with another, which two threads made at the same time; so none is told of before those that came sooner.
fn one_after_another() -> (mpsc::UnboundedSender<Parcels>, mpsc::UnboundedReceiver<(FilmPart, bool)>) {
    let (send, mut parcels) = mpsc::unbounded_channel::<Parcels>();
    let (tell, told) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Some((part, receipts)) = parcels.recv().await {
            let mut sent = true;
            for receipt in receipts {
                sent &= receipt.await.unwrap_or(false);
            }
            // Nobody may want to know any more.
            let _ = tell.send((part, sent));
        }
    });
    (send, told)
}
