//! One search: near in meaning, alike in words, joined by ranks; only what is returned is read
//! in full.

use std::collections::{BTreeMap, HashMap};
use std::sync::{PoisonError, RwLock};

use frontdesk_core::embed::Embedding;
use frontdesk_core::search::{ChunkConfig, Query, SearchError, Ways};
use rusqlite::{Connection, params};
use uuid::Uuid;

use super::super::Hit;
use super::memory::{self, Memory};
use super::words::{Look, Terms};
use super::write::{at, owners_json};
use super::{broken, scan};
use crate::hybrid;

/// Passages that each of the two rankings contributes.
const EACH: usize = 50;
/// How many of the nearest by rounded numbers are looked at again in full precision, for each
/// that is wanted.
const AGAIN: usize = 2;

pub(super) fn find(
    db: &Connection,
    memory: &RwLock<Memory>,
    query: &Query,
    vector: Option<&Embedding>,
) -> Result<Vec<Hit>, SearchError> {
    // One look at the file: what is found together belongs together.
    let tx = db.unchecked_transaction().map_err(broken)?;
    let seen = Memory::refresh(memory, &tx)?;
    let within = within(&tx, query)?;
    let memory = memory.read().unwrap_or_else(PoisonError::into_inner);
    let shelves = memory.admitted(query);
    let each = EACH.max(query.top_k);
    let terms = match (query.ways, vector) {
        (Ways::Meaning, Some(_)) => None,
        (Ways::Both | Ways::Words, _) | (Ways::Meaning, None) => {
            let look = Look {
                db: &tx,
                // What an older moment of the file says must not be kept for a newer one.
                postings: memory.is_of(seen).then_some(&memory.postings),
            };
            Some(Terms::look_up(&look, &shelves, &query.text)?)
        }
    };
    let by_words = match query.ways {
        Ways::Both | Ways::Words => terms
            .as_ref()
            .map_or_else(Vec::new, |terms| terms.ranked(within.as_deref(), each)),
        Ways::Meaning => Vec::new(),
    };
    let near = vector.map_or_else(Vec::new, |vector| {
        memory::nearest(&shelves, vector.values(), within.as_deref(), AGAIN * each)
    });
    let found = Found { db: &tx, query };
    match (vector, &terms) {
        (Some(vector), _) => found.joined(&near, &by_words, vector, each),
        (None, Some(terms)) => found.in_order(&by_words, |_, hit| terms.share(&hit.text)),
        (None, None) => Ok(Vec::new()),
    }
}

/// The passages of documents with the address and the metadata that are asked for, as sorted
/// ranges of ids; `None` when all will do.
fn within(db: &Connection, query: &Query) -> Result<Option<Vec<(i64, i64)>>, SearchError> {
    if query.url_prefix.is_none() && query.metadata.is_empty() {
        return Ok(None);
    }
    let metadata: serde_json::Map<String, serde_json::Value> = query
        .metadata
        .iter()
        .map(|(key, value)| (key.clone(), value.clone().into()))
        .collect();
    let mut statement = db
        .prepare_cached(
            "SELECT min(p.id), max(p.id) FROM documents d JOIN passages p ON p.document = d.id
             WHERE d.collection = ?1 AND d.owner IN (SELECT value FROM json_each(?2))
               AND (?3 IS NULL OR substr(d.url, 1, length(?3)) = ?3)
               AND NOT EXISTS (SELECT 1 FROM json_each(?4) wanted WHERE json_extract(d.metadata, '$.' || json_quote(wanted.key)) IS NOT wanted.value)
             GROUP BY d.id ORDER BY 1",
        )
        .map_err(broken)?;
    let ranges = statement
        .query_map(
            params![
                query.collection,
                owners_json(query.scopes.owners()),
                query.url_prefix,
                serde_json::Value::from(metadata).to_string(),
            ],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .and_then(Iterator::collect)
        .map_err(broken)?;
    Ok(Some(ranges))
}

struct Found<'a> {
    db: &'a Connection,
    query: &'a Query,
}

