//! The embedded index: search, replacement, filters, visibility, recall.

use std::collections::BTreeMap;

use chrono::Utc;
use frontdesk_core::embed::Embedding;
use frontdesk_core::search::{Query, Scopes, Ways};
use frontdesk_core::{access, id};
use proptest::prelude::*;
use tempfile::TempDir;
use uuid::Uuid;

use super::super::{Index, NewDocument, NewPassage, Place};
use super::EmbeddedIndex;
use crate::chunk;

const COLLECTION: &str = "web_documents";

fn index() -> (TempDir, EmbeddedIndex) {
    let folder = tempfile::tempdir().unwrap();
    let index = EmbeddedIndex::open(&folder.path().join("index.db")).unwrap();
    (folder, index)
}

fn document(owner: Option<Uuid>, url: &str, passages: &[(&str, Option<Embedding>)]) -> NewDocument {
    NewDocument {
        place: Place {
            collection: COLLECTION.to_owned(),
            owner,
        },
        source: "folder".to_owned(),
        url: url.to_owned(),
        title: format!("Title of {url}"),
        text: passages.iter().map(|(text, _)| *text).collect(),
        hash: "1".to_owned(),
        etag: None,
        metadata: BTreeMap::from([("lang".to_owned(), "en".to_owned())]),
        config: chunk::DEFAULT,
        taken: Utc::now(),
        model: "test".to_owned(),
        passages: passages
            .iter()
            .map(|(text, vector)| NewPassage {
                text: (*text).to_owned(),
                searched: (*text).to_owned(),
                tokens: 3,
                begin: 0,
                end: text.len(),
                context: 0..text.len(),
                section: String::new(),
                page: None,
                vector: vector.clone(),
            })
            .collect(),
    }
}

fn scopes(profile: Uuid) -> Scopes {
    Scopes::of(&access::Principal::authenticated(
        access::Identity {
            subject: profile,
            profile: id::ProfileId::from_uuid(profile),
            name: "Test".to_owned(),
            email: None,
            roles: std::collections::BTreeSet::new(),
            companies: Vec::new(),
            expires: None,
        },
        access::Proof::Token,
    ))
}

fn ask(text: &str) -> Query {
    Query::new(text, COLLECTION, Scopes::everyone())
}

fn unit(values: &[f32]) -> Embedding {
    Embedding::new(values.to_vec(), values.len()).unwrap()
}

async fn urls(index: &EmbeddedIndex, query: &Query, vector: Option<&Embedding>) -> Vec<String> {
    let hits = index.find(query, vector).await.unwrap();
    hits.into_iter().map(|hit| hit.url).collect()
}

#[tokio::test]
async fn words_find_passages_in_any_form_and_language() {
    let (_folder, index) = index();
    for (url, text) in [
        ("/en", "A person approves each request on a card."),
        (
            "/de",
            "Die Genehmigungen werden von einer Person erteilt und der Antrag ist versiegelt.",
        ),
        ("/ru", "Подтверждения заявок принимает человек."),
        ("/other", "The weather is fine today."),
    ] {
        index
            .put(document(None, url, &[(text, None)]))
            .await
            .unwrap();
    }
    for (question, url) in [
        ("approving requests", "/en"),
        ("Wer erteilt eine Genehmigung und wie?", "/de"),
        ("подтверждение заявки", "/ru"),
    ] {
        assert_eq!(
            urls(&index, &ask(question), None)
                .await
                .first()
                .map(String::as_str),
            Some(url),
            "{question}"
        );
    }
    assert!(urls(&index, &ask("zebra"), None).await.is_empty());
    assert!(urls(&index, &ask("\"' OR * ( NEAR"), None).await.is_empty());
}

#[tokio::test]
async fn words_and_meaning_are_joined() {
    let (_folder, index) = index();
    index
        .put(document(
            None,
            "/meaning",
            &[("cats and dogs", Some(unit(&[1.0, 0.1, 0.0])))],
        ))
        .await
        .unwrap();
    index
        .put(document(
            None,
            "/words",
            &[("zebra crossing", Some(unit(&[0.0, 1.0, 0.0])))],
        ))
        .await
        .unwrap();
    index
        .put(document(
            None,
            "/neither",
            &[("nothing", Some(unit(&[0.0, 0.0, 1.0])))],
        ))
        .await
        .unwrap();
    let hits = index
        .find(&ask("zebra"), Some(&unit(&[1.0, 0.0, 0.0])))
        .await
        .unwrap();
    let found: Vec<(&str, f32)> = hits
        .iter()
        .map(|hit| (hit.url.as_str(), hit.cosine.unwrap()))
        .collect();
    assert_eq!(found[0].0, "/words", "both rankings have it: {found:?}");
    assert_eq!(found[1].0, "/meaning");
    assert!(
        found[1].1 > 0.99 && found[0].1.abs() < 0.01,
        "scores are similarities: {found:?}"
    );
}

