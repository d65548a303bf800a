//! The files of a finished film go where they are kept.
//!
//! First the files, under keys that nobody is told of yet; then one transaction makes them the export's. So they appear
//! all or none, whatever dies in between.

use compere_media::Format;
use compere_store::{Finished, Key, Objects, Product, StoreError, trial};

pub(crate) async fn keep(
    objects: &Objects,
    export: &str,
    format: Format,
    finished: &Finished,
) -> Result<(), StoreError> {
    trial::point("publish.before");
    for (product, file) in &finished.files {
        objects.put_file(&Key::of(*product, export, format), file).await?;
        trial::point(if *product == Product::Film { "publish.film" } else { "publish.beside" });
    }
    trial::point("publish.all");
    Ok(())
}

/// What was put away of an export that did not come to its end this way.
pub(crate) async fn forget(objects: &Objects, export: &str) {
    if let Err(error) = objects.delete_owner("exports", export).await {
        // Whoever sweeps finds it by its row.
        tracing::warn!(export, %error, "files of a film that nobody wants stay for now");
    }
}
