//! Full-text search. The index entries carry their scope, so that the entries of other people's
//! scopes cost nothing; access to the conversation is checked for each hit.

use frontdesk_core::access::Principal;
use frontdesk_core::id::ProfileId;
use frontdesk_core::store::{FoundText, SearchWords, StoreError};
use frontdesk_db::{Dialect, Row, Tx, Value};
use uuid::Uuid;

use crate::Store;
use crate::access::ACCESS;
use crate::rows::named;
use crate::tx_error::TxError;

impl Store {
    /// Titles, messages and the newest versions of documents that have a word for each beginning
    /// in `words`, newest first.
    pub async fn find_texts(
        &self,
        who: &Principal,
        words: &SearchWords,
        limit: u32,
    ) -> Result<Vec<FoundText>, StoreError> {
        let words = words.as_slice().to_vec();
        self.read(who, move |tx, me| Box::pin(find(tx, me, words, limit)))
            .await
    }
}

async fn find(
    tx: &mut Tx,
    me: ProfileId,
    words: Vec<String>,
    limit: u32,
) -> Result<Vec<FoundText>, TxError> {
    let rows = match tx.dialect() {
        Dialect::Postgres => {
            let words = Value::List(words.into_iter().map(Value::from).collect());
            let sql = "SELECT kind, object_id, conversation_id, assistant, title, name, body, at \
                 FROM fd.find_texts($1, $2)";
            tx.rows(sql, &[words, limit.into()]).await?
        }
        Dialect::Sqlite => find_in_sqlite(tx, me, &words, limit).await?,
    };
    let mut found = rows.iter().map(text).collect::<Result<Vec<_>, _>>()?;
    // Each scope and kind comes on its own.
    found.sort_by_key(|text| std::cmp::Reverse(text.at));
    found.truncate(limit as usize);
    Ok(found)
}

async fn find_in_sqlite(
    tx: &mut Tx,
    me: ProfileId,
    words: &[String],
    limit: u32,
) -> Result<Vec<Row>, TxError> {
    let mine = "SELECT company_id FROM company_members WHERE profile_id = $1";
    let companies = tx.rows(mine, &[me.into()]).await?;
    let mut scopes = vec![me.uuid()];
    for row in &companies {
        scopes.push(row.get("company_id")?);
    }
    // A message has an entry when it is stored, so the newest entries are the newest messages.
    let sql = format!(
        "SELECT r.kind, r.object_id, c.id AS conversation_id, c.assistant, c.title, \
             CASE r.kind WHEN 'title' THEN c.title ELSE a.title END AS name, \
             CASE r.kind WHEN 'message' THEN substr(m.content, 1, 20000) \
                 WHEN 'document' THEN coalesce((SELECT substr(group_concat(atom, ' '), 1, 20000) \
                     FROM json_tree(a.content) WHERE type = 'text'), '') ELSE '' END AS body, \
             coalesce(m.created_at, a.created_at, c.updated_at) AS at \
         FROM search_words JOIN search_rows r ON r.number = search_words.rowid \
         JOIN conversations c ON c.id = r.conversation_id \
         LEFT JOIN messages m ON r.kind = 'message' AND m.id = r.object_id \
         LEFT JOIN artifacts a ON r.kind = 'document' AND a.id = r.object_id \
         WHERE search_words MATCH $2 AND {ACCESS} AND m.aside IS NULL \
             AND NOT EXISTS (SELECT 1 FROM artifacts n WHERE n.conversation_id = a.conversation_id \
                 AND n.kind = a.kind AND n.key = a.key AND n.version > a.version) \
         ORDER BY search_words.rowid DESC LIMIT $3"
    );
    let values: [Value; 3] = [me.into(), fts_query(&scopes, words).into(), limit.into()];
    Ok(tx.rows(&sql, &values).await?)
}

/// The words are letters and digits only, so quotes cannot end early.
fn fts_query(scopes: &[Uuid], words: &[String]) -> String {
    let scopes: Vec<String> = scopes
        .iter()
        .map(|scope| format!("scope : \"{}\"", scope.simple()))
        .collect();
    let words: Vec<String> = words
        .iter()
        .map(|word| format!("content : \"{word}\" *"))
        .collect();
    format!("({}) AND {}", scopes.join(" OR "), words.join(" AND "))
}

fn text(row: &Row) -> Result<FoundText, TxError> {
    Ok(FoundText {
        kind: named(row, "kind")?,
        id: row.get("object_id")?,
        conversation: row.get("conversation_id")?,
        assistant: row.get("assistant")?,
        title: row.get("title")?,
        name: row.get("name")?,
        text: row.get("body")?,
        at: row.get("at")?,
    })
}
