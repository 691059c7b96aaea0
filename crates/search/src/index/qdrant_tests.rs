//! The Qdrant index against a strict server on loopback.

use std::collections::BTreeMap;

use chrono::Utc;
use frontdesk_core::embed::Embedding;
use frontdesk_core::search::{Query, Scopes, SearchError};
use secrecy::SecretString;
use serde_json::json;
use uuid::Uuid;

use super::super::{Index, NewDocument, NewPassage, Place};
use super::QdrantIndex;
use super::body;
use super::qdrant_schema::problem;
use super::qdrant_server::{KEY, Server};
use crate::chunk;

const COLLECTION: &str = "web_documents";

async fn bench() -> (Server, QdrantIndex) {
    let server = Server::default();
    let url = server.start().await;
    let index = QdrantIndex::new(&url, Some(SecretString::from(KEY)), 2).unwrap();
    (server, index)
}

fn unit(a: f32, b: f32) -> Embedding {
    Embedding::new(vec![a, b], 2).unwrap()
}

fn document(
    owner: Option<Uuid>,
    url: &str,
    hash: &str,
    passages: &[(&str, Embedding)],
) -> NewDocument {
    NewDocument {
        place: Place {
            collection: COLLECTION.to_owned(),
            owner,
        },
        source: "folder".to_owned(),
        url: url.to_owned(),
        title: "Title".to_owned(),
        text: "whole text".to_owned(),
        hash: hash.to_owned(),
        etag: None,
        metadata: BTreeMap::new(),
        config: chunk::DEFAULT,
        taken: Utc::now(),
        model: "m".to_owned(),
        passages: passages
            .iter()
            .map(|(text, vector)| NewPassage {
                text: (*text).to_owned(),
                searched: (*text).to_owned(),
                tokens: 2,
                begin: 0,
                end: 5,
                context: 0..5,
                section: String::new(),
                page: None,
                vector: Some(vector.clone()),
            })
            .collect(),
    }
}

fn ask(text: &str) -> Query {
    Query::new(text, COLLECTION, Scopes::everyone())
}

#[tokio::test]
async fn documents_are_kept_found_replaced_and_removed() {
    let (server, index) = bench().await;
    assert!(
        index
            .find(&ask("zebra"), Some(&unit(1.0, 0.0)))
            .await
            .unwrap()
            .is_empty(),
        "nothing was taken in yet"
    );
    index
        .put(document(
            None,
            "/a",
            "1",
            &[
                ("zebra crossing", unit(1.0, 0.0)),
                ("second passage", unit(0.6, 0.8)),
            ],
        ))
        .await
        .unwrap();
    let hits = index
        .find(&ask("zebra"), Some(&unit(1.0, 0.0)))
        .await
        .unwrap();
    assert_eq!(hits[0].text, "zebra crossing");
    assert!(
        hits[0]
            .cosine
            .is_some_and(|cosine| (cosine - 1.0).abs() < 1e-5)
            && hits[1]
                .cosine
                .is_some_and(|cosine| (cosine - 0.6).abs() < 1e-5),
        "scores are similarities"
    );
    index
        .put(document(
            None,
            "/a",
            "2",
            &[("other words", unit(0.0, 1.0))],
        ))
        .await
        .unwrap();
    assert_eq!(server.0.lock().unwrap().points.len(), 1);
    let place = document(None, "", "", &[]).place;
    let known = index.list_versions(&place).await.unwrap();
    assert_eq!((known.len(), known[0].hash.as_str()), (1, "2"));
    assert_eq!(index.collections(&[]).await.unwrap()[0].chunks, 1);
    let kept = index
        .document(COLLECTION, &[], "/a")
        .await
        .unwrap()
        .unwrap();
    assert_eq!((kept.text.as_str(), kept.passages.len()), ("whole text", 1));
    index.remove(&place, &["/a".to_owned()]).await.unwrap();
    assert!(server.0.lock().unwrap().points.is_empty());
    let kept = server.0.lock().unwrap();
    assert_eq!(
        kept.requests
            .iter()
            .filter(|(what, _)| what == "create")
            .count(),
        1
    );
    assert!(
        kept.indexes
            .iter()
            .any(|index| index["field_name"] == "owner"
                && index["field_schema"]["is_tenant"] == true)
    );
    assert!(
        kept.indexes
            .iter()
            .any(|index| index["field_name"] == "url")
    );
}

