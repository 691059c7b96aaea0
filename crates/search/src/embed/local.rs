//! all-MiniLM-L6-v2 in this process, on all cores and without a key. The weights are read
//! when the first text is embedded, so that a server which embeds nothing stays small.

mod encoder;
mod weights;
mod wordpiece;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use frontdesk_core::embed::{EmbedError, Embedder, Embedding, Purpose};
use rayon::prelude::*;

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
        Ok(Self { wordpiece, encoder })
    }

    /// Each text is encoded by itself: nothing is spent on padding, and a text's vector does
    /// not depend on its neighbours.
    fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Embedding>, EmbedError> {
        let windows = match purpose {
            Purpose::Query => 1,
            Purpose::Document => MOST_WINDOWS,
        };
        texts
            .par_iter()
            .map(|text| {
                let mut sum = vec![0.0; DIMENSION];
                for ids in self.wordpiece.windows(text, encoder::LONGEST, windows) {
                    let vector = self.encoder.encode(&ids).map_err(EmbedError::Unavailable)?;
                    for (sum, value) in sum.iter_mut().zip(vector) {
                        *sum += value;
                    }
                }
                Embedding::new(sum, DIMENSION)
            })
            .collect()
    }
}

#[cfg(test)]
#[path = "local_tests.rs"]
mod local_tests;