#[tokio::test]
async fn a_document_is_replaced_and_removed() {
    let (_folder, index) = index();
    let place = document(None, "/a", &[]).place;
    index
        .put(document(
            None,
            "/a",
            &[("first version", Some(unit(&[1.0, 0.0])))],
        ))
        .await
        .unwrap();
    assert_eq!(
        urls(&index, &ask("first"), Some(&unit(&[1.0, 0.0]))).await,
        ["/a"]
    );
    index
        .put(document(
            None,
            "/a",
            &[("second edition", Some(unit(&[0.0, 1.0])))],
        ))
        .await
        .unwrap();
    assert!(urls(&index, &ask("first"), None).await.is_empty());
    let hits = index
        .find(&ask("edition"), Some(&unit(&[1.0, 0.0])))
        .await
        .unwrap();
    assert_eq!(hits.len(), 1, "the former vector is gone");
    assert_eq!(hits[0].text, "second edition");
    let known = index.list_versions(&place).await.unwrap();
    assert_eq!((known.len(), known[0].hash.as_str()), (1, "1"));
    assert_eq!(
        index
            .remove(&place, &["/a".to_owned(), "/none".to_owned()])
            .await
            .unwrap(),
        1
    );
    assert!(
        urls(&index, &ask("edition"), Some(&unit(&[1.0, 0.0])))
            .await
            .is_empty()
    );
    assert!(index.collections(&[]).await.unwrap().is_empty());
}

#[tokio::test]
async fn documents_of_another_process_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index.db");
    let (server, other) = (
        EmbeddedIndex::open(&path).unwrap(),
        EmbeddedIndex::open(&path).unwrap(),
    );
    let vector = unit(&[1.0, 0.0]);
    assert!(urls(&server, &ask("zebra"), Some(&vector)).await.is_empty());
    other
        .put(document(None, "/a", &[("zebra", Some(vector.clone()))]))
        .await
        .unwrap();
    assert_eq!(
        urls(&server, &ask("unrelated"), Some(&vector)).await,
        ["/a"]
    );
    drop((server, other));
    let reopened = EmbeddedIndex::open(&path).unwrap();
    assert_eq!(urls(&reopened, &ask("zebra"), Some(&vector)).await, ["/a"]);
}

#[tokio::test]
async fn filters_are_exact() {
    let (_folder, index) = index();
    let vector = unit(&[1.0, 0.0]);
    index
        .put(document(
            None,
            "/sources/x/a",
            &[("zebra", Some(vector.clone()))],
        ))
        .await
        .unwrap();
    index
        .put(document(
            None,
            "/sources/y/b",
            &[("zebra", Some(vector.clone()))],
        ))
        .await
        .unwrap();
    let prefixed = Query {
        url_prefix: Some("/sources/y/".to_owned()),
        ..ask("zebra")
    };
    assert_eq!(
        urls(&index, &prefixed, Some(&vector)).await,
        ["/sources/y/b"]
    );
    for (value, count) in [("en", 2), ("de", 0)] {
        let tagged = Query {
            metadata: vec![("lang".to_owned(), value.to_owned())],
            ..ask("zebra")
        };
        assert_eq!(urls(&index, &tagged, Some(&vector)).await.len(), count);
        assert_eq!(urls(&index, &tagged, None).await.len(), count);
    }
    let other = Query {
        collection: "other".to_owned(),
        ..ask("zebra")
    };
    assert!(urls(&index, &other, Some(&vector)).await.is_empty());
}

