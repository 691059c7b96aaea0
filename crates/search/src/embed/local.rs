//! Runs an embedding model in this process, without an API key: all-MiniLM-L6-v2 for English,
//! or the multilingual Universal Sentence Encoder. The weights are loaded on first use, so a
//! server that embeds nothing stays small.
//!
//! Documents use all cores. A query uses one thread: it is short, and synchronising with
//! other threads would cost more than it saves, above all during an ingest.

mod encoder;
mod layers;
mod multilingual;
mod onnx;
mod pieces;
mod weights;
mod wordpiece;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use async_trait::async_trait;
use frontdesk_core::embed::{EmbedError, Embedder, Embedding, Purpose};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use encoder::Encoder;
use multilingual::Multilingual;
use weights::Weights;
use wordpiece::WordPiece;

/// MiniLM reads 256 tokens at a time; the longest passages have about eight times as many.
const MAX_WINDOWS: usize = 10;

const WEIGHTS_FILE: &str = "model.safetensors";
const VOCABULARY_FILE: &str = "vocab.txt";
const MULTILINGUAL_FILE: &str = "universal-sentence-encoder-multilingual.onnx";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Architecture {
    MiniLm,
    Multilingual,
}

/// Runs the model of a folder.
pub struct LocalEmbedder {
    folder: PathBuf,
    architecture: Architecture,
    /// Loaded on first use. A failed load is not retried until the process restarts.
    model: Arc<OnceLock<Result<Model, String>>>,
}

impl LocalEmbedder {
    /// Returns `None` if the folder has no model; search then uses keywords alone.
    pub fn find(folder: &Path) -> Option<Self> {
        let has = |file: &str| folder.join(file).is_file();
        let architecture = if has(WEIGHTS_FILE) && has(VOCABULARY_FILE) {
            Architecture::MiniLm
        } else if has(MULTILINGUAL_FILE) {
            Architecture::Multilingual
        } else {
            return None;
        };
        Some(Self {
            folder: folder.to_owned(),
            architecture,
            model: Arc::default(),
        })
    }
}

#[async_trait]
impl Embedder for LocalEmbedder {
    /// The name under which vectors are stored.
    fn model(&self) -> &str {
        match self.architecture {
            Architecture::MiniLm => "all-MiniLM-L6-v2",
            Architecture::Multilingual => "universal-sentence-encoder-multilingual",
        }
    }

    fn dimension(&self) -> usize {
        match self.architecture {
            Architecture::MiniLm => encoder::DIMENSION,
            Architecture::Multilingual => multilingual::DIMENSION,
        }
    }

    fn knows_only_english(&self) -> bool {
        self.architecture == Architecture::MiniLm
    }

    /// MiniLM reads the first window of a query, and a document window by window.
    async fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Embedding>, EmbedError> {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let folder = self.folder.clone();
        let (architecture, model) = (self.architecture, Arc::clone(&self.model));
        let work = move || {
            let model = model.get_or_init(|| Model::open(&folder, architecture));
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

struct Model {
    layers: Layers,
    /// Idle single-thread pools for queries. Matrix products inside such a pool stay on its
    /// thread.
    idle: Mutex<Vec<ThreadPool>>,
}

enum Layers {
    MiniLm(WordPiece, Box<Encoder>),
    Multilingual(Box<Multilingual>),
}

impl Model {
    fn open(folder: &Path, architecture: Architecture) -> Result<Self, String> {
        let layers = match architecture {
            Architecture::MiniLm => open_mini_lm(folder),
            Architecture::Multilingual => Multilingual::open(&folder.join(MULTILINGUAL_FILE))
                .map(|model| Layers::Multilingual(Box::new(model))),
        };
        let goal = match architecture {
            Architecture::MiniLm => "run",
            Architecture::Multilingual => "multilingual",
        };
        Ok(Self {
            layers: layers.map_err(|what| {
                format!(
                    "the embedding model in {} cannot be used: {what}. Run scripts/setup {goal} to fetch it again.",
                    folder.display()
                )
            })?,
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

    /// `windows` limits how much of a text MiniLM reads.
    fn encode(&self, text: &str, windows: usize) -> Result<Embedding, EmbedError> {
        match &self.layers {
            Layers::MiniLm(wordpiece, encoder) => {
                let mut sum = vec![0.0; encoder::DIMENSION];
                for ids in wordpiece.windows(text, encoder::LONGEST, windows) {
                    let vector = encoder.encode(&ids).map_err(EmbedError::Unavailable)?;
                    layers::add(&mut sum, &vector);
                }
                Embedding::new(sum, encoder::DIMENSION)
            }
            Layers::Multilingual(model) => {
                let ids = model.pieces.encode(text, multilingual::LONGEST);
                let vector = model.encode(&ids).map_err(EmbedError::Unavailable)?;
                Embedding::new(vector, multilingual::DIMENSION)
            }
        }
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

fn open_mini_lm(folder: &Path) -> Result<Layers, String> {
    let vocabulary =
        std::fs::read_to_string(folder.join(VOCABULARY_FILE)).map_err(|error| error.to_string())?;
    let weights = Weights::open(&folder.join(WEIGHTS_FILE))?;
    let encoder = Box::new(Encoder::new(weights)?);
    Ok(Layers::MiniLm(WordPiece::new(&vocabulary)?, encoder))
}

#[cfg(test)]
#[path = "local_tests.rs"]
mod local_tests;
