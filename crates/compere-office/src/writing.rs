//! Films about something: a topic, a page, a text to be said better. A language model writes, if the operator names one;
//! what it writes goes the way of every text.

use compere_house::assets::{FetchSettings, Fetcher, site};
use compere_house::settings::Megabytes;
use compere_house::writer::LanguageModel;
use compere_scene::Code;
use compere_story::{Brief, Task, Writer, page_text, spoken, write};
use serde_json::Value;
use std::time::Duration;

use crate::ask::Ask;
use crate::refusal::problem;
use crate::stories::Asked;
use crate::turns::Work;
use crate::{Accepted, Member, Office, Refusal, schema};

/// No page that somebody reads is larger.
const PAGE: Megabytes = Megabytes(4);
const PATIENCE: Duration = Duration::from_secs(20);
/// Letters of a topic. Who says more than that has a text.
const TOPIC: usize = 2000;

struct Model(LanguageModel);

impl Writer for Model {
    fn answer(&self, instructions: &str, request: &str) -> Result<String, String> {
        self.0.answer(instructions, request)
    }
}

impl Office {
    /// A project about a topic.
    pub async fn film_of_topic(&self, member: &Member, request: &Value) -> Result<Accepted, Refusal> {
        let (topic, asked) = Ask::read(request, &schema::TOPIC, |ask| (topic(ask), Asked::of(ask)))?;
        self.film_written(member, Task::Topic(topic), &asked, request).await
    }

    /// A project that tells what a page says.
    pub async fn film_of_page(&self, member: &Member, request: &Value) -> Result<Accepted, Refusal> {
        let meant = "must be the address of a page";
        let (link, asked) = Ask::read(request, &schema::PAGE, |ask| (ask.need_text("url", meant), Asked::of(ask)))?;
        // Nobody's page is called for nothing.
        self.writer()?;
        let text = self.page(member, link).await?;
        self.film_written(member, Task::Page(text), &asked, request).await
    }

    /// What a presenter would say about a topic.
    pub async fn text_of_topic(&self, member: &Member, request: &Value) -> Result<String, Refusal> {
        let (topic, asked) = Ask::read(request, &schema::TEXT, |ask| (topic(ask), Asked::of(ask)))?;
        Ok(spoken(&self.written(member, Task::Topic(topic), asked.brief).await?))
    }

    pub(crate) async fn film_written(
        &self,
        member: &Member,
        task: Task,
        asked: &Asked,
        request: &Value,
    ) -> Result<Accepted, Refusal> {
        let text = self.written(member, task, asked.brief.clone()).await?;
        self.film_as_it_stands(member, &text, asked, request).await
    }

    /// Whether somebody writes here.
    pub fn writes(&self) -> bool {
        self.writer().is_ok()
    }

    fn writer(&self) -> Result<LanguageModel, Refusal> {
        LanguageModel::of(&self.settings.writer).ok_or(Refusal::NoWriter)
    }

    async fn written(&self, member: &Member, task: Task, brief: Brief) -> Result<String, Refusal> {
        let model = Model(self.writer()?);
        let turn = self.turns.wait(&member.account.id, Work::Writing).await?;
        let writing = tokio::task::spawn_blocking(move || {
            let text = write(&model, &task, &brief);
            drop(turn);
            text
        });
        writing.await.map_err(Refusal::inside)?.map_err(Refusal::WriterAway)
    }

    /// How files are fetched here for a moment: by the rules for every link.
    pub(crate) fn fetching(&self, folder: &str, most: Megabytes, patience: Duration) -> FetchSettings {
        let mut settings = FetchSettings::new(self.home.data.join(folder), &self.home.assets);
        settings.rules = (*self.rules).clone();
        (settings.most_bytes, settings.total, settings.cache_bytes) = (most.bytes(), patience, 10 * most.bytes());
        settings
    }

    /// The readable part of a page, fetched by the rules for every link.
    async fn page(&self, member: &Member, link: String) -> Result<String, Refusal> {
        let unreachable = |message: String| {
            Refusal::Problems(vec![compere_scene::Problem { code: Code::AssetUnreachable, ..problem("url", message) }])
        };
        if site::is_site_path(&link) {
            return Err(unreachable("must be the address of a page, like `https://example.com/news`".to_owned()));
        }
        let settings = self.fetching("pages", PAGE, PATIENCE);
        let turn = self.turns.wait(&member.account.id, Work::Writing).await?;
        let reading = tokio::task::spawn_blocking(move || {
            let fetcher = Fetcher::new(settings).map_err(|error| error.to_string())?;
            let file = fetcher.fetch(&link).map_err(|error| error.to_string())?;
            let page = std::fs::read(file).map_err(|error| error.to_string())?;
            drop(turn);
            Ok::<_, String>(page_text(&String::from_utf8_lossy(&page)))
        });
        let text = reading.await.map_err(Refusal::inside)?.map_err(unreachable)?;
        if text.chars().filter(|c| c.is_alphabetic()).count() < 40 {
            return Err(unreachable("the page has no text that could be told".to_owned()));
        }
        Ok(text)
    }
}

fn topic(ask: &Ask<'_>) -> String {
    let topic = ask.need_text("topic", "must say what the film is about");
    if topic.chars().count() > TOPIC {
        ask.blame("topic", format!("may have at most {TOPIC} characters"));
    }
    topic
}