/// Three companies with fifty documents each; each queries all of them.
// design: promises tenant filter
#[tokio::test]
async fn nobody_finds_documents_of_other_owners() {
    let (_folder, index) = index();
    let owners: Vec<Uuid> = (0..3).map(|_| Uuid::now_v7()).collect();
    let vector = |n: usize| unit(&[1.0, n as f32 / 150.0, 0.3]);
    for (o, owner) in owners.iter().enumerate() {
        for n in 0..50 {
            let canary = format!("canary{o}x{n} secret number");
            index
                .put(document(
                    Some(*owner),
                    &format!("/{o}/{n}"),
                    &[(&canary, Some(vector(o * 50 + n)))],
                ))
                .await
                .unwrap();
        }
    }
    for (o, owner) in owners.iter().enumerate() {
        for target in 0..3 {
            for n in 0..50 {
                let query = Query {
                    scopes: scopes(*owner),
                    top_k: 20,
                    ..ask(&format!("canary{target}x{n} secret"))
                };
                let hits = index
                    .find(&query, Some(&vector(target * 50 + n)))
                    .await
                    .unwrap();
                assert!(!hits.is_empty());
                assert!(hits.iter().all(|hit| hit.owner == Some(*owner)));
                assert!(
                    hits.iter()
                        .all(|hit| hit.text.starts_with(&format!("canary{o}x")))
                );
            }
        }
    }
    assert!(
        urls(&index, &ask("canary0x1"), Some(&vector(1)))
            .await
            .is_empty()
    );
    assert!(index.documents(COLLECTION, &[]).await.unwrap().is_empty());
    assert_eq!(
        index
            .documents(COLLECTION, &[owners[0]])
            .await
            .unwrap()
            .len(),
        50
    );
    assert!(
        index
            .document(COLLECTION, &[owners[1]], "/0/1")
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        index
            .document(COLLECTION, &[owners[0]], "/0/1")
            .await
            .unwrap()
            .is_some()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn no_query_causes_an_error(question in "\\PC{1,80}") {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let (_folder, index) = index();
            index.put(document(None, "/a", &[("some text", Some(unit(&[1.0, 0.0])))])).await.unwrap();
            index.find(&ask(&question), Some(&unit(&[0.0, 1.0]))).await.unwrap();
        });
    }
}

/// A search on an older snapshot must not revert newer changes of the cache.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn searches_beside_changes_lose_no_passage() {
    let (_folder, index) = index();
    let vector = |n: usize| unit(&[1.0, n as f32, 0.5]);
    let searches: Vec<_> = (0..3)
        .map(|_| {
            let index = index.clone();
            tokio::spawn(async move {
                for n in 0..150 {
                    let question = vector(n % 40);
                    index.find(&ask("zebra"), Some(&question)).await.unwrap();
                }
            })
        })
        .collect();
    let place = document(None, "/", &[]).place;
    for n in 0..40 {
        let text = format!("zebra number{n}");
        let passages: Vec<_> = (0..3)
            .map(|m| (text.as_str(), Some(vector(n + m))))
            .collect();
        index
            .put(document(None, &format!("/{n}"), &passages))
            .await
            .unwrap();
        if n % 4 == 3 {
            let former = format!("/{}", n - 2);
            assert_eq!(index.remove(&place, &[former]).await.unwrap(), 1);
        }
    }
    for search in searches {
        search.await.unwrap();
    }
    for n in 0..40 {
        let question = Query {
            ways: Ways::Words,
            ..ask(&format!("number{n}"))
        };
        let all = Query {
            ways: Ways::Meaning,
            url_prefix: Some(format!("/{n}")),
            top_k: 50,
            ..ask("anything")
        };
        let expected = if n % 4 == 1 { 0 } else { 3 };
        assert_eq!(urls(&index, &question, None).await.len(), expected, "{n}");
        let near = urls(&index, &all, Some(&vector(n))).await;
        let own = near.iter().filter(|url| **url == format!("/{n}")).count();
        assert_eq!(own, expected, "{n}: {near:?}");
    }
}

/// A narrow filter finds its documents even if others are nearer.
#[tokio::test]
async fn a_narrow_filter_finds_distant_passages() {
    let (_folder, index) = index();
    let near: Vec<(&str, Option<Embedding>)> = (0..400)
        .map(|n| ("zebra", Some(unit(&[1.0, n as f32 / 10_000.0]))))
        .collect();
    index.put(document(None, "/near", &near)).await.unwrap();
    let far = [("zebra", Some(unit(&[-1.0, 1.0])))];
    index.put(document(None, "/far", &far)).await.unwrap();
    let narrow = Query {
        url_prefix: Some("/far".to_owned()),
        ..ask("nothing of it")
    };
    assert_eq!(
        urls(&index, &narrow, Some(&unit(&[1.0, 0.0]))).await,
        ["/far"]
    );
}

