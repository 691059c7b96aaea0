//! All vectors in memory, a byte a number, scanned one by one: exact but for the rounding,
//! which is made good by looking at the best again in full precision.

use std::collections::HashMap;

use frontdesk_core::search::SearchError;
use rusqlite::{Connection, params};

use super::broken;

/// How many of the best by rounded numbers are looked at again.
pub(super) const CANDIDATES: usize = 96;

/// Vectors of one model, grouped by whose and of which collection they are: a search reads
/// only groups it is allowed to see.
#[derive(Default)]
pub(super) struct Vectors {
    generation: i64,
    last: i64,
    groups: HashMap<Group, Rows>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Group {
    pub(super) collection: String,
    pub(super) owner: String,
    pub(super) model: String,
}

#[derive(Default)]
struct Rows {
    ids: Vec<i64>,
    dimension: usize,
    values: Vec<i8>,
}

impl Vectors {
    pub(super) fn is_current(&self, generation: i64) -> bool {
        self.generation == generation
    }

    /// Brings the copy up to what the file holds: what is gone goes, what is new comes.
    pub(super) fn refresh(&mut self, db: &Connection, generation: i64) -> Result<(), SearchError> {
        let kept: Vec<i64> = db
            .prepare_cached("SELECT passage FROM vectors ORDER BY passage")
            .and_then(|mut ids| ids.query_map([], |row| row.get(0))?.collect())
            .map_err(broken)?;
        for rows in self.groups.values_mut() {
            rows.retain(&kept);
        }
        let mut new = db
            .prepare_cached(
                "SELECT v.passage, d.collection, d.owner, v.model, v.vector
                 FROM vectors v JOIN passages p ON p.id = v.passage JOIN documents d ON d.id = p.document
                 WHERE v.passage > ?1 ORDER BY v.passage",
            )
            .map_err(broken)?;
        let mut rows = new.query(params![self.last]).map_err(broken)?;
        while let Some(row) = rows.next().map_err(broken)? {
            self.add(row).map_err(broken)?;
        }
        self.generation = generation;
        Ok(())
    }

    fn add(&mut self, row: &rusqlite::Row<'_>) -> rusqlite::Result<()> {
        let id: i64 = row.get(0)?;
        let group = Group {
            collection: row.get(1)?,
            owner: row.get(2)?,
            model: row.get(3)?,
        };
        let vector = floats(row.get_ref(4)?.as_blob()?);
        let rows = self.groups.entry(group).or_default();
        if rows.ids.is_empty() {
            rows.dimension = vector.len();
        }
        if rows.dimension == vector.len() {
            rows.ids.push(id);
            rows.values.extend(rounded(&vector));
        }
        self.last = self.last.max(id);
        Ok(())
    }

    /// The ids of the nearest, best first, by rounded numbers.
    pub(super) fn nearest(&self, groups: &[Group], vector: &[f32], most: usize) -> Vec<i64> {
        let query: Vec<i16> = rounded(vector).map(i16::from).collect();
        let mut best = Best::new(most);
        for rows in groups.iter().filter_map(|group| self.groups.get(group)) {
            if rows.dimension != query.len() {
                continue;
            }
            for (id, row) in rows
                .ids
                .iter()
                .zip(rows.values.chunks_exact(rows.dimension))
            {
                best.offer(product(row, &query), *id);
            }
        }
        best.into_ids()
    }
}

impl Rows {
    /// Drops what is not among the sorted `kept`.
    fn retain(&mut self, kept: &[i64]) {
        if self.ids.iter().all(|id| kept.binary_search(id).is_ok()) {
            return;
        }
        let mut ids = Vec::with_capacity(self.ids.len());
        let mut values = Vec::with_capacity(self.values.len());
        for (id, row) in self
            .ids
            .iter()
            .zip(self.values.chunks_exact(self.dimension.max(1)))
        {
            if kept.binary_search(id).is_ok() {
                ids.push(*id);
                values.extend_from_slice(row);
            }
        }
        (self.ids, self.values) = (ids, values);
    }
}

/// The best of a stream, without keeping the rest.
struct Best {
    most: usize,
    /// Unordered; cut back to `most` whenever it is twice as long.
    found: Vec<(i32, i64)>,
    least: i32,
}

impl Best {
    fn new(most: usize) -> Self {
        Self {
            most,
            found: Vec::with_capacity(2 * most + 1),
            least: i32::MIN,
        }
    }

    fn offer(&mut self, score: i32, id: i64) {
        if score < self.least {
            return;
        }
        self.found.push((score, id));
        if self.found.len() > 2 * self.most {
            self.cut();
        }
    }

    fn cut(&mut self) {
        // Higher scores first, then lower ids: the same for the same vectors.
        self.found
            .sort_unstable_by(|(a, x), (b, y)| b.cmp(a).then(x.cmp(y)));
        self.found.truncate(self.most);
        if let Some((least, _)) = self.found.last().filter(|_| self.found.len() == self.most) {
            self.least = *least;
        }
    }

    fn into_ids(mut self) -> Vec<i64> {
        self.cut();
        self.found.into_iter().map(|(_, id)| id).collect()
    }
}

/// Numbers of a vector of unit length lie within -1 and 1, most far inside: they are scaled
/// by the largest, and the scale is the same for all so that products can be compared.
fn rounded(vector: &[f32]) -> impl Iterator<Item = i8> {
    const SCALE: f32 = 480.0;
    vector
        .iter()
        .map(|value| (value * SCALE).round().clamp(-127.0, 127.0) as i8)
}

/// Written so that the compiler turns it into instructions for many numbers at once.
fn product(row: &[i8], query: &[i16]) -> i32 {
    const LANES: usize = 16;
    let mut sums = [0_i32; LANES];
    let (rows, _) = row.as_chunks::<LANES>();
    let (queries, _) = query.as_chunks::<LANES>();
    for (a, b) in rows.iter().zip(queries) {
        for lane in 0..LANES {
            sums[lane] += i32::from(i16::from(a[lane])) * i32::from(b[lane]);
        }
    }
    let tail = row.len() - row.len() % LANES;
    let rest: i32 = row[tail..]
        .iter()
        .zip(&query[tail..])
        .map(|(a, b)| i32::from(*a) * i32::from(*b))
        .sum();
    sums.iter().sum::<i32>() + rest
}

pub(super) fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|bytes| f32::from_le_bytes(*bytes))
        .collect()
}
