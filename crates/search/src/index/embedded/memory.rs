//! What a process has in memory of the file: for each passage its length in words, for each
//! vector its bytes, 24 bytes and one for each number together; and where the words of late
//! questions stand. It is brought up to date by what changed, not by reading all again.

use std::collections::{BTreeMap, HashMap};
use std::sync::{PoisonError, RwLock};

use frontdesk_core::search::{Query, SearchError};
use rusqlite::{Connection, params};

use super::broken;
use super::postings::Postings;
use super::scan::{self, Best, Question, Vectors};
use super::write::{REMEMBERED, owner_text};

#[derive(Default)]
pub(super) struct Memory {
    generation: i64,
    last: i64,
    numbers: HashMap<(String, String), i64>,
    shelves: HashMap<i64, Shelf>,
    /// Of the words that were asked for.
    pub(super) postings: Postings,
}

/// The passages of one place.
#[derive(Default)]
pub(super) struct Shelf {
    pub(super) number: i64,
    /// In order.
    ids: Vec<i64>,
    words: Vec<u32>,
    all_words: u64,
    vectors: BTreeMap<usize, Vectors>,
}

impl Memory {
    /// Brings what is in memory up to what the file holds; gives the moment of the file that
    /// was seen.
    pub(super) fn refresh(memory: &RwLock<Self>, db: &Connection) -> Result<i64, SearchError> {
        let generation: i64 = db
            .prepare_cached("SELECT number FROM generation")
            .and_then(|mut read| read.query_row([], |row| row.get(0)))
            .map_err(broken)?;
        // Memory may know more than the moment of the file that this search sees, never less.
        let is_current = |memory: &Self| memory.generation >= generation;
        if is_current(&memory.read().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(generation);
        }
        let mut memory = memory.write().unwrap_or_else(PoisonError::into_inner);
        if is_current(&memory) {
            return Ok(generation);
        }
        if generation - memory.generation > REMEMBERED {
            *memory = Self::default();
        }
        let done = memory.catch_up(db, generation).map_err(broken);
        if done.is_err() {
            // Half of a change is worse than reading everything again.
            *memory = Self::default();
        }
        done.map(|()| generation)
    }

    /// Whether memory holds just this moment of the file, not a later one.
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
            // What comes later comes bit by bit, and may have some room.
            self.shelves.values_mut().for_each(Shelf::shrink);
        }
        self.postings = Postings::default();
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
        for (place, ranges) in gone {
            if let Some(shelf) = self.shelves.get_mut(&place) {
                shelf.drop_within(&ranges);
            }
        }
        Ok(())
    }

    fn add(&mut self, row: &rusqlite::Row<'_>) -> rusqlite::Result<()> {
        let (id, place) = (row.get(0)?, row.get(1)?);
        let shelf = self.shelves.entry(place).or_default();
        shelf.number = place;
        shelf.push(id, row.get(2)?);
        let vector = row.get_ref(3)?.as_blob_or_null()?.map(scan::floats);
        if let Some(vector) = vector.filter(|vector| !vector.is_empty()) {
            shelf
                .vectors
                .entry(vector.len())
                .or_insert_with(|| Vectors::new(vector.len()))
                .push(id, &vector);
        }
        self.last = id;
        Ok(())
    }

    /// What the question may look at, and nothing else.
    pub(super) fn admitted(&self, query: &Query) -> Vec<&Shelf> {
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
            .filter_map(|number| self.shelves.get(number))
            .collect()
    }
}

impl Shelf {
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

    /// Where a passage stands, looked for from `start` on; `None` when it is not there. Quick
    /// where it is near, as it is when passages are looked for in order.
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

    /// The id of the passage that stands there, and how many words it has.
    pub(super) fn passage(&self, at: u32) -> Option<(i64, u32)> {
        let at = at as usize;
        Some((*self.ids.get(at)?, *self.words.get(at)?))
    }
}

/// The ids of the nearest, best first, by rounded numbers.
pub(super) fn nearest(
    shelves: &[&Shelf],
    vector: &[f32],
    within: Option<&[(i64, i64)]>,
    most: usize,
) -> Vec<i64> {
    let question = Question::new(vector);
    let mut best = Best::new(most);
    for shelf in shelves {
        if let Some(vectors) = shelf.vectors.get(&question.dimension()) {
            vectors.offer_all(&question, within, &mut best);
        }
    }
    best.into_ids()
}