impl Found<'_> {
    /// Rounded numbers found the nearest; exact ones put them in order and are what people
    /// are told.
    fn joined(
        &self,
        near: &[i64],
        by_words: &[i64],
        vector: &Embedding,
        each: usize,
    ) -> Result<Vec<Hit>, SearchError> {
        let similarities = self.similarities(near.iter().chain(by_words), vector)?;
        let mut by_meaning: Vec<(i64, f32)> = near
            .iter()
            .filter_map(|id| Some((*id, *similarities.get(id)?)))
            .collect();
        by_meaning.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(a.cmp(b)));
        by_meaning.truncate(each);
        let by_meaning: Vec<i64> = by_meaning.into_iter().map(|(id, _)| id).collect();
        // What was never embedded is like nothing.
        let similarity = |id: &i64| similarities.get(id).copied().unwrap_or(0.0);
        let mut order = hybrid::fuse(&[&by_meaning, by_words]);
        order.retain(|id| self.is_near_enough(similarity(id)));
        self.in_order(&order, |id, _| similarity(&id))
    }

    fn similarities<'a>(
        &self,
        ids: impl Iterator<Item = &'a i64>,
        asked: &Embedding,
    ) -> Result<HashMap<i64, f32>, SearchError> {
        let mut statement = self
            .db
            .prepare_cached("SELECT vector FROM vectors WHERE passage = ?1")
            .map_err(broken)?;
        let mut similarities = HashMap::new();
        for id in ids {
            if similarities.contains_key(id) {
                continue;
            }
            let mut rows = statement.query([id]).map_err(broken)?;
            let row = rows.next().map_err(broken)?;
            let stored = row.and_then(|row| row.get_ref(0).ok()?.as_blob().ok().map(scan::floats));
            if let Some(stored) = stored.filter(|stored| stored.len() == asked.values().len()) {
                let cosine = asked.values().iter().zip(&stored).map(|(a, b)| a * b).sum();
                similarities.insert(*id, cosine);
            }
        }
        Ok(similarities)
    }

    fn is_near_enough(&self, similarity: f32) -> bool {
        f64::from(similarity).clamp(0.0, 1.0) >= self.query.score_threshold
    }

    /// The first of these that are near enough, as many as are wanted, read in full.
    fn in_order(
        &self,
        ids: &[i64],
        similarity: impl Fn(i64, &Hit) -> f32,
    ) -> Result<Vec<Hit>, SearchError> {
        let mut hits = Vec::new();
        for part in ids.chunks(self.query.top_k.max(1)) {
            let mut read = self.read(part)?;
            for id in part {
                let Some(mut hit) = read.remove(id) else {
                    continue;
                };
                hit.similarity = similarity(*id, &hit);
                if self.is_near_enough(hit.similarity) {
                    hits.push(hit);
                }
            }
            if hits.len() >= self.query.top_k {
                break;
            }
        }
        hits.truncate(self.query.top_k);
        Ok(hits)
    }

    /// Reads passages in full, as far as the question admits them.
    fn read(&self, ids: &[i64]) -> Result<HashMap<i64, Hit>, SearchError> {
        let ids = serde_json::Value::from(ids).to_string();
        let mut statement = self
            .db
            .prepare_cached(
                "SELECT p.id, d.owner, d.collection, d.url, d.title, p.text, p.position, p.tokens, d.taken, d.size, d.overlap, d.model, d.metadata, v.vector
                 FROM json_each(?1) wanted JOIN passages p ON p.id = wanted.value
                 JOIN documents d ON d.id = p.document LEFT JOIN vectors v ON v.passage = p.id",
            )
            .map_err(broken)?;
        let rows = statement
            .query_map([ids], |row| self.hit(row))
            .map_err(broken)?;
        let mut hits = HashMap::new();
        for row in rows {
            let (id, hit) = row.map_err(broken)?;
            if self.admits(&hit) {
                hits.insert(id, hit);
            }
        }
        Ok(hits)
    }

    /// What was read is looked at once more: memory could be wrong, the row is what counts.
    fn admits(&self, hit: &Hit) -> bool {
        let query = self.query;
        hit.collection == query.collection
            && query.scopes.admits(hit.owner)
            && query
                .url_prefix
                .as_ref()
                .is_none_or(|prefix| hit.url.starts_with(prefix))
            && query
                .metadata
                .iter()
                .all(|(key, value)| hit.metadata.get(key) == Some(value))
    }

    fn hit(&self, row: &rusqlite::Row<'_>) -> rusqlite::Result<(i64, Hit)> {
        let id: i64 = row.get(0)?;
        let owner: String = row.get(1)?;
        let stored = row.get_ref(13)?.as_blob_or_null().ok().flatten();
        let metadata: String = row.get(12)?;
        let hit = Hit {
            id: id.to_string(),
            owner: owner_of(&owner),
            collection: row.get(2)?,
            url: row.get(3)?,
            title: row.get(4)?,
            text: row.get(5)?,
            index: row.get(6)?,
            tokens: row.get(7)?,
            taken: at(row.get(8)?),
            config: ChunkConfig {
                chunk_size: row.get(9)?,
                chunk_overlap: row.get(10)?,
            },
            model: row.get(11)?,
            metadata: serde_json::from_str::<BTreeMap<String, String>>(&metadata)
                .unwrap_or_default(),
            similarity: 0.0,
            vector: stored
                .filter(|_| self.query.include_vectors)
                .map(scan::floats),
        };
        Ok((id, hit))
    }
}

/// Nobody is the owner of what cannot be read: it is seen by none.
fn owner_of(text: &str) -> Option<Uuid> {
    match text {
        "" => None,
        owner => Some(Uuid::parse_str(owner).unwrap_or(Uuid::max())),
    }
}
