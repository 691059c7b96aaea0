//! One search: near in meaning, alike in words, joined by ranks, then read in full.

use std::collections::{BTreeMap, HashMap};
use std::sync::{PoisonError, RwLock};

use frontdesk_core::embed::Embedding;
use frontdesk_core::search::{ChunkConfig, Query, SearchError, Ways};
use rusqlite::{Connection, params};
use uuid::Uuid;

use super::super::Hit;
use super::broken;
use super::scan::{self, CANDIDATES, Group, Vectors};
use super::words::{self, Term};
use super::write::{at, owners_json};
use crate::hybrid;

/// Passages that each of the two rankings contributes.
const EACH: usize = 50;

pub(super) fn find(
    db: &Connection,
    vectors: &RwLock<Vectors>,
    query: &Query,
    vector: Option<&Embedding>,
) -> Result<Vec<Hit>, SearchError> {
    // One look at the file: what is found together belongs together.
    let tx = db.unchecked_transaction().map_err(broken)?;
    let each = EACH.max(query.top_k);
    let terms = words::terms(&tx, &query.text)?;
    let by_words = match query.ways {
        Ways::Both | Ways::Words => words::ranked(&tx, &terms, query, each)?,
        Ways::Meaning => Vec::new(),
    };
    let mut found = Found {
        db: &tx,
        query,
        terms: &terms,
        vector,
    };
    let hits = match vector {
        None => found.by_words_alone(&by_words)?,
        Some(vector) => {
            refresh(&tx, vectors)?;
            let groups = groups(&tx, query)?;
            let near = vectors
                .read()
                .unwrap_or_else(PoisonError::into_inner)
                .nearest(&groups, vector.values(), CANDIDATES.max(2 * each));
            found.hybrid(&near, &by_words, each)?
        }
    };
    Ok(hits)
}

fn refresh(db: &Connection, vectors: &RwLock<Vectors>) -> Result<(), SearchError> {
    let generation: i64 = db
        .prepare_cached("SELECT number FROM generation")
        .and_then(|mut read| read.query_row([], |row| row.get(0)))
        .map_err(broken)?;
    let current = vectors
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .is_current(generation);
    if current {
        return Ok(());
    }
    let mut vectors = vectors.write().unwrap_or_else(PoisonError::into_inner);
    if vectors.is_current(generation) {
        return Ok(());
    }
    vectors.refresh(db, generation)
}

/// The groups that the question may look at.
fn groups(db: &Connection, query: &Query) -> Result<Vec<Group>, SearchError> {
    let mut statement = db
        .prepare_cached(
            "SELECT DISTINCT owner, model FROM documents WHERE collection = ?1 AND owner IN (SELECT value FROM json_each(?2)) ORDER BY owner, model",
        )
        .map_err(broken)?;
    let rows = statement
        .query_map(
            params![query.collection, owners_json(query.scopes.owners())],
            |row| {
                Ok(Group {
                    collection: query.collection.clone(),
                    owner: row.get(0)?,
                    model: row.get(1)?,
                })
            },
        )
        .map_err(broken)?;
    rows.collect::<Result<_, _>>().map_err(broken)
}

struct Found<'a> {
    db: &'a Connection,
    query: &'a Query,
    terms: &'a [Term],
    vector: Option<&'a Embedding>,
}

impl Found<'_> {
    fn hybrid(
        &mut self,
        near: &[i64],
        by_words: &[i64],
        each: usize,
    ) -> Result<Vec<Hit>, SearchError> {
        let mut ids = near.to_vec();
        ids.extend(by_words.iter().filter(|id| !near.contains(id)));
        let mut hits: HashMap<i64, Hit> = self.read(&ids)?;
        let mut by_meaning: Vec<i64> = near
            .iter()
            .copied()
            .filter(|id| hits.contains_key(id))
            .collect();
        // Rounded numbers found them; exact ones put them in order.
        let similarity = |id: &i64| hits.get(id).map_or(-1.0, |hit| hit.similarity);
        by_meaning.sort_by(|a, b| similarity(b).total_cmp(&similarity(a)).then(a.cmp(b)));
        by_meaning.truncate(each);
        let order = hybrid::fuse(&[&by_meaning, by_words]);
        Ok(order.iter().filter_map(|id| hits.remove(id)).collect())
    }

    fn by_words_alone(&mut self, by_words: &[i64]) -> Result<Vec<Hit>, SearchError> {
        let mut hits = self.read(by_words)?;
        Ok(by_words.iter().filter_map(|id| hits.remove(id)).collect())
    }

    /// Reads passages in full, as far as the question admits them.
    fn read(&self, ids: &[i64]) -> Result<HashMap<i64, Hit>, SearchError> {
        let total: u32 = match self.vector {
            Some(_) => 0,
            None => self
                .db
                .query_row("SELECT count(*) FROM passages", [], |row| row.get(0))
                .map_err(broken)?,
        };
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
            .query_map([ids], |row| self.hit(row, total))
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

    /// The vectors in memory know nothing of addresses and metadata.
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

    fn hit(&self, row: &rusqlite::Row<'_>, total: u32) -> rusqlite::Result<(i64, Hit)> {
        let id: i64 = row.get(0)?;
        let owner: String = row.get(1)?;
        let text: String = row.get(5)?;
        let stored = row.get_ref(13)?.as_blob_or_null().ok().flatten();
        let stored = stored.map(scan::floats);
        let similarity = match (self.vector, &stored) {
            (Some(asked), Some(stored)) if stored.len() == asked.values().len() => {
                asked.values().iter().zip(stored).map(|(a, b)| a * b).sum()
            }
            (Some(_), _) => 0.0,
            (None, _) => words::share(&self.query.text, self.terms, total, &text),
        };
        let metadata: String = row.get(12)?;
        let hit = Hit {
            id: id.to_string(),
            owner: owner_of(&owner),
            collection: row.get(2)?,
            url: row.get(3)?,
            title: row.get(4)?,
            text,
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
            similarity,
            vector: stored.filter(|_| self.query.include_vectors),
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