/// Word frequencies in other owners' documents change no ranking.
#[tokio::test]
async fn words_of_other_owners_change_no_ranking() {
    let (_folder, index) = index();
    let (me, other) = (Uuid::now_v7(), Uuid::now_v7());
    for (url, text) in [
        ("/a", "gauge calibration in the north hall"),
        ("/b", "valve inspection in the north hall"),
        ("/c", "the canteen opens at noon"),
    ] {
        index
            .put(document(Some(me), url, &[(text, None)]))
            .await
            .unwrap();
    }
    let query = Query {
        scopes: scopes(me),
        ..ask("valve inspection of the gauge in the hall")
    };
    let told = |hits: Vec<super::super::Hit>| -> Vec<(String, f32)> {
        hits.into_iter().map(|hit| (hit.url, hit.share)).collect()
    };
    let before = told(index.find(&query, None).await.unwrap());
    let crowd = vec![("valve inspection valve inspection", None); 300];
    index
        .put(document(Some(other), "/x", &crowd))
        .await
        .unwrap();
    assert_eq!(before, told(index.find(&query, None).await.unwrap()));
    assert_eq!(before[0].0, "/b");
}

#[tokio::test]
async fn a_word_in_every_passage_is_still_found() {
    let (_folder, index) = index();
    let many = "zebra ".repeat(90);
    let passages = vec![(many.as_str(), None); 100];
    index.put(document(None, "/many", &passages)).await.unwrap();
    let one = [("zebra okapi", None)];
    index.put(document(None, "/one", &one)).await.unwrap();
    assert_eq!(urls(&index, &ask("zebra"), None).await.len(), 5);
    assert_eq!(
        urls(&index, &ask("zebra okapi"), None).await[0],
        "/one",
        "the rare word leads"
    );
}

/// Vectors in clusters, as real embeddings are.
fn clustered(count: usize, dimension: usize, seed: u64) -> Vec<Embedding> {
    let mut state = seed;
    let mut random = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as f32 / (1_u64 << 31) as f32) - 0.5
    };
    let centres: Vec<Vec<f32>> = (0..200)
        .map(|_| (0..dimension).map(|_| random()).collect())
        .collect();
    (0..count)
        .map(|n| {
            let centre = &centres[n % centres.len()];
            let values = centre.iter().map(|value| value + 0.7 * random()).collect();
            Embedding::new(values, dimension).unwrap()
        })
        .collect()
}

#[tokio::test]
async fn the_scan_finds_the_true_neighbours() {
    recall(4_000, 40).await;
}

/// An index with words and vectors for this many passages.
async fn filled(vectors: &[Embedding]) -> (TempDir, EmbeddedIndex) {
    const WORDS: &[&str] = &[
        "approval", "request", "person", "card", "server", "turn", "tool", "model", "company",
        "scope", "journal", "lease", "document", "passage", "answer", "question",
    ];
    let (folder, index) = index();
    for (n, batch) in vectors.chunks(500).enumerate() {
        let texts: Vec<String> = (0..batch.len())
            .map(|m| {
                let word = |k: usize| WORDS[(n * 31 + m * 7 + k * 5) % WORDS.len()];
                format!(
                    "{} {} {} term{} {}",
                    word(0),
                    word(1),
                    word(2),
                    (n * 500 + m) % 5_000,
                    word(3)
                )
            })
            .collect();
        let passages: Vec<(&str, Option<Embedding>)> = texts
            .iter()
            .map(String::as_str)
            .zip(batch.iter().cloned().map(Some))
            .collect();
        index
            .put(document(None, &format!("/{n}"), &passages))
            .await
            .unwrap();
    }
    (folder, index)
}

/// Asserts that the ten nearest of each query are the true ten.
async fn recall(count: usize, questions: usize) {
    let vectors = clustered(count, 384, 7);
    let (_folder, index) = filled(&vectors).await;
    let asked = clustered(questions, 384, 99);
    for (noise, vector) in asked.iter().zip(vectors.iter().step_by(count / questions)) {
        let mixed = vector.values().iter().zip(noise.values());
        let values = mixed.map(|(a, b)| a + 0.5 * b).collect();
        let question = Embedding::new(values, 384).unwrap();
        let mut truth: Vec<f32> = vectors
            .iter()
            .map(|vector| vector.cosine(&question))
            .collect();
        truth.sort_by(|a, b| b.total_cmp(a));
        let query = Query {
            top_k: 10,
            ways: Ways::Meaning,
            ..ask("by meaning alone")
        };
        let found = index.find(&query, Some(&question)).await.unwrap();
        let found: Vec<f32> = found.iter().map(|hit| hit.cosine.unwrap()).collect();
        assert_eq!(found.len(), 10);
        for (found, truth) in found.iter().zip(&truth) {
            assert!((found - truth).abs() < 1e-5, "{found} {truth}");
        }
    }
}

#[path = "embedded_file_tests.rs"]
mod embedded_file_tests;

#[path = "embedded_words_tests.rs"]
mod embedded_words_tests;
