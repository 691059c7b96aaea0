//! Linear scan over vectors quantised to one byte per number. Re-scoring the best
//! candidates in full precision corrects the rounding.

use rten_simd::{Isa, SimdOp};

/// The largest value of a quantised query. Wider than a byte, so only the stored vectors
/// lose precision; small enough that a sum over 8,000 products fits in 32 bits.
const FINEST: f32 = 2_047.0;

/// Vectors of one dimension, in the order of their passages.
pub(super) struct Vectors {
    dimension: usize,
    ids: Vec<i64>,
    /// The scale of each vector: the value of one quantisation step.
    steps: Vec<f32>,
    values: Vec<i8>,
}

impl Vectors {
    pub(super) fn new(dimension: usize) -> Self {
        Self {
            dimension,
            ids: Vec::new(),
            steps: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Ids must ascend.
    pub(super) fn push(&mut self, id: i64, vector: &[f32]) {
        let (step, bytes) = rounded(vector, f32::from(i8::MAX));
        self.ids.push(id);
        self.steps.push(step);
        // Within -127 and 127 by construction.
        self.values.extend(bytes.map(|value| value as i8));
    }

    pub(super) fn shrink(&mut self) {
        self.ids.shrink_to_fit();
        self.steps.shrink_to_fit();
        self.values.shrink_to_fit();
    }

    /// Drops the vectors within these sorted ranges.
    pub(super) fn drop_within(&mut self, ranges: &[(i64, i64)]) {
        if !self.ids.iter().any(|id| is_within(ranges, *id)) {
            return;
        }
        let mut kept = Self::new(self.dimension);
        let rows = self.values.chunks_exact(self.dimension);
        for ((id, step), row) in self.ids.iter().zip(&self.steps).zip(rows) {
            if !is_within(ranges, *id) {
                kept.ids.push(*id);
                kept.steps.push(*step);
                kept.values.extend_from_slice(row);
            }
        }
        *self = kept;
    }

    /// Scores every vector, or only those within the sorted ranges.
    pub(super) fn offer_all(
        &self,
        question: &QuantizedQuery,
        within: Option<&[(i64, i64)]>,
        best: &mut TopK,
    ) {
        let everything = [(i64::MIN, i64::MAX)];
        for (first, last) in within.unwrap_or(&everything) {
            let begin = self.ids.partition_point(|id| id < first);
            let end = self.ids.partition_point(|id| id <= last);
            let scan = Scan {
                ids: &self.ids[begin..end],
                steps: &self.steps[begin..end],
                values: &self.values[begin * self.dimension..end * self.dimension],
                question: &question.values,
                best,
            };
            scan.dispatch();
        }
    }
}

/// True if the sorted ranges contain this id.
pub(super) fn is_within(ranges: &[(i64, i64)], id: i64) -> bool {
    let next = ranges.partition_point(|(first, _)| *first <= id);
    next.checked_sub(1)
        .and_then(|at| ranges.get(at))
        .is_some_and(|(_, last)| id <= *last)
}

/// A quantised query vector.
pub(super) struct QuantizedQuery {
    values: Vec<i16>,
}

impl QuantizedQuery {
    pub(super) fn new(vector: &[f32]) -> Self {
        let (_, values) = rounded(vector, FINEST);
        Self {
            values: values.map(|value| value as i16).collect(),
        }
    }

    pub(super) fn dimension(&self) -> usize {
        self.values.len()
    }
}

/// Scales a vector by its own largest number; returns the step and the quantised values.
fn rounded(vector: &[f32], largest: f32) -> (f32, impl Iterator<Item = f32>) {
    let most = vector.iter().fold(0.0, |most: f32, v| most.max(v.abs()));
    let step = if most > 0.0 { most / largest } else { 1.0 };
    (step, vector.iter().map(move |value| (value / step).round()))
}

struct Scan<'a> {
    ids: &'a [i64],
    steps: &'a [f32],
    values: &'a [i8],
    question: &'a [i16],
    best: &'a mut TopK,
}

impl SimdOp for Scan<'_> {
    type Output = ();

    // rten calls this from a function compiled for the widest SIMD instructions of the
    // machine; inlined there, plain loops are vectorised.
    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
        let rows = self.values.chunks_exact(self.question.len().max(1));
        for ((id, step), row) in self.ids.iter().zip(self.steps).zip(rows) {
            // Overflow checks prevent vectorisation; the sum cannot overflow, see `FINEST`.
            let product = row.iter().zip(self.question).fold(0_i32, |sum, (a, b)| {
                sum.wrapping_add(i32::from(*a).wrapping_mul(i32::from(*b)))
            });
            self.best.offer(product as f32 * step, *id);
        }
    }
}

/// Keeps the best of a stream in bounded cache.
pub(super) struct TopK {
    most: usize,
    /// Unordered; cut back to `most` when it reaches twice that length.
    found: Vec<(f32, i64)>,
    least: f32,
}

impl TopK {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            found: Vec::with_capacity(2 * most + 1),
            least: f32::NEG_INFINITY,
        }
    }

    #[inline(always)]
    pub(super) fn offer(&mut self, score: f32, id: i64) {
        if score < self.least {
            return;
        }
        self.found.push((score, id));
        if self.found.len() > 2 * self.most {
            self.cut();
        }
    }

    fn cut(&mut self) {
        // Higher scores first, then lower ids: deterministic.
        self.found
            .sort_unstable_by(|(a, x), (b, y)| b.total_cmp(a).then(x.cmp(y)));
        self.found.truncate(self.most);
        if let Some((least, _)) = self.found.last().filter(|_| self.found.len() == self.most) {
            self.least = *least;
        }
    }

    pub(super) fn into_ids(mut self) -> Vec<i64> {
        self.cut();
        self.found.into_iter().map(|(_, id)| id).collect()
    }
}

/// Decodes a stored vector.
pub(super) fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|bytes| f32::from_le_bytes(*bytes))
        .collect()
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod scan_tests;