// design: promises tenant filter
#[tokio::test]
async fn nobody_finds_documents_of_other_owners() {
    let (_server, index) = bench().await;
    let (own, foreign) = (Uuid::now_v7(), Uuid::now_v7());
    index
        .put(document(
            Some(foreign),
            "/secret",
            "1",
            &[("zebra", unit(1.0, 0.0))],
        ))
        .await
        .unwrap();
    index
        .put(document(None, "/open", "1", &[("zebra", unit(1.0, 0.0))]))
        .await
        .unwrap();
    let hits = index
        .find(&ask("zebra"), Some(&unit(1.0, 0.0)))
        .await
        .unwrap();
    assert_eq!(
        hits.iter().map(|hit| hit.url.as_str()).collect::<Vec<_>>(),
        ["/open"]
    );
    assert_eq!(index.documents(COLLECTION, &[own]).await.unwrap().len(), 1);
    assert!(
        index
            .document(COLLECTION, &[own], "/secret")
            .await
            .unwrap()
            .is_none()
    );
    assert_eq!(
        index.documents(COLLECTION, &[foreign]).await.unwrap().len(),
        2
    );
}

#[tokio::test]
async fn a_different_dimension_is_an_error() {
    let (server, index) = bench().await;
    index
        .put(document(None, "/a", "1", &[("x", unit(1.0, 0.0))]))
        .await
        .unwrap();
    let url = server.start().await;
    let other = QdrantIndex::new(&url, Some(SecretString::from(KEY)), 384).unwrap();
    let refused = other.put(document(None, "/b", "1", &[])).await.unwrap_err();
    assert!(
        matches!(&refused, SearchError::Configuration(why) if why.contains("2 numbers")),
        "{refused}"
    );
}

// design: 001 QdrantConnectionError
#[tokio::test]
async fn a_server_outage_leaves_no_partial_document() {
    let (server, index) = bench().await;
    index
        .put(document(
            None,
            "/a",
            "1",
            &[("one", unit(1.0, 0.0)), ("two", unit(0.0, 1.0))],
        ))
        .await
        .unwrap();
    let requests = server.0.lock().unwrap().requests.len();
    server.0.lock().unwrap().fails_after = Some(requests);
    let refused = index
        .put(document(
            None,
            "/b",
            "1",
            &[("three", unit(1.0, 0.0)), ("four", unit(0.0, 1.0))],
        ))
        .await
        .unwrap_err();
    assert!(matches!(refused, SearchError::Index(_)), "{refused}");
    assert_eq!(server.0.lock().unwrap().points.len(), 2);
    assert!(matches!(
        index.find(&ask("x"), None).await,
        Err(SearchError::Index(_))
    ));
    let nowhere = QdrantIndex::new("http://127.0.0.1:1", None, 2).unwrap();
    assert!(matches!(nowhere.check().await, Err(SearchError::Index(_))));
}

/// The schema check rejects wrong bodies and accepts the index's own.
#[test]
fn requests_match_the_published_models_and_wrong_ones_do_not() {
    let query = ask("zebra");
    let vector = unit(1.0, 0.0);
    let filter = body::filter(&query);
    let good = [
        ("CreateCollection", body::collection(384)),
        ("CreateFieldIndex", body::indexes()[0].clone()),
        (
            "QueryRequest",
            body::query(&query, Some(&vector), &filter, 50),
        ),
        ("QueryRequest", body::query(&query, None, &filter, 50)),
        ("CountRequest", json!({ "filter": filter, "exact": true })),
        ("FilterSelector", json!({ "filter": filter })),
    ];
    for (model, body) in good {
        assert_eq!(problem(model, &body), None, "{model}");
    }
    let points = body::points(document(None, "/a", "1", &[("x", vector)])).unwrap();
    assert_eq!(problem("PointsList", &json!({ "points": points })), None);
    let mut unknown = points[0].clone();
    unknown["vector"]["dense"] = json!([null, 1.0]);
    let wrong = [
        (
            "CreateCollection",
            json!({ "vectors": { "dense": { "size": 384, "distance": "cosine" } } }),
        ),
        (
            "CreateCollection",
            json!({ "vectors": { "dense": { "distance": "Cosine" } } }),
        ),
        (
            "CreateFieldIndex",
            json!({ "field_name": "owner", "field_schema": { "type": "keyword", "tenant": true } }),
        ),
        ("PointsList", json!({ "points": [unknown] })),
        ("PointsList", json!({ "point": points })),
        ("QueryRequest", json!({ "query": { "rrf": { "k": "61" } } })),
        ("QueryRequest", json!({ "query": [1.0], "top": 5 })),
        (
            "FilterSelector",
            json!({ "filter": { "must": [{ "key": "owner", "match": { "is": "x" } }] } }),
        ),
        ("ScrollRequest", json!({ "limit": "many" })),
        ("CountRequest", json!({ "exact": "yes" })),
    ];
    for (model, body) in wrong {
        assert!(problem(model, &body).is_some(), "{model} {body}");
    }
}

