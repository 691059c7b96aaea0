//! RetrievalToolResponse: its exact JSON, its rules and its three states.

use chrono::DateTime;
use frontdesk_core::embed::EmbedError;
use frontdesk_core::search::{ChunkConfig, RetrievalResult, RetrievedChunk, SearchError};
use proptest::prelude::*;
use serde_json::Value;

use crate::retrieval::RetrievalToolResponse;

pub(super) fn chunk(text: &str, title: Option<&str>, score: f64) -> RetrievedChunk {
    RetrievedChunk {
        chunk_id: "1".to_owned(),
        similarity_score: score,
        chunk_text: text.to_owned(),
        url: "http://desk.example/sources/web_documents/a.md".to_owned(),
        title: title.map(str::to_owned),
        chunk_index: 0,
        token_count: 3,
        timestamp: DateTime::UNIX_EPOCH,
        chunk_config: ChunkConfig {
            chunk_size: 512,
            chunk_overlap: 50,
        },
        model_name: "m".to_owned(),
        dimension: 384,
        vector: None,
        context: None,
        section: None,
        page: None,
    }
}

/// As the model gets it, but on several lines.
fn json_of(response: &RetrievalToolResponse) -> String {
    serde_json::to_string_pretty(response).unwrap()
}

fn found(chunks: Vec<RetrievedChunk>) -> RetrievalToolResponse {
    RetrievalToolResponse::found(RetrievalResult::new("how?".to_owned(), chunks, 0.123_456))
}

// design: 001 RetrievalToolResponse.query, RetrievalToolResponse.execution_time_seconds
// design: 001 RetrievalToolResponse.to_json
// design: 001 retrieval success
#[test]
fn the_json_is_exactly_that_of_the_design() {
    let response = found(vec![chunk(
        "A person decides.",
        Some("Approvals"),
        0.876_54,
    )]);
    assert_eq!(
        json_of(&response),
        r#"{
  "results": [
    {
      "text": "A person decides.",
      "url": "http://desk.example/sources/web_documents/a.md",
      "title": "Approvals",
      "score": 0.877
    }
  ],
  "total": 1,
  "query": "how?",
  "error": null,
  "message": null,
  "execution_time": 0.12
}"#
    );
    assert!(!response.is_error());
}

// design: 001 retrieval empty
#[test]
fn nothing_found_is_no_error() {
    let response = found(Vec::new());
    let json: Value = serde_json::from_str(&json_of(&response)).unwrap();
    assert_eq!(
        (json["total"].clone(), json["error"].clone()),
        (Value::from(0), Value::Null)
    );
    assert_eq!(json["results"], Value::Array(Vec::new()));
}

#[test]
fn a_passage_without_a_title_is_untitled() {
    assert_eq!(
        found(vec![chunk("x", None, 0.5)]).results[0].title,
        "Untitled"
    );
    assert_eq!(
        found(vec![chunk("x", Some(" "), 0.5)]).results[0].title,
        "Untitled"
    );
}

// design: 001 RetrievalToolResponse.error, RetrievalToolResponse.message
// design: 001 RetrievalToolResponse.is_error, RetrievalToolResponse rule error, retrieval error
// design: 001 ConfigurationError
#[test]
fn each_failure_is_told_without_what_is_inside() {
    let failures = [
        SearchError::Configuration("QDRANT_API_KEY of db7.internal".to_owned()),
        SearchError::Index("no connection (db7.internal)".to_owned()),
        SearchError::Embedding(EmbedError::Unavailable("db7.internal".to_owned())),
        SearchError::Embedding(EmbedError::RateLimited { retry_after: None }),
        SearchError::TimedOut,
    ];
    for error in failures {
        let response = RetrievalToolResponse::failed("how?".to_owned(), &error, 0.5);
        assert!(response.is_error() && response.results.is_empty() && response.total == 0);
        assert_eq!(response.error, Some("retrieval_unavailable"));
        assert!(
            response
                .message
                .as_ref()
                .is_some_and(|message| !message.is_empty())
        );
        assert!(!json_of(&response).contains("db7"), "{error}");
    }
    let odd =
        RetrievalToolResponse::failed("x".to_owned(), &SearchError::Invalid("y".to_owned()), 0.0);
    assert_eq!(odd.error, Some("unknown_error"));
}

proptest! {
    // design: 001 RetrievalToolResponse.results, RetrievalToolResponse.total
    // design: 001 RetrievalToolResponse rule total, RetrievalToolResponse rule fields
    // design: 001 RetrievalToolResponse rule score
    #[test]
    fn every_response_keeps_the_rules(
        texts in prop::collection::vec("\\PC{0,700}", 0..10),
        scores in prop::collection::vec(-0.5_f64..1.5, 10),
    ) {
        let chunks: Vec<RetrievedChunk> = texts.iter().zip(&scores).map(|(text, score)| chunk(text, Some("T"), *score)).collect();
        let response = found(chunks);
        prop_assert_eq!(response.total, response.results.len());
        let json: Value = serde_json::from_str(&json_of(&response)).unwrap();
        for (result, text) in json["results"].as_array().unwrap().iter().zip(&texts) {
            for key in ["text", "url", "title", "score"] {
                prop_assert!(result.get(key).is_some());
            }
            let shown = result["text"].as_str().unwrap();
            prop_assert!(shown.chars().count() <= 500 && text.contains(shown));
            let score = result["score"].as_f64().unwrap();
            prop_assert!((0.0..=1.0).contains(&score));
            prop_assert!(((score * 1_000.0).round() - score * 1_000.0).abs() < 1e-6);
        }
    }
}
