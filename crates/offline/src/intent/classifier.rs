//! Multinomial logistic regression, trained deterministically by AdaGrad.

use super::features::Features;

const EPOCHS: usize = 8;
const LEARNING_RATE: f32 = 0.7;
/// Keeps the weights of rare features small.
const L2: f32 = 1e-4;

pub(crate) struct Classifier {
    classes: usize,
    /// One row per feature, one column per class; the last row is the bias.
    weights: Vec<f32>,
}

impl Classifier {
    /// `samples` have class numbers below `classes`.
    pub(crate) fn train(samples: &[(Features, usize)], features: usize, classes: usize) -> Self {
        let mut model = Self {
            classes,
            weights: vec![0.0; (features + 1) * classes],
        };
        let mut squares = vec![1e-3_f32; model.weights.len()];
        for epoch in 0..EPOCHS {
            for place in order(samples.len(), epoch) {
                let (sample, class) = &samples[place];
                model.step(sample, *class, &mut squares);
            }
        }
        model
    }

    fn step(&mut self, sample: &Features, class: usize, squares: &mut [f32]) {
        let mut errors = self.probabilities(sample);
        errors[class] -= 1.0;
        let bias = (self.weights.len() / self.classes - 1, 1.0);
        let rows = sample.iter().map(|(number, w)| (*number as usize, *w));
        for (row, value) in rows.chain([bias]) {
            let from = row * self.classes;
            for (column, error) in errors.iter().enumerate() {
                let at = from + column;
                let gradient = error * value + L2 * self.weights[at];
                squares[at] += gradient * gradient;
                self.weights[at] -= LEARNING_RATE * gradient / squares[at].sqrt();
            }
        }
    }

    pub(crate) fn probabilities(&self, sample: &Features) -> Vec<f32> {
        let bias = self.weights.len() - self.classes;
        let mut scores = self.weights[bias..].to_vec();
        for (number, value) in sample {
            let from = *number as usize * self.classes;
            for (score, weight) in scores.iter_mut().zip(&self.weights[from..]) {
                *score += weight * value;
            }
        }
        softmax(&mut scores);
        scores
    }
}

fn softmax(scores: &mut [f32]) {
    let top = scores.iter().copied().fold(f32::MIN, f32::max);
    for score in scores.iter_mut() {
        *score = (*score - top).exp();
    }
    let sum: f32 = scores.iter().sum();
    for score in scores.iter_mut() {
        *score /= sum.max(f32::MIN_POSITIVE);
    }
}

/// A permutation of `0..count` that depends only on the epoch.
fn order(count: usize, epoch: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_add(epoch as u64);
    for last in (1..count).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let other = usize::try_from(state % (last as u64 + 1)).unwrap_or(0);
        places.swap(last, other);
    }
    places
}

#[cfg(test)]
#[path = "classifier_tests.rs"]
mod classifier_tests;
