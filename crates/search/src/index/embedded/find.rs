//! One search: semantic and keyword rankings, fused. Only returned passages are read in
//! full.

use std::collections::{BTreeMap, HashMap};
use std::sync::{PoisonError, RwLock};

use frontdesk_core::embed::Embedding;
use frontdesk_core::search::{ChunkConfig, Query, SearchError, Ways};
use rusqlite::{Connection, params};
use uuid::Uuid;

use super::super::Hit;
use super::cache::{self, IndexCache};
use super::words::{TermLookup, Terms};
use super::write::{at, owners_json};
use super::{broken, scan};
use crate::hybrid;
use crate::relevance::Relevance;

/// Passages that each ranking contributes.
const RANKING_DEPTH: usize = 50;
/// Candidates per wanted hit that are re-scored in full precision after the quantised scan.
const RESCORED_PER_HIT: usize = 2;

pub(super) fn find(
    db: &Connection,
    cache: &RwLock<IndexCache>,
    query: &Query,
    vector: Option<&Embedding>,
) -> Result<Vec<Hit>, SearchError> {
    // One read transaction gives a consistent view of the file.
    let tx = db.unchecked_transaction().map_err(broken)?;
    let seen = IndexCache::refresh(cache, &tx)?;
    let within = within(&tx, query)?;
    let cache = cache.read().unwrap_or_else(PoisonError::into_inner);
    let places = cache.admitted(query);
    let each = RANKING_DEPTH.max(query.top_k);
    let terms = match (query.ways, vector) {
        (Ways::Meaning, Some(_)) => None,
        (Ways::Both | Ways::Words, _) | (Ways::Meaning, None) => {
            let look = TermLookup {
                db: &tx,
                // A reader of an older snapshot must not fill the cache of a newer one.
                postings: cache.is_of(seen).then_some(&cache.postings),
            };
            Some(Terms::look_up(&look, &places, &query.text)?)
        }
    };
    let by_words = match query.ways {
        Ways::Both | Ways::Words => terms
            .as_ref()
            .map_or_else(Vec::new, |terms| terms.ranked(within.as_deref(), each)),
        Ways::Meaning => Vec::new(),
    };
    let near = vector.map_or_else(Vec::new, |vector| {
        cache::nearest(
            &places,
            vector.values(),
            within.as_deref(),
            RESCORED_PER_HIT * each,
        )
    });
    let found = HitReader {
        db: &tx,
        query,
        relevance: Relevance::of(&query.text),
    };
    match vector {
        Some(vector) => found.fuse_by_similarity(&near, &by_words, vector, each),
        None => found.read_in_order(&by_words, |_| None),
    }
}

/// Passages of the documents that match the address and metadata filters, as sorted id
/// ranges; `None` without such filters.
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

struct HitReader<'a> {
    db: &'a Connection,
    query: &'a Query,
    relevance: Relevance,
}

impl HitReader<'_> {
    /// Orders the candidates of the quantised scan by exact similarity.
    fn fuse_by_similarity(
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
        let order = hybrid::fuse(&[&by_meaning, by_words]);
        // A passage without a vector has similarity 0.
        self.read_in_order(&order, |id| {
            Some(similarities.get(&id).copied().unwrap_or(0.0))
        })
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

    /// Reads the first passages, up to the limit, and drops those below the threshold. Passages
    /// further down are not tried: among enough of them, one always scores well by chance.
    fn read_in_order(
        &self,
        ids: &[i64],
        cosine: impl Fn(i64) -> Option<f32>,
    ) -> Result<Vec<Hit>, SearchError> {
        let mut hits = Vec::new();
        for part in ids.chunks(self.query.top_k.max(1)) {
            let mut read = self.read(part)?;
            for id in part {
                if let Some(mut hit) = read.remove(id) {
                    hit.cosine = cosine(*id);
                    hit.share = self.relevance.share(&hit);
                    hits.push(hit);
                }
            }
            if hits.len() >= self.query.top_k {
                break;
            }
        }
        hits.truncate(self.query.top_k);
        hits.retain(|hit| hit.score() >= self.query.score_threshold);
        for hit in &mut hits {
            self.read_context(hit)?;
        }
        Ok(hits)
    }

    /// Reads the text around a passage from its document.
    fn read_context(&self, hit: &mut Hit) -> Result<(), SearchError> {
        let mut statement = self
            .db
            .prepare_cached(
                "SELECT document, context_begins, context_ends FROM passages WHERE id = ?1",
            )
            .map_err(broken)?;
        let (document, begin, end): (i64, u32, u32) = statement
            .query_row([&hit.id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .map_err(broken)?;
        let text = self
            .db
            .blob_open("main", "documents", "text", document, true)
            .map_err(broken)?;
        let mut context = vec![0; end.saturating_sub(begin) as usize];
        // A range that does not fit the document adds nothing to the passage.
        let read = text.read_at_exact(&mut context, begin as usize);
        if let (Ok(()), Ok(context)) = (read, String::from_utf8(context)) {
            hit.context = context;
        }
        Ok(())
    }

    /// Reads the passages that the query may see.
    fn read(&self, ids: &[i64]) -> Result<HashMap<i64, Hit>, SearchError> {
        let ids = serde_json::Value::from(ids).to_string();
        let mut statement = self
            .db
            .prepare_cached(
                "SELECT p.id, d.owner, d.collection, d.url, d.title, p.text, p.position, p.tokens, d.taken, d.size, d.overlap, d.model, d.metadata, v.vector, p.section, p.page
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

    /// Checks the row again: the cache could be stale, the row is authoritative.
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
            context: String::new(),
            section: row.get(14)?,
            page: row.get(15)?,
            cosine: None,
            share: 0.0,
            vector: stored
                .filter(|_| self.query.include_vectors)
                .map(scan::floats),
        };
        Ok((id, hit))
    }
}

/// A row whose owner cannot be parsed is visible to nobody.
fn owner_of(text: &str) -> Option<Uuid> {
    match text {
        "" => None,
        owner => Some(Uuid::parse_str(owner).unwrap_or(Uuid::max())),
    }
}
