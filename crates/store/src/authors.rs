//! Authors of messages: the person who opened the first turn with the message. A retry by a
//! colleague does not change the author.

use frontdesk_core::artifact::Author;
use frontdesk_core::id::ProfileId;
use frontdesk_db::{Dialect, Row};

use crate::tx_error::TxError;

/// The columns that [`read`] takes, for the message that the expression `message` names. Postgres
/// shows the profiles of colleagues alone, so a function tells the names of those who left.
pub(crate) fn columns(dialect: Dialect, message: &str) -> String {
    let name = match dialect {
        Dialect::Sqlite => "p.display_name",
        Dialect::Postgres => "coalesce(p.display_name, fd.opener_name(w.id))",
    };
    format!(
        "(SELECT w.profile_id FROM turns w WHERE w.user_message_id = {message} \
             ORDER BY w.started_at, w.id LIMIT 1) AS author_id, \
         (SELECT {name} FROM turns w LEFT JOIN profiles p ON p.id = w.profile_id \
             WHERE w.user_message_id = {message} ORDER BY w.started_at, w.id LIMIT 1) AS author_name"
    )
}

/// `None` for an assistant's message.
pub(crate) fn read(row: &Row) -> Result<Option<Author>, TxError> {
    let Some(id) = row.get::<Option<ProfileId>>("author_id")? else {
        return Ok(None);
    };
    Ok(Some(Author::known_as(id, row.get("author_name")?)))
}
