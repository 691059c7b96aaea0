//! all-MiniLM-L6-v2 in this process, on all cores and without a key. The weights are read
//! when the first text is embedded, so that a server which embeds nothing stays small.
//!
//! Documents share all cores. A question has one thread to itself: it is short, and waiting for
//! parts of it on other threads would cost more than they save, most of all beside an ingest.

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

/// The name vectors of this model are kept under.
pub const MODEL: &str = "all-MiniLM-L6-v2";

/// The model reads 256 tokens at a time; the longest passages have about eight times as many.
const MOST_WINDOWS: usize = 10;

const WEIGHTS_FILE: &str = "model.safetensors";
const VOCABULARY_FILE: &str = "vocab.txt";

/// Runs the model from a folder with its weights and its vocabulary.
pub struct LocalEmbedder {
    folder: PathBuf,
    /// Filled by the first text. A folder that cannot be used stays so until a restart.
    model: Arc<OnceLock<Result<MiniLm, String>>>,
}

impl LocalEmbedder {
    /// `None` when the folder does not hold the model: keyword search serves alone then.
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

    /// A question is cut at what the model reads; a document is read window by window.
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
            Err(_) => Err(EmbedError::Unavailable("its worker ended".to_owned())),
        }
    }
}

struct MiniLm {
    wordpiece: WordPiece,
    encoder: Encoder,
    /// Threads that embed no question just now. Products within such a thread stay on it.
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

    /// Each text is encoded by itself: nothing is spent on padding, and a text's vector does
    /// not depend on its neighbours.
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
                texts.map(|text| self.encode(text, MOST_WINDOWS)).collect()
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
