//! Files that members send, streamed to disk.

use axum::body::Body;
use compere_house::settings::Megabytes;
use compere_office::{Office, Upload};
use futures_util::StreamExt;

use super::fault::Fault;
use crate::http::arrival::{Sink, bare};

/// A request's body in a temporary file.
pub async fn receive(office: &Office, body: Body, name: &str, most: Megabytes) -> Result<Upload, Fault> {
    let (mut sink, mut stream) = (Sink::new(&office.arrivals(), most)?, body.into_data_stream());
    while let Some(part) = stream.next().await {
        sink.take(&part.map_err(|_| Fault::bad("The file did not arrive whole. Try again."))?).await?;
    }
    match sink.done().await? {
        (_, 0) => Err(Fault::bad("The file is empty.")),
        (file, size) => Ok(Upload { file, name: bare(name), size }),
    }
}
