//! What a request says beside the film.

use super::{Field, RESOLUTION, Schema, Takes, may};

pub(super) const IS_EXPORT: Field = may("isExport", Takes::Flag).or("true").says("Export at once");
pub(super) const WORKSPACE: Field = may("workspaceId", Takes::Text).at_most(64.0);
pub(super) const RESOLVED: Field = may("resolution", RESOLUTION);
pub(super) const WEBHOOK: Field =
    may("webhookUrl", Takes::Text).at_most(4096.0).says("Who is told when the export ends");
pub(super) const OLDER_WEBHOOK: Field =
    may("webhook", Takes::Text).at_most(4096.0).says("Who is told when the result is there");
pub(super) const WEBHOOK_METHOD: Field =
    may("webhookMethod", Takes::Word("WebhookMethod")).says("`POST` (default) or `GET`");
pub(super) const CALLBACK: Field =
    may("callbackId", Takes::Text).at_most(256.0).says("Comes back in progress, project and webhook");
pub(super) const COPY: Field = may("copy", Takes::Flag).says("Edit a copy and leave the original alone");
pub(super) const FORMAT: Field = may("format", Takes::Word("Format")).says("`mp4` (default), `webm` or `mov`");

/// All of them, whichever request they come with.
pub static OPTIONS: Schema = Schema {
    fields: &[IS_EXPORT, WORKSPACE, WEBHOOK, OLDER_WEBHOOK, WEBHOOK_METHOD, CALLBACK, COPY, FORMAT],
    ..Schema::of("", "a request")
};
