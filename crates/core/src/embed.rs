//! The port to an embedding model: texts become vectors of unit length that can be compared.

use std::time::Duration;

use async_trait::async_trait;

/// Turns texts into vectors. Vectors of two embedders can be compared only if `model` and
/// `dimension` agree.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// What vectors are kept under.
    fn model(&self) -> &str;

    fn dimension(&self) -> usize;

    /// Whether vectors of texts in other languages than English mean little.
    fn knows_only_english(&self) -> bool {
        false
    }

    /// The most texts that one call should have.
    fn batch(&self) -> usize {
        32
    }

    /// One vector for each text, in order. A text that is longer than the model reads is
    /// cut, never refused.
    async fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Embedding>, EmbedError>;
}

/// Some models embed a question differently from what answers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Document,
    Query,
}

/// A vector of unit length without NaN: the product of two is their cosine.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding(Vec<f32>);

impl Embedding {
    /// Checks what a model returned and brings it to unit length.
    pub fn new(mut values: Vec<f32>, dimension: usize) -> Result<Self, EmbedError> {
        if values.len() != dimension {
            return Err(EmbedError::Dimension {
                expected: dimension,
                got: values.len(),
            });
        }
        let length = values
            .iter()
            .map(|value| f64::from(*value).powi(2))
            .sum::<f64>()
            .sqrt();
        if !length.is_finite() || length == 0.0 {
            return Err(EmbedError::NotANumber);
        }
        for value in &mut values {
            *value = (f64::from(*value) / length) as f32;
        }
        Ok(Self(values))
    }

    pub fn values(&self) -> &[f32] {
        &self.0
    }

    /// The cosine of the two, from -1 to 1; 0 for vectors of different length.
    pub fn cosine(&self, other: &Embedding) -> f32 {
        if self.0.len() != other.0.len() {
            return 0.0;
        }
        let product: f32 = self.0.iter().zip(&other.0).map(|(a, b)| a * b).sum();
        product.clamp(-1.0, 1.0)
    }
}

/// Why there is no vector. What is said is for the operator and carries no secret.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EmbedError {
    #[error(
        "the embedding model returned a vector of {got} numbers, where {expected} were expected"
    )]
    Dimension { expected: usize, got: usize },
    #[error(
        "the embedding model returned a vector that is empty, all zero or holds something that is no number"
    )]
    NotANumber,
    /// Weights or keys are missing; says what to do.
    #[error("{0}")]
    NotConfigured(String),
    #[error("the embedding model is rate-limited")]
    RateLimited { retry_after: Option<Duration> },
    #[error("the embedding model does not answer: {0}")]
    Unavailable(String),
    #[error("the embedding model refused the request: {0}")]
    Rejected(String),
}

impl EmbedError {
    /// Whether the same request may succeed later.
    pub fn can_retry(&self) -> bool {
        match self {
            Self::RateLimited { .. } | Self::Unavailable(_) => true,
            Self::Dimension { .. }
            | Self::NotANumber
            | Self::NotConfigured(_)
            | Self::Rejected(_) => false,
        }
    }
}

#[cfg(test)]
#[path = "embed_tests.rs"]
mod embed_tests;
