//! Pictures and short films that a model makes up, if the operator names one. What comes is treated like an upload of the
//! account's, for some days.

use std::io::Write as _;
use std::time::Duration;

use compere_house::assets::Fetcher;
use compere_house::painter::{ImageModel, Made, VideoModel, wish};
use compere_house::settings::{Megabytes, Shape};
use serde_json::Value;
use tempfile::NamedTempFile;

use crate::refusal::problem;
use crate::turns::Work;
use crate::{Member, Office, Refusal, Upload, Uploaded};

/// Letters of a topic.
const TOPIC: usize = 2000;
const PATIENCE: Duration = Duration::from_secs(60);
const PICTURE: Megabytes = Megabytes(40);

impl Office {
    /// A picture of a topic: `{topic, style, size}`.
    pub async fn paint(&self, member: &Member, request: &Value) -> Result<Uploaded, Refusal> {
        let no_painter = Refusal::NoPainter { what: "pictures", setting: "painter" };
        let painter = ImageModel::of(&self.settings.painter).ok_or(no_painter)?;
        let (prompt, shape) = wished(request)?;
        self.made_up(member, "picture.png", "image/", move || painter.paint(&prompt, shape)).await
    }

    /// A short film of a topic: `{topic}`.
    pub async fn film_scenery(&self, member: &Member, request: &Value) -> Result<Uploaded, Refusal> {
        let no_camera = Refusal::NoPainter { what: "films", setting: "camera" };
        let camera = VideoModel::of(&self.settings.camera).ok_or(no_camera)?;
        let (_, shape) = wished(request)?;
        let prompt = request["topic"].as_str().unwrap_or_default().trim().to_owned();
        self.made_up(member, "film.mp4", "video/", move || camera.film(&prompt, shape)).await
    }

    async fn made_up(
        &self,
        member: &Member,
        name: &str,
        kind: &str,
        make: impl FnOnce() -> Result<Made, String> + Send + 'static,
    ) -> Result<Uploaded, Refusal> {
        self.make_room(&member.account, 0).await?;
        let (dir, fetching) = (self.arrivals(), self.fetching("pictures", PICTURE, PATIENCE));
        let turn = self.turns.wait(&member.account.id, Work::Writing).await?;
        let making = tokio::task::spawn_blocking(move || {
            let made = make();
            drop(turn);
            let bytes = match made? {
                Made::Bytes(bytes) => bytes,
                Made::At(link) => {
                    let away = |_| "what the model made cannot be fetched".to_owned();
                    let fetcher = Fetcher::new(fetching).map_err(away)?;
                    let file = fetcher.fetch(&link).map_err(|_| "what the model made cannot be fetched".to_owned())?;
                    std::fs::read(file).map_err(|error| error.to_string())?
                }
            };
            let keep = || {
                std::fs::create_dir_all(&dir)?;
                let mut file = NamedTempFile::new_in(&dir)?;
                file.write_all(&bytes)?;
                Ok::<_, std::io::Error>((file, bytes.len() as u64))
            };
            Ok::<_, String>(keep())
        });
        let made = making.await.map_err(Refusal::inside)?.map_err(Refusal::WriterAway)?;
        let (file, size) = made.map_err(Refusal::inside)?;
        let head = crate::uploads::head(file.path()).map_err(Refusal::inside)?;
        if !compere_codec::sniff::media_type(&head).is_some_and(|found| found.starts_with(kind)) {
            return Err(Refusal::WriterAway("the model answered with something else than it was asked for".to_owned()));
        }
        let upload = Upload { file, name: name.to_owned(), size };
        let until = self.now() + i64::from(self.settings.keep_exports) * 86_400_000;
        self.keep_until(member, upload, Some(until)).await
    }
}

fn wished(request: &Value) -> Result<(String, Shape), Refusal> {
    wish(request, TOPIC)
        .map_err(|wrong| Refusal::Problems(wrong.into_iter().map(|(key, why)| problem(key, why)).collect()))
}
