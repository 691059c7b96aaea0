//! The local model against reference vectors, and its errors without usable weights.

use std::sync::LazyLock;

use frontdesk_core::embed::{EmbedError, Embedder, Purpose};
use frontdesk_testkit::weights;
use proptest::prelude::*;
use serde::Deserialize;

use super::encoder::LONGEST;
use super::multilingual::Multilingual;
use super::wordpiece::WordPiece;
use super::{LocalEmbedder, MULTILINGUAL_FILE, VOCABULARY_FILE, WEIGHTS_FILE};

/// Reference values from an independent double-precision implementation with the model's
/// own tokeniser.
#[derive(Deserialize)]
struct Reference {
    text: String,
    ids: Vec<u32>,
    vector: Vec<f64>,
}

fn references() -> Vec<Reference> {
    serde_json::from_str(include_str!("../../tests/data/minilm.json")).unwrap()
}

fn multilingual_references() -> Vec<Reference> {
    serde_json::from_str(include_str!("../../tests/data/multilingual.json")).unwrap()
}

fn embedder() -> LocalEmbedder {
    LocalEmbedder::find(&weights::folder()).unwrap()
}

fn multilingual() -> LocalEmbedder {
    LocalEmbedder::find(&weights::multilingual_folder()).unwrap()
}

fn wordpiece() -> &'static WordPiece {
    static WORDPIECE: LazyLock<WordPiece> = LazyLock::new(|| {
        let path = weights::folder().join(VOCABULARY_FILE);
        WordPiece::new(&std::fs::read_to_string(path).unwrap()).unwrap()
    });
    &WORDPIECE
}

#[test]
fn texts_become_the_tokens_of_the_reference() {
    let wordpiece = wordpiece();
    for reference in references() {
        assert_eq!(
            wordpiece.encode(&reference.text, LONGEST),
            reference.ids,
            "{:?}",
            reference.text
        );
    }
}

#[test]
fn texts_become_the_pieces_of_the_reference() {
    let file = weights::multilingual_folder().join(MULTILINGUAL_FILE);
    let model = Multilingual::open(&file).unwrap();
    for reference in multilingual_references() {
        let ids = model.pieces.encode(&reference.text, 1_024);
        assert_eq!(ids, reference.ids, "{:?}", reference.text);
    }
}

#[tokio::test]
async fn vectors_agree_with_the_reference() {
    check_vectors(&embedder(), references()).await;
    check_vectors(&multilingual(), multilingual_references()).await;
}

async fn check_vectors(embedder: &LocalEmbedder, references: Vec<Reference>) {
    let texts: Vec<&str> = references.iter().map(|one| one.text.as_str()).collect();
    let vectors = embedder.embed(&texts, Purpose::Query).await.unwrap();
    for (reference, vector) in references.iter().zip(&vectors) {
        let product: f64 = reference
            .vector
            .iter()
            .zip(vector.values())
            .map(|(a, b)| a * f64::from(*b))
            .sum();
        assert!(product > 0.999_99, "{product}: {:?}", reference.text);
    }
}

#[tokio::test]
async fn a_vector_does_not_depend_on_its_neighbours() {
    let embedder = embedder();
    let (short, long) = ("approvals", "how are approvals sealed? ".repeat(50));
    let together = embedder
        .embed(&[short, &long], Purpose::Document)
        .await
        .unwrap();
    let alone = embedder.embed(&[short], Purpose::Query).await.unwrap();
    assert!(together[0].cosine(&alone[0]) > 0.999_999);
}

#[tokio::test]
async fn the_end_of_a_long_document_counts() {
    let embedder = embedder();
    let filler = "The cat sleeps on the warm roof of the old house. ".repeat(40);
    let text = format!(
        "{filler}{}",
        "Approvals are sealed by a hash and valid for ten minutes. ".repeat(30)
    );
    let asked = embedder
        .embed(&["approvals sealed by a hash"], Purpose::Query)
        .await
        .unwrap();
    let whole = embedder
        .embed(&[text.as_str()], Purpose::Document)
        .await
        .unwrap();
    let head = embedder
        .embed(&[text.as_str()], Purpose::Query)
        .await
        .unwrap();
    assert!(whole[0].cosine(&asked[0]) > head[0].cosine(&asked[0]) + 0.2);
}

#[tokio::test]
async fn similar_texts_have_near_vectors() {
    let texts = [
        "How do I approve a request?",
        "Approving what an employee asked for",
        "The cat sleeps on the roof",
    ];
    let vectors = embedder().embed(&texts, Purpose::Query).await.unwrap();
    assert!(vectors[0].cosine(&vectors[1]) > vectors[0].cosine(&vectors[2]) + 0.2);
}

#[tokio::test]
async fn a_translation_is_nearer_than_another_text_of_the_language() {
    let texts = [
        "Employees have twenty days of annual leave.",
        "Wie viele Urlaubstage habe ich?",
        "Сколько дней отпуска мне положено?",
        "Wie ändere ich mein Passwort?",
    ];
    let vectors = multilingual().embed(&texts, Purpose::Query).await.unwrap();
    let other = vectors[0].cosine(&vectors[3]);
    for translation in &vectors[1..3] {
        let near = vectors[0].cosine(translation);
        assert!(near > other + 0.2, "{near} {other}");
    }
}

#[tokio::test]
async fn an_empty_batch_loads_no_model() {
    assert!(
        embedder()
            .embed(&[], Purpose::Query)
            .await
            .unwrap()
            .is_empty()
    );
}

#[test]
fn a_folder_without_the_model_yields_none() {
    let folder = tempfile::tempdir().unwrap();
    assert!(LocalEmbedder::find(folder.path()).is_none());
}

#[tokio::test]
async fn truncated_weights_are_refused_with_the_fix() {
    let folder = tempfile::tempdir().unwrap();
    let vocabulary = weights::folder().join(VOCABULARY_FILE);
    std::fs::copy(vocabulary, folder.path().join(VOCABULARY_FILE)).unwrap();
    let other = tempfile::tempdir().unwrap();
    let whole = std::fs::read(weights::multilingual_folder().join(MULTILINGUAL_FILE)).unwrap();
    let broken = [b"".as_slice(), b"not a model at all", &[0xff; 64]];
    let cases = broken
        .iter()
        .flat_map(|bytes| {
            [
                (&folder, WEIGHTS_FILE, *bytes),
                (&other, MULTILINGUAL_FILE, *bytes),
            ]
        })
        .chain([(&other, MULTILINGUAL_FILE, &whole[..whole.len() / 2])]);
    for (folder, file, broken) in cases {
        std::fs::write(folder.path().join(file), broken).unwrap();
        let embedder = LocalEmbedder::find(folder.path()).unwrap();
        let problem = embedder.embed(&["x"], Purpose::Query).await.unwrap_err();
        let EmbedError::NotConfigured(what) = problem else {
            panic!("{problem}");
        };
        assert!(what.contains("scripts/setup"), "{what}");
    }
}

proptest! {
    #[test]
    fn any_text_becomes_framed_tokens(text in "\\PC{0,400}") {
        let ids = wordpiece().encode(&text, 64);
        prop_assert!(ids.len() >= 2 && ids.len() <= 64);
        prop_assert_eq!(ids[0], 101);
        prop_assert_eq!(ids[ids.len() - 1], 102);
    }
}
