//! Pages of lists that are read newest first.

/// A stretch of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// Only what is older than an entry that was created then and has this id. It may be gone meanwhile.
    pub after: Option<(i64, String)>,
    pub limit: i64,
}

impl Page {
    pub fn newest(limit: i64) -> Self {
        Self { after: None, limit }
    }

    /// Id, empty for the first page, and when it was created: what [`older`] is bound to.
    pub(crate) fn after(&self) -> (&str, i64) {
        self.after.as_ref().map_or(("", 0), |(created, id)| (id.as_str(), *created))
    }
}

/// The condition of a page: columns of `table` (empty, or a name and a dot) against parameter `id` and the one after it.
pub(crate) fn older(table: &str, id: u8) -> String {
    let created = id + 1;
    format!(
        "(${id} = '' OR {table}created_at < ${created} OR ({table}created_at = ${created} AND {table}id < ${id})) \
         ORDER BY {table}created_at DESC, {table}id DESC"
    )
}
