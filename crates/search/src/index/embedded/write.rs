//! Writes and listings of the index file. A document is replaced in one transaction.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use frontdesk_core::embed::Embedding;
use frontdesk_core::search::SearchError;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use uuid::Uuid;

use super::super::{
    Collection, DocumentEntry, DocumentVersion, NewDocument, NewPassage, PassageRange, Place,
    StoredDocument, digest,
};
use super::{broken, scan, words};
use crate::chunk::SEPARATOR;

/// Generations for which deletions are recorded; a cache older than that is rebuilt.
pub(super) const GENERATIONS_KEPT: i64 = 10_000;
/// The owner of public documents.
const EVERYONE: &str = "";

pub(super) fn owner_text(owner: Option<Uuid>) -> String {
    owner.map_or_else(|| EVERYONE.to_owned(), |owner| owner.to_string())
}

/// The owners visible to these scopes, as a JSON list for `json_each`.
pub(super) fn owners_json(scopes: &[Uuid]) -> String {
    let mut owners = vec![EVERYONE.to_owned()];
    owners.extend(scopes.iter().map(Uuid::to_string));
    serde_json::Value::from(owners).to_string()
}

pub(super) fn list_versions(
    db: &Connection,
    place: &Place,
) -> Result<Vec<DocumentVersion>, SearchError> {
    let mut statement = db
        .prepare_cached(
            "SELECT url, source, hash, etag FROM documents WHERE collection = ?1 AND owner = ?2",
        )
        .map_err(broken)?;
    let rows = statement
        .query_map(params![place.collection, owner_text(place.owner)], |row| {
            Ok(DocumentVersion {
                url: row.get(0)?,
                source: row.get(1)?,
                hash: row.get(2)?,
                etag: row.get(3)?,
            })
        })
        .map_err(broken)?;
    rows.collect::<Result<_, _>>().map_err(broken)
}

