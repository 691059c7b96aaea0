//! The in-cache part of the index: passage lengths, quantised vectors (24 bytes plus one
//! per number for each passage) and cached postings. Updated incrementally from the file.

use std::collections::{BTreeMap, HashMap};
use std::sync::{PoisonError, RwLock};

use frontdesk_core::search::{Query, SearchError};
use rusqlite::{Connection, params};

use super::broken;
use super::postings::PostingsCache;
use super::scan::{self, QuantizedQuery, TopK, Vectors};
use super::write::{GENERATIONS_KEPT, owner_text};

#[derive(Default)]
pub(super) struct IndexCache {
    generation: i64,
    last: i64,
    numbers: HashMap<(String, String), i64>,
    places: HashMap<i64, PlaceCache>,
    /// PostingsCache of recent query words.
    pub(super) postings: PostingsCache,
}

/// The cached passages of one place.
#[derive(Default)]
pub(super) struct PlaceCache {
    pub(super) number: i64,
    /// Ascending.
    ids: Vec<i64>,
    words: Vec<u32>,
    all_words: u64,
    vectors: BTreeMap<usize, Vectors>,
}

impl IndexCache {
    /// Applies the file's changes to the cache; returns the generation that `db` sees.
    pub(super) fn refresh(cache: &RwLock<Self>, db: &Connection) -> Result<i64, SearchError> {
        let generation: i64 = db
            .prepare_cached("SELECT number FROM generation")
            .and_then(|mut read| read.query_row([], |row| row.get(0)))
            .map_err(broken)?;
        // The cache may be ahead of this reader's snapshot, never behind.
        let is_current = |cache: &Self| cache.generation >= generation;
        if is_current(&cache.read().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(generation);
        }
        let mut cache = cache.write().unwrap_or_else(PoisonError::into_inner);
        if is_current(&cache) {
            return Ok(generation);
        }
        if generation - cache.generation > GENERATIONS_KEPT {
            *cache = Self::default();
        }
        let done = cache.catch_up(db, generation).map_err(broken);
        if done.is_err() {
            // After a failed update the cache may be inconsistent: rebuild it.
            *cache = Self::default();
        }
        done.map(|()| generation)
    }

    /// True if the cache holds exactly this generation of the file.
    pub(super) fn is_of(&self, generation: i64) -> bool {
        self.generation == generation
    }

    fn catch_up(&mut self, db: &Connection, generation: i64) -> rusqlite::Result<()> {
        self.forget(db)?;
        let mut places = db.prepare_cached("SELECT id, collection, owner FROM places")?;
        self.numbers = places
            .query_map([], |row| Ok(((row.get(1)?, row.get(2)?), row.get(0)?)))?
            .collect::<Result<_, _>>()?;
        let mut new = db.prepare_cached(
            "SELECT p.id, d.place, p.words, v.vector
             FROM passages p JOIN documents d ON d.id = p.document LEFT JOIN vectors v ON v.passage = p.id
             WHERE p.id > ?1 ORDER BY p.id",
        )?;
        let everything = self.last == 0;
        let mut rows = new.query([self.last])?;
        while let Some(row) = rows.next()? {
            self.add(row)?;
        }
        if everything {
            // Trims spare capacity after the initial load; later changes are small.
            self.places.values_mut().for_each(PlaceCache::shrink);
        }
        self.postings = PostingsCache::default();
        self.generation = generation;
        Ok(())
    }

    fn forget(&mut self, db: &Connection) -> rusqlite::Result<()> {
        let mut gone: HashMap<i64, Vec<(i64, i64)>> = HashMap::new();
        let mut statement = db.prepare_cached(
            "SELECT place, first, last FROM gone WHERE generation > ?1 ORDER BY first",
        )?;
        let mut rows = statement.query(params![self.generation])?;
        while let Some(row) = rows.next()? {
            let range = (row.get(1)?, row.get(2)?);
            gone.entry(row.get(0)?).or_default().push(range);
        }
        for (number, ranges) in gone {
            if let Some(place) = self.places.get_mut(&number) {
                place.drop_within(&ranges);
            }
        }
        Ok(())
    }

    fn add(&mut self, row: &rusqlite::Row<'_>) -> rusqlite::Result<()> {
        let (id, number) = (row.get(0)?, row.get(1)?);
        let place = self.places.entry(number).or_default();
        place.number = number;
        place.push(id, row.get(2)?);
        let vector = row.get_ref(3)?.as_blob_or_null()?.map(scan::floats);
        if let Some(vector) = vector.filter(|vector| !vector.is_empty()) {
            place
                .vectors
                .entry(vector.len())
                .or_insert_with(|| Vectors::new(vector.len()))
                .push(id, &vector);
        }
        self.last = id;
        Ok(())
    }

    /// The cached places that the query may search.
    pub(super) fn admitted(&self, query: &Query) -> Vec<&PlaceCache> {
        let everyone = std::iter::once(owner_text(None));
        let own = query.scopes.owners().iter().copied();
        let mut numbers: Vec<i64> = everyone
            .chain(own.map(|owner| owner_text(Some(owner))))
            .filter_map(|owner| self.numbers.get(&(query.collection.clone(), owner)))
            .copied()
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
            .iter()
            .filter_map(|number| self.places.get(number))
            .collect()
    }
}

impl PlaceCache {
    fn push(&mut self, id: i64, words: u32) {
        self.ids.push(id);
        self.words.push(words);
        self.all_words += u64::from(words);
    }

    fn shrink(&mut self) {
        self.ids.shrink_to_fit();
        self.words.shrink_to_fit();
        self.vectors.values_mut().for_each(Vectors::shrink);
    }

    fn drop_within(&mut self, ranges: &[(i64, i64)]) {
        let former = std::mem::take(self);
        self.number = former.number;
        for (id, words) in former.ids.into_iter().zip(former.words) {
            if !scan::is_within(ranges, id) {
                self.push(id, words);
            }
        }
        self.vectors = former.vectors;
        for vectors in self.vectors.values_mut() {
            vectors.drop_within(ranges);
        }
    }

    pub(super) fn passages(&self) -> usize {
        self.ids.len()
    }

    pub(super) fn all_words(&self) -> u64 {
        self.all_words
    }

    /// The position of a passage, searched from `start` on. Galloping search: fast for
    /// ascending ids.
    pub(super) fn position(&self, id: i64, start: u32) -> Option<u32> {
        let start = start as usize;
        let rest = self.ids.get(start..)?;
        let mut ahead = 1;
        while rest.get(ahead).is_some_and(|other| *other < id) {
            ahead *= 2;
        }
        let end = rest.len().min(ahead + 1);
        let near = rest.get(ahead / 2..end)?;
        let at = start + ahead / 2 + near.binary_search(&id).ok()?;
        u32::try_from(at).ok()
    }

    /// The passage id and the number of its words.
    pub(super) fn passage(&self, at: u32) -> Option<(i64, u32)> {
        let at = at as usize;
        Some((*self.ids.get(at)?, *self.words.get(at)?))
    }
}

/// The ids of the nearest passages by quantised vectors, best first.
pub(super) fn nearest(
    places: &[&PlaceCache],
    vector: &[f32],
    within: Option<&[(i64, i64)]>,
    most: usize,
) -> Vec<i64> {
    let question = QuantizedQuery::new(vector);
    let mut best = TopK::new(most);
    for place in places {
        if let Some(vectors) = place.vectors.get(&question.dimension()) {
            vectors.offer_all(&question, within, &mut best);
        }
    }
    best.into_ids()
}