#[tokio::test]
async fn a_large_document_is_sent_in_parts_and_put_together_again() {
    let (server, index) = bench().await;
    server.0.lock().unwrap().largest_body = Some(8 * 1024 * 1024);
    let paragraph = "A paragraph of a very long document about valves. ".repeat(60);
    let mut large = document(None, "/large", "1", &[]);
    large.text = paragraph.repeat(4_000);
    large.passages = (0..4_000)
        .map(|at| NewPassage {
            text: paragraph.clone(),
            searched: paragraph.clone(),
            tokens: 1,
            begin: at * paragraph.len(),
            end: (at + 1) * paragraph.len(),
            context: 0..0,
            section: String::new(),
            page: None,
            vector: Some(unit(1.0, 0.0)),
        })
        .collect();
    let whole = large.text.clone();
    index.put(large).await.unwrap();
    let kept = index.document(COLLECTION, &[], "/large").await.unwrap();
    assert!(kept.unwrap().text == whole, "the parts are the document");
    let upserts = |server: &Server| {
        let kept = server.0.lock().unwrap();
        kept.requests
            .iter()
            .filter(|(what, _)| what == "upsert")
            .count()
    };
    assert!(upserts(&server) > 1);
}

#[tokio::test]
async fn a_document_that_qdrant_rejects_fails_alone() {
    let (server, index) = bench().await;
    index
        .put(document(None, "/a", "1", &[("kept", unit(1.0, 0.0))]))
        .await
        .unwrap();
    server.0.lock().unwrap().largest_body = Some(100);
    let refused = index
        .put(document(None, "/a", "2", &[("rejected", unit(1.0, 0.0))]))
        .await;
    assert!(matches!(refused, Err(SearchError::Invalid(why)) if why.contains("413")));
    let hits = index
        .find(&ask("kept"), Some(&unit(1.0, 0.0)))
        .await
        .unwrap();
    assert_eq!(hits[0].text, "kept");
}

#[tokio::test]
async fn address_and_metadata_filters_are_enforced() {
    let (_server, index) = bench().await;
    for (url, team) in [
        ("/sources/c/hr/roles.md", "hr"),
        ("/sources/c/it/rooms.md", "it"),
    ] {
        let mut one = document(None, url, "1", &[("zebra", unit(1.0, 0.0))]);
        one.metadata.insert("team".to_owned(), team.to_owned());
        index.put(one).await.unwrap();
    }
    let vector = unit(1.0, 0.0);
    for (prefix, team, expected) in [
        (Some("/sources/c/hr/"), None, vec!["/sources/c/hr/roles.md"]),
        (
            Some("/sources/c/it/ro"),
            None,
            vec!["/sources/c/it/rooms.md"],
        ),
        (Some("/sources/c/it/x"), None, vec![]),
        (None, Some("it"), vec!["/sources/c/it/rooms.md"]),
        (Some("/sources/c/hr/"), Some("it"), vec![]),
    ] {
        let query = Query {
            url_prefix: prefix.map(str::to_owned),
            metadata: team
                .map(|team| ("team".to_owned(), team.to_owned()))
                .into_iter()
                .collect(),
            ..ask("zebra")
        };
        let hits = index.find(&query, Some(&vector)).await.unwrap();
        let found: Vec<&str> = hits.iter().map(|hit| hit.url.as_str()).collect();
        assert_eq!(found, expected, "{prefix:?} {team:?}");
    }
}