pub(super) fn put(db: &mut Connection, document: &NewDocument) -> Result<(), SearchError> {
    let tx = begin(db)?;
    forget(&tx, &document.place, &document.url)?;
    let place = &document.place;
    let number = place_number(&tx, place).map_err(broken)?;
    let metadata = serde_json::to_string(&document.metadata)
        .map_err(|error| SearchError::Index(error.to_string()))?;
    tx.prepare_cached(
        "INSERT INTO documents (collection, owner, source, url, title, text, hash, etag, metadata, size, overlap, model, taken, place)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    )
    .and_then(|mut insert| {
        insert.execute(params![
            place.collection,
            owner_text(place.owner),
            document.source,
            document.url,
            document.title,
            document.text,
            document.hash,
            document.etag,
            metadata,
            document.config.chunk_size,
            document.config.chunk_overlap,
            document.model,
            document.taken.timestamp_millis(),
            number,
        ])
    })
    .map_err(broken)?;
    let kept = DocumentIds {
        id: tx.last_insert_rowid(),
        place: number,
    };
    // The write lock is held, so the ids of a document's passages are consecutive.
    for (position, passage) in document.passages.iter().enumerate() {
        put_passage(&tx, &kept, position, passage, &document.model).map_err(broken)?;
    }
    finish(tx)
}

/// The row ids of a document and of its place.
struct DocumentIds {
    id: i64,
    place: i64,
}

fn place_number(tx: &Transaction<'_>, place: &Place) -> rusqlite::Result<i64> {
    let named = params![place.collection, owner_text(place.owner)];
    tx.prepare_cached("INSERT OR IGNORE INTO places (collection, owner) VALUES (?1, ?2)")?
        .execute(named)?;
    tx.prepare_cached("SELECT id FROM places WHERE collection = ?1 AND owner = ?2")?
        .query_row(named, |row| row.get(0))
}

fn put_passage(
    tx: &Transaction<'_>,
    document: &DocumentIds,
    position: usize,
    passage: &NewPassage,
    model: &str,
) -> rusqlite::Result<()> {
    // A passage is about its innermost heading, so those words count twice.
    let (_, heading) = passage
        .section
        .rsplit_once(SEPARATOR)
        .unwrap_or(("", &passage.section));
    let weighted = format!("{heading}\n{}", passage.searched);
    let (words, count) = words::marked(document.place, &weighted);
    tx.prepare_cached(
        "INSERT INTO passages (document, position, text, tokens, words, begins, ends, context_begins, context_ends, section, page)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?
    .execute(params![
        document.id,
        position as i64,
        passage.text,
        passage.tokens,
        count,
        passage.begin as i64,
        passage.end as i64,
        passage.context.start as i64,
        passage.context.end as i64,
        passage.section,
        passage.page,
    ])?;
    let id = tx.last_insert_rowid();
    tx.prepare_cached("INSERT INTO words (rowid, text) VALUES (?1, ?2)")?
        .execute(params![id, words])?;
    if let Some(vector) = &passage.vector {
        let bytes: Vec<u8> = vector
            .values()
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        let digest = digest(&passage.searched);
        tx.prepare_cached(
            "INSERT INTO vectors (passage, model, digest, vector) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![id, model, digest, bytes])?;
    }
    Ok(())
}

pub(super) fn vectors(
    db: &Connection,
    place: &Place,
    url: &str,
    model: &str,
) -> Result<HashMap<Vec<u8>, Embedding>, SearchError> {
    let mut statement = db
        .prepare_cached(
            "SELECT v.digest, v.vector FROM documents d JOIN passages p ON p.document = d.id JOIN vectors v ON v.passage = p.id
             WHERE d.collection = ?1 AND d.owner = ?2 AND d.url = ?3 AND v.model = ?4",
        )
        .map_err(broken)?;
    let mut rows = statement
        .query(params![
            place.collection,
            owner_text(place.owner),
            url,
            model
        ])
        .map_err(broken)?;
    let mut kept = HashMap::new();
    while let Some(row) = rows.next().map_err(broken)? {
        let digest = row.get(0).map_err(broken)?;
        let bytes: Vec<u8> = row.get(1).map_err(broken)?;
        let values = scan::floats(&bytes);
        let dimension = values.len();
        // An unusable vector is embedded again.
        if let Ok(vector) = Embedding::new(values, dimension) {
            kept.insert(digest, vector);
        }
    }
    Ok(kept)
}

pub(super) fn remove(
    db: &mut Connection,
    place: &Place,
    urls: &[String],
) -> Result<usize, SearchError> {
    let tx = begin(db)?;
    let mut removed = 0;
    for url in urls {
        removed += usize::from(forget(&tx, place, url)?);
    }
    finish(tx)?;
    Ok(removed)
}

/// Deletes a document; returns whether it existed.
fn forget(tx: &Transaction<'_>, place: &Place, url: &str) -> Result<bool, SearchError> {
    let id: Option<i64> = tx
        .prepare_cached(
            "SELECT id FROM documents WHERE collection = ?1 AND owner = ?2 AND url = ?3",
        )
        .and_then(|mut find| {
            find.query_row(
                params![place.collection, owner_text(place.owner), url],
                |row| row.get(0),
            )
            .optional()
        })
        .map_err(broken)?;
    let Some(id) = id else {
        return Ok(false);
    };
    tx.execute(
        "INSERT INTO gone SELECT number + 1, d.place, min(p.id), max(p.id)
         FROM generation JOIN documents d ON d.id = ?1 JOIN passages p ON p.document = d.id GROUP BY d.id",
        [id],
    )
    .and_then(|_| {
        tx.execute(
            "DELETE FROM words WHERE rowid IN (SELECT id FROM passages WHERE document = ?1)",
            [id],
        )
    })
    .and_then(|_| tx.execute("DELETE FROM documents WHERE id = ?1", [id]))
    .map_err(broken)?;
    Ok(true)
}

fn begin(db: &mut Connection) -> Result<Transaction<'_>, SearchError> {
    db.transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(broken)
}

fn finish(tx: Transaction<'_>) -> Result<(), SearchError> {
    tx.execute("UPDATE generation SET number = number + 1", [])
        .and_then(|_| {
            tx.execute(
                "DELETE FROM gone WHERE generation < (SELECT number FROM generation) - ?1",
                [GENERATIONS_KEPT],
            )
        })
        .and_then(|_| tx.commit())
        .map_err(broken)
}

pub(super) fn collections(
    db: &Connection,
    scopes: &[Uuid],
) -> Result<Vec<Collection>, SearchError> {
    let mut statement = db
        .prepare_cached(
            "SELECT collection, count(*), sum((SELECT count(*) FROM passages WHERE document = documents.id))
             FROM documents WHERE owner IN (SELECT value FROM json_each(?1)) GROUP BY collection ORDER BY collection",
        )
        .map_err(broken)?;
    let rows = statement
        .query_map([owners_json(scopes)], |row| {
            Ok(Collection {
                name: row.get(0)?,
                documents: row.get(1)?,
                chunks: row.get(2)?,
            })
        })
        .map_err(broken)?;
    rows.collect::<Result<_, _>>().map_err(broken)
}

pub(super) fn documents(
    db: &Connection,
    collection: &str,
    scopes: &[Uuid],
) -> Result<Vec<DocumentEntry>, SearchError> {
    let mut statement = db
        .prepare_cached(
            "SELECT url, title, (SELECT count(*) FROM passages WHERE document = documents.id), taken
             FROM documents WHERE collection = ?1 AND owner IN (SELECT value FROM json_each(?2)) ORDER BY url",
        )
        .map_err(broken)?;
    let rows = statement
        .query_map(params![collection, owners_json(scopes)], |row| {
            Ok(DocumentEntry {
                url: row.get(0)?,
                title: row.get(1)?,
                chunks: row.get(2)?,
                taken_in: at(row.get(3)?),
            })
        })
        .map_err(broken)?;
    rows.collect::<Result<_, _>>().map_err(broken)
}

pub(super) fn document(
    db: &Connection,
    collection: &str,
    scopes: &[Uuid],
    url: &str,
) -> Result<Option<StoredDocument>, SearchError> {
    let found = db
        .query_row(
            "SELECT id, title, text FROM documents
             WHERE collection = ?1 AND owner IN (SELECT value FROM json_each(?2)) AND url = ?3 ORDER BY owner DESC",
            params![collection, owners_json(scopes), url],
            |row| Ok((row.get::<_, i64>(0)?, row.get(1)?, row.get(2)?)),
        )
        .optional()
        .map_err(broken)?;
    let Some((id, title, text)) = found else {
        return Ok(None);
    };
    let mut statement = db
        .prepare_cached(
            "SELECT id, begins, ends FROM passages WHERE document = ?1 ORDER BY position",
        )
        .map_err(broken)?;
    let passages = statement
        .query_map([id], |row| {
            Ok(PassageRange {
                chunk_id: row.get::<_, i64>(0)?.to_string(),
                begin: row.get::<_, u32>(1)? as usize,
                end: row.get::<_, u32>(2)? as usize,
            })
        })
        .and_then(Iterator::collect)
        .map_err(broken)?;
    Ok(Some(StoredDocument {
        collection: collection.to_owned(),
        url: url.to_owned(),
        title,
        text,
        passages,
    }))
}

pub(super) fn check(db: &Connection) -> Result<String, SearchError> {
    let (documents, passages): (u32, u32) = db
        .query_row(
            "SELECT (SELECT count(*) FROM documents), (SELECT count(*) FROM passages)",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .map_err(broken)?;
    Ok(format!("{documents} documents, {passages} passages"))
}

pub(super) fn at(millis: i64) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(millis).unwrap_or_default()
}
