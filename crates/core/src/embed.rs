//! The port to an embedding model.

use std::time::Duration;

use async_trait::async_trait;

/// Turns texts into vectors, comparable only between equal `model` and `dimension`.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// The key under which vectors are stored.
    fn model(&self) -> &str;

    fn dimension(&self) -> usize;

    /// True if vectors of texts in other languages carry little meaning.
    fn knows_only_english(&self) -> bool {
        false
    }

    /// The most texts that one call should have.
    fn batch(&self) -> usize {
        32
    }

    /// Returns one vector per text, in order. Text beyond the model's limit is cut, never refused.
    async fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Embedding>, EmbedError>;
}

/// Some models embed a query differently from a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Document,
    Query,
}

/// A unit vector without NaN: the dot product of two is their cosine.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding(Vec<f32>);

impl Embedding {
    /// Validates and normalises a model's output.
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

    /// The cosine similarity, from -1 to 1; 0 if the dimensions differ.
    pub fn cosine(&self, other: &Embedding) -> f32 {
        if self.0.len() != other.0.len() {
            return 0.0;
        }
        let product: f32 = self.0.iter().zip(&other.0).map(|(a, b)| a * b).sum();
        product.clamp(-1.0, 1.0)
    }
}

/// An embedding failure. The text is for the operator and contains no secret.
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
    /// Weights or keys are missing; the text says how to fix that.
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
