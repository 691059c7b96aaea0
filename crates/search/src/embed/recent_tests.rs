//! What is asked again is not embedded again.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use frontdesk_core::embed::{EmbedError, Embedder, Embedding, Purpose};

use super::{LONGEST, REMEMBERED, RecentQuestions};

/// Counts what it is asked; fails at `broken`.
#[derive(Default)]
struct Counting(AtomicUsize);

#[async_trait]
impl Embedder for Counting {
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
    let counting = Arc::new(Counting::default());
    let recent = RecentQuestions::new(counting.clone());
    let asked = || counting.0.load(Ordering::Relaxed);
    let first = recent.embed(&["leases"], Purpose::Query).await.unwrap();
    let again = recent.embed(&["leases"], Purpose::Query).await.unwrap();
    assert_eq!((first, asked()), (again, 1));
    // Documents, several at once and pasted texts pass through.
    let pasted = "x".repeat(LONGEST + 1);
    for (texts, purpose) in [
        (&["leases"][..], Purpose::Document),
        (&["leases", "leases"], Purpose::Query),
        (&[pasted.as_str()], Purpose::Query),
    ] {
        let before = asked();
        for _ in 0..2 {
            let vectors = recent.embed(texts, purpose).await.unwrap();
            assert_eq!(vectors.len(), texts.len());
        }
        assert_eq!(asked(), before + 2, "{purpose:?}");
    }
    // A failure is not remembered.
    for _ in 0..2 {
        let before = asked();
        assert!(recent.embed(&["broken"], Purpose::Query).await.is_err());
        assert_eq!(asked(), before + 1);
    }
}

#[tokio::test]
async fn the_oldest_questions_are_forgotten() {
    let counting = Arc::new(Counting::default());
    let recent = RecentQuestions::new(counting.clone());
    for n in 0..REMEMBERED {
        let question = format!("question {n}");
        recent.embed(&[&question], Purpose::Query).await.unwrap();
    }
    // Asked again, so that another is the oldest.
    recent.embed(&["question 0"], Purpose::Query).await.unwrap();
    recent.embed(&["one more"], Purpose::Query).await.unwrap();
    let before = counting.0.load(Ordering::Relaxed);
    recent.embed(&["question 0"], Purpose::Query).await.unwrap();
    assert_eq!(counting.0.load(Ordering::Relaxed), before);
    recent.embed(&["question 1"], Purpose::Query).await.unwrap();
    assert_eq!(counting.0.load(Ordering::Relaxed), before + 1);
}
