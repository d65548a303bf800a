//! Forms with a file in them, streamed to disk.
//!
//! Half of the samples that clients were made from send such a form as `application/json` and without a boundary; the
//! boundary is the first line of the body.

use std::collections::BTreeMap;
use std::path::Path;
use std::pin::Pin;
use std::time::Duration;

use axum::extract::Request;
use axum::http::header;
use bytes::Bytes;
use compere_house::settings::Megabytes;
use compere_office::{Refusal, Upload};
use futures_util::{Stream, StreamExt, TryStreamExt};
use multer::{Field, Multipart};
use tempfile::NamedTempFile;

use super::body::announced;
use super::error::ApiError;
use crate::http::arrival::{Sink, bare};

#[derive(Debug, Default)]
pub struct Form {
    pub fields: BTreeMap<String, String>,
    pub file: Option<Upload>,
    /// Where several may come: all but the first.
    pub more: Vec<Upload>,
}

/// How many files a form may have, and how large each may be.
#[derive(Clone, Copy)]
struct Files {
    most: Megabytes,
    count: usize,
}

impl Files {
    fn together(self) -> u64 {
        self.most.bytes() * self.count as u64
    }
}

/// However slowly it comes, an upload has to be there by then.
const PATIENCE: Duration = Duration::from_secs(3600);
const FIELD_BYTES: usize = 64 << 10;
const FIELDS: usize = 100;

type Chunks = Pin<Box<dyn Stream<Item = Result<Bytes, axum::Error>> + Send>>;

/// Reads a form, or a bare file where the body is none.
pub async fn read(request: Request, dir: &Path, most: Megabytes) -> Result<Form, ApiError> {
    read_several(request, dir, most, 1).await
}

/// The same with up to so many files, of which each has at most so much.
pub async fn read_several(request: Request, dir: &Path, most: Megabytes, files: usize) -> Result<Form, ApiError> {
    let most = Files { most, count: files };
    if announced(request.headers()).is_some_and(|length| length > most.together() + FIELD_BYTES as u64 * 16) {
        return Err(Refusal::TooLarge { what: "files", most: most.most }.into());
    }
    let late = |_| ApiError::bad_request("the upload took too long");
    tokio::time::timeout(PATIENCE, parts(request, dir, most)).await.map_err(late)?
}

async fn parts(request: Request, dir: &Path, most: Files) -> Result<Form, ApiError> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).map(str::to_owned);
    let name = query_name(&request);
    let mut chunks: Chunks = Box::pin(request.into_body().into_data_stream());
    let head = peek(&mut chunks).await?;
    let is_json = kind.as_deref().is_some_and(|kind| kind.trim().to_ascii_lowercase().starts_with("application/json"));
    let named = kind.and_then(|kind| multer::parse_boundary(kind).ok());
    let boundary = named.or_else(|| sniffed(&head));
    let body = futures_util::stream::once(std::future::ready(Ok(head))).chain(chunks);
    let Some(boundary) = boundary else {
        // Samples of the vendor send forms under that name, which are told by how they begin. Where one file is wanted, its
        // reader may take JSON that names one.
        if is_json && most.count > 1 {
            let say = "send the file itself, in a form (multipart/form-data) or alone; this is JSON";
            return Err(ApiError::bad_request(say));
        }
        let mut body = Box::pin(body);
        let mut sink = Sink::new(dir, most.most)?;
        while let Some(chunk) = body.try_next().await.map_err(|_| broken())? {
            sink.take(&chunk).await?;
        }
        let file = sink.done().await?;
        return Ok(Form { file: (file.1 > 0).then(|| upload(file, name)), ..Form::default() });
    };
    let mut form = Form::default();
    let mut multipart = Multipart::new(body, boundary);
    let mut count = 0;
    while let Some(field) = multipart.next_field().await.map_err(wrong)? {
        count += 1;
        if count > FIELDS {
            return Err(ApiError::bad_request(format!("the form has more than {FIELDS} fields")));
        }
        take(&mut form, field, dir, most).await?;
    }
    Ok(form)
}

async fn take(form: &mut Form, mut field: Field<'_>, dir: &Path, most: Files) -> Result<(), ApiError> {
    let name = field.name().unwrap_or_default().to_owned();
    if field.file_name().is_some() || name == "file" || name == "files" {
        if form.file.is_some() && form.more.len() + 1 >= most.count {
            let wrong = if most.count == 1 { "one file; there are several" } else { "fewer files" };
            return Err(ApiError::field(&name, format!("must be {wrong}")));
        }
        let called = field.file_name().map(bare);
        let mut sink = Sink::new(dir, most.most)?;
        while let Some(chunk) = field.chunk().await.map_err(wrong)? {
            sink.take(&chunk).await?;
        }
        let file = sink.done().await?;
        let came = upload(file, called);
        match form.file {
            None => form.file = Some(came),
            Some(_) => form.more.push(came),
        }
        return Ok(());
    }
    let mut text = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(wrong)? {
        text.extend_from_slice(&chunk);
        if text.len() > FIELD_BYTES {
            return Err(ApiError::field(&name, "is too long"));
        }
    }
    form.fields.insert(name, String::from_utf8_lossy(&text).into_owned());
    Ok(())
}

fn upload((file, size): (NamedTempFile, u64), name: Option<String>) -> Upload {
    Upload { file, name: name.filter(|name| !name.is_empty()).unwrap_or_else(|| "file".to_owned()), size }
}

/// Enough of the body to see a boundary.
async fn peek(chunks: &mut Chunks) -> Result<Bytes, ApiError> {
    let mut head = Vec::new();
    while head.len() < 256 {
        match chunks.try_next().await.map_err(|_| broken())? {
            Some(chunk) => head.extend_from_slice(&chunk),
            None => break,
        }
    }
    Ok(head.into())
}

/// `--boundary` on the first line.
fn sniffed(head: &[u8]) -> Option<String> {
    let line = head.strip_prefix(b"--")?;
    let end = line.windows(2).position(|two| two == b"\r\n")?;
    let boundary = std::str::from_utf8(&line[..end]).ok()?;
    (1..=70).contains(&boundary.len()).then(|| boundary.to_owned())
}

fn query_name(request: &Request) -> Option<String> {
    let query = request.uri().query()?;
    url::form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == "name").map(|(_, name)| bare(&name))
}

#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` hands over")]
fn wrong(error: multer::Error) -> ApiError {
    ApiError::bad_request(format!("the multipart form is broken: {error}"))
}

fn broken() -> ApiError {
    ApiError::bad_request("the upload broke off")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries_are_found_where_the_header_has_none() {
        assert_eq!(sniffed(b"--abc\r\nContent-Disposition: x").as_deref(), Some("abc"));
        assert_eq!(sniffed(b"%PDF-1.7\r\n"), None);
        assert_eq!(sniffed(b"--no end of line"), None);
    }
}
