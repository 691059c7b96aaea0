//! Runs all-MiniLM-L6-v2 in this process, without an API key. The weights are loaded on
//! first use, so a server that embeds nothing stays small.
//!
//! Documents use all cores. A query uses one thread: it is short, and synchronising with
//! other threads would cost more than it saves, above all during an ingest.

mod encoder;
mod weights;
mod wordpiece;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use async_trait::async_trait;
use frontdesk_core::embed::{EmbedError, Embedder, Embedding, Purpose};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use encoder::{DIMENSION, Encoder};
use weights::Weights;
use wordpiece::WordPiece;

/// The model name under which vectors are stored.
pub const MODEL: &str = "all-MiniLM-L6-v2";

/// The model reads 256 tokens at a time; the longest passages have about eight times as
/// many.
const MAX_WINDOWS: usize = 10;

const WEIGHTS_FILE: &str = "model.safetensors";
const VOCABULARY_FILE: &str = "vocab.txt";

/// Runs the model from a folder that holds its weights and vocabulary.
pub struct LocalEmbedder {
    folder: PathBuf,
    /// Loaded on first use. A failed load is not retried until the process restarts.
    model: Arc<OnceLock<Result<MiniLm, String>>>,
}

impl LocalEmbedder {
    /// Returns `None` if the folder lacks the model; search then uses keywords alone.
    pub fn find(folder: &Path) -> Option<Self> {
        let complete = [WEIGHTS_FILE, VOCABULARY_FILE]
            .iter()
            .all(|file| folder.join(file).is_file());
        complete.then(|| Self {
            folder: folder.to_owned(),
            model: Arc::default(),
        })
    }
}

#[async_trait]
impl Embedder for LocalEmbedder {
    fn model(&self) -> &str {
        MODEL
    }

    fn dimension(&self) -> usize {
        DIMENSION
    }

    fn knows_only_english(&self) -> bool {
        true
    }

    /// Truncates a query at the model's window; reads a document window by window.
    async fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Embedding>, EmbedError> {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let folder = self.folder.clone();
        let model = Arc::clone(&self.model);
        let work = move || {
            let model = model.get_or_init(|| MiniLm::open(&folder));
            match model {
                Ok(model) => model.embed(&texts, purpose),
                Err(problem) => Err(EmbedError::NotConfigured(problem.clone())),
            }
        };
        match tokio::task::spawn_blocking(work).await {
            Ok(embeddings) => embeddings,
            Err(_) => Err(EmbedError::Unavailable(
                "the embedding worker panicked".to_owned(),
            )),
        }
    }
}

struct MiniLm {
    wordpiece: WordPiece,
    encoder: Encoder,
    /// Idle single-thread pools for queries. Matrix products inside such a pool stay on its
    /// thread.
    idle: Mutex<Vec<ThreadPool>>,
}

impl MiniLm {
    fn open(folder: &Path) -> Result<Self, String> {
        let unusable = |what: String| {
            format!(
                "the embedding model in {} cannot be used: {what}. Run scripts/setup run to fetch it again.",
                folder.display()
            )
        };
        let vocabulary = std::fs::read_to_string(folder.join(VOCABULARY_FILE))
            .map_err(|error| unusable(error.to_string()))?;
        let wordpiece = WordPiece::new(&vocabulary).map_err(unusable)?;
        let weights = Weights::open(&folder.join(WEIGHTS_FILE)).map_err(unusable)?;
        let encoder = Encoder::new(weights).map_err(unusable)?;
        Ok(Self {
            wordpiece,
            encoder,
            idle: Mutex::default(),
        })
    }

    /// Encodes each text by itself: no padding, and a text's vector does not depend on the
    /// batch.
    fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Embedding>, EmbedError> {
        match (texts, purpose) {
            ([question], Purpose::Query) => {
                let vector = self.on_one_thread(|| self.encode(question, 1))??;
                Ok(vec![vector])
            }
            (texts, Purpose::Query) => {
                let texts = texts.par_iter();
                texts.map(|text| self.encode(text, 1)).collect()
            }
            (texts, Purpose::Document) => {
                let texts = texts.par_iter();
                texts.map(|text| self.encode(text, MAX_WINDOWS)).collect()
            }
        }
    }

    fn encode(&self, text: &str, windows: usize) -> Result<Embedding, EmbedError> {
        let mut sum = vec![0.0; DIMENSION];
        for ids in self.wordpiece.windows(text, encoder::LONGEST, windows) {
            let vector = self.encoder.encode(&ids).map_err(EmbedError::Unavailable)?;
            for (sum, value) in sum.iter_mut().zip(vector) {
                *sum += value;
            }
        }
        Embedding::new(sum, DIMENSION)
    }

    fn on_one_thread<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T, EmbedError> {
        let idle = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let thread = match idle {
            Some(thread) => thread,
            None => ThreadPoolBuilder::new()
                .num_threads(1)
                .build()
                .map_err(|error| EmbedError::Unavailable(error.to_string()))?,
        };
        let done = thread.install(work);
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < rayon::current_num_threads() {
            idle.push(thread);
        }
        Ok(done)
    }
}

#[cfg(test)]
#[path = "local_tests.rs"]
mod local_tests;
