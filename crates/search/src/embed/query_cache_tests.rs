//! A repeated query is not embedded again.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use frontdesk_core::embed::{EmbedError, Embedder, Embedding, Purpose};

use super::{CAPACITY, LONGEST, QueryCache};

/// Counts calls; fails for the text `broken`.
#[derive(Default)]
struct CountingEmbedder(AtomicUsize);

#[async_trait]
impl Embedder for CountingEmbedder {
    fn model(&self) -> &str {
        "counting"
    }

    fn dimension(&self) -> usize {
        2
    }

    async fn embed(&self, texts: &[&str], _: Purpose) -> Result<Vec<Embedding>, EmbedError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        if texts.contains(&"broken") {
            return Err(EmbedError::Unavailable("down".to_owned()));
        }
        let vector = |text: &&str| Embedding::new(vec![1.0, text.len() as f32], 2);
        texts.iter().map(vector).collect()
    }
}

#[tokio::test]
async fn only_new_questions_are_embedded() {
    let counting = Arc::new(CountingEmbedder::default());
    let cache = QueryCache::new(counting.clone());
    let asked = || counting.0.load(Ordering::Relaxed);
    let first = cache.embed(&["leases"], Purpose::Query).await.unwrap();
    let again = cache.embed(&["leases"], Purpose::Query).await.unwrap();
    assert_eq!((first, asked()), (again, 1));
    // Documents, batches and pasted texts bypass the cache.
    let pasted = "x".repeat(LONGEST + 1);
    for (texts, purpose) in [
        (&["leases"][..], Purpose::Document),
        (&["leases", "leases"], Purpose::Query),
        (&[pasted.as_str()], Purpose::Query),
    ] {
        let before = asked();
        for _ in 0..2 {
            let vectors = cache.embed(texts, purpose).await.unwrap();
            assert_eq!(vectors.len(), texts.len());
        }
        assert_eq!(asked(), before + 2, "{purpose:?}");
    }
    // Failures are not cached.
    for _ in 0..2 {
        let before = asked();
        assert!(cache.embed(&["broken"], Purpose::Query).await.is_err());
        assert_eq!(asked(), before + 1);
    }
}

#[tokio::test]
async fn the_oldest_questions_are_forgotten() {
    let counting = Arc::new(CountingEmbedder::default());
    let cache = QueryCache::new(counting.clone());
    for n in 0..CAPACITY {
        let question = format!("question {n}");
        cache.embed(&[&question], Purpose::Query).await.unwrap();
    }
    // A hit moves the entry to the end, so another one is evicted.
    cache.embed(&["question 0"], Purpose::Query).await.unwrap();
    cache.embed(&["one more"], Purpose::Query).await.unwrap();
    let before = counting.0.load(Ordering::Relaxed);
    cache.embed(&["question 0"], Purpose::Query).await.unwrap();
    assert_eq!(counting.0.load(Ordering::Relaxed), before);
    cache.embed(&["question 1"], Purpose::Query).await.unwrap();
    assert_eq!(counting.0.load(Ordering::Relaxed), before + 1);
}
