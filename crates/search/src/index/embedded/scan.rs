//! Vectors as bytes, side by side, scanned one by one: exact but for the rounding of what is
//! kept, which is made good by looking at the best again in full precision.

use rten_simd::{Isa, SimdOp};

/// The largest number of a rounded question. More than a byte, so that only what is kept is
/// rounded noticeably; little enough that no sum over 8,000 numbers overflows.
const FINEST: f32 = 2_047.0;

/// Vectors of one length, in the order of their passages.
pub(super) struct Vectors {
    dimension: usize,
    ids: Vec<i64>,
    /// What one step of a vector's bytes is worth.
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

    /// Ids only grow.
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

    /// Drops what is within one of these ranges, which are sorted.
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

    /// Offers every vector, or those of the passages within the sorted ranges.
    pub(super) fn offer_all(
        &self,
        question: &Question,
        within: Option<&[(i64, i64)]>,
        best: &mut Best,
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

/// Whether the sorted ranges have this id.
pub(super) fn is_within(ranges: &[(i64, i64)], id: i64) -> bool {
    let next = ranges.partition_point(|(first, _)| *first <= id);
    next.checked_sub(1)
        .and_then(|at| ranges.get(at))
        .is_some_and(|(_, last)| id <= *last)
}

/// A question's vector, rounded finely.
pub(super) struct Question {
    values: Vec<i16>,
}

impl Question {
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

/// Each vector is scaled by its own largest number: what a step is worth, and the steps.
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
    best: &'a mut Best,
}

impl SimdOp for Scan<'_> {
    type Output = ();

    // The library calls this from a function that may use the widest instructions of this
    // machine; inlined there, plain loops become such instructions.
    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
        let rows = self.values.chunks_exact(self.question.len().max(1));
        for ((id, step), row) in self.ids.iter().zip(self.steps).zip(rows) {
            // Checked sums cannot be made wide; ours stay far below the limit (`FINEST`).
            let product = row.iter().zip(self.question).fold(0_i32, |sum, (a, b)| {
                sum.wrapping_add(i32::from(*a).wrapping_mul(i32::from(*b)))
            });
            self.best.offer(product as f32 * step, *id);
        }
    }
}

/// The best of a stream, without keeping the rest.
pub(super) struct Best {
    most: usize,
    /// Unordered; cut back to `most` whenever it is twice as long.
    found: Vec<(f32, i64)>,
    least: f32,
}

impl Best {
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
        // Higher scores first, then lower ids: the same for the same vectors.
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

/// A vector as the file has it.
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
