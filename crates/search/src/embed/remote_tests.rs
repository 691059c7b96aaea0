//! Cohere's and OpenAI's protocols against servers on loopback.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Json;
use axum::Router;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use chrono::Utc;
use frontdesk_core::embed::{EmbedError, Embedder, Purpose};
use secrecy::SecretString;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::{DIMENSIONS, Remote, RemoteEmbedder, RemoteReranker, usual_dimension};
use crate::chunk;
use crate::index::Hit;

const KEY: &str = "key-that-nobody-may-see";

async fn serve(router: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}")
}

fn remote(base_url: &str, dimension: usize) -> Remote {
    Remote {
        base_url: base_url.to_owned(),
        api_key: Some(SecretString::from(KEY)),
        model: "m".to_owned(),
        dimension,
    }
}

/// A Cohere endpoint that checks every field and embeds by the first letter.
async fn cohere_embed(headers: HeaderMap, Json(body): Json<Value>) -> Response {
    assert_eq!(headers["authorization"], format!("Bearer {KEY}"));
    let keys: Vec<&String> = body.as_object().unwrap().keys().collect();
    for key in keys {
        assert!(
            [
                "model",
                "texts",
                "input_type",
                "embedding_types",
                "truncate",
                "output_dimension"
            ]
            .contains(&key.as_str()),
            "{key}"
        );
    }
    assert!(["search_document", "search_query"].contains(&body["input_type"].as_str().unwrap()));
    assert_eq!(body["embedding_types"], json!(["float"]));
    let texts = body["texts"].as_array().unwrap();
    if texts.len() > 96 {
        return (
            StatusCode::BAD_REQUEST,
            Json(json!({ "message": "too many texts" })),
        )
            .into_response();
    }
    let vectors: Vec<Value> = texts
        .iter()
        .map(|text| one_hot(text.as_str().unwrap()))
        .collect();
    Json(json!({ "id": "x", "embeddings": { "float": vectors }, "texts": [], "meta": {} }))
        .into_response()
}

fn one_hot(text: &str) -> Value {
    let place = text.bytes().next().unwrap_or(0) as usize % 256;
    (0..256)
        .map(|n| if n == place { 2.0 } else { 0.0 })
        .collect()
}

#[tokio::test]
async fn cohere_embeds_in_batches() {
    let base = serve(Router::new().route("/v2/embed", post(cohere_embed))).await;
    let cohere = RemoteEmbedder::cohere(remote(&format!("{base}/v2"), 256)).unwrap();
    let texts: Vec<String> = (0..200)
        .map(|n| char::from(b'A' + (n % 26) as u8).to_string())
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = cohere.embed(&texts, Purpose::Document).await.unwrap();
    assert_eq!(vectors.len(), 200);
    assert!(
        (vectors[27].values()[usize::from(b'B')] - 1.0).abs() < 1e-6,
        "of unit length, in order"
    );
    assert_eq!(cohere.embed(&["x"], Purpose::Query).await.unwrap().len(), 1);
}

#[tokio::test]
async fn openai_embeddings_are_put_in_order() {
    let embed = |Json(body): Json<Value>| async move {
        let inputs = body["input"].as_array().unwrap().clone();
        let mut data: Vec<Value> = inputs.iter().enumerate().map(|(n, text)| json!({ "object": "embedding", "index": n, "embedding": one_hot(text.as_str().unwrap()) })).collect();
        data.reverse();
        Json(
            json!({ "object": "list", "data": data, "model": "m", "usage": { "prompt_tokens": 1, "total_tokens": 1 } }),
        )
    };
    let base = serve(Router::new().route("/v1/embeddings", post(embed))).await;
    let openai = RemoteEmbedder::openai(remote(&format!("{base}/v1"), 256)).unwrap();
    let vectors = openai.embed(&["A", "B"], Purpose::Query).await.unwrap();
    assert!(
        vectors[0].values()[usize::from(b'A')] > 0.99
            && vectors[1].values()[usize::from(b'B')] > 0.99
    );
}

#[tokio::test]
async fn a_rate_limit_is_waited_out() {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let embed = move |headers: HeaderMap, body: Json<Value>| {
        let attempt = counted.fetch_add(1, Ordering::SeqCst);
        async move {
            match attempt {
                0 => (
                    StatusCode::TOO_MANY_REQUESTS,
                    [("retry-after", "0")],
                    "slow down",
                )
                    .into_response(),
                1 => (StatusCode::BAD_GATEWAY, "broken").into_response(),
                _ => cohere_embed(headers, body).await,
            }
        }
    };
    let base = serve(Router::new().route("/embed", post(embed))).await;
    let cohere = RemoteEmbedder::cohere(remote(&base, 256)).unwrap();
    assert_eq!(cohere.embed(&["x"], Purpose::Query).await.unwrap().len(), 1);
    assert_eq!(count.load(Ordering::SeqCst), 3);
}

type IsRight = fn(&EmbedError) -> bool;

// design: 001 CohereAPIError
#[tokio::test]
async fn each_bad_response_has_its_own_error() {
    let cases: Vec<(Value, IsRight)> = vec![
        (json!([[1.0, 2.0]]), |error| {
            *error
                == EmbedError::Dimension {
                    expected: 256,
                    got: 2,
                }
        }),
        (json!([[]]), |error| {
            matches!(error, EmbedError::Dimension { got: 0, .. })
        }),
        (json!([vec![Value::Null; 256]]), |error| {
            *error == EmbedError::NotANumber
        }),
        (json!([vec!["NaN"; 256]]), |error| {
            *error == EmbedError::NotANumber
        }),
        (json!([vec![0.0; 256]]), |error| {
            *error == EmbedError::NotANumber
        }),
        (
            json!([]),
            |error| matches!(error, EmbedError::Rejected(why) if why.contains("0 vectors")),
        ),
    ];
    for (vectors, expected) in cases {
        let answer = json!({ "embeddings": { "float": vectors } });
        let base = serve(Router::new().route(
            "/embed",
            post(move || {
                let answer = answer.clone();
                async move { Json(answer) }
            }),
        ))
        .await;
        let error = RemoteEmbedder::cohere(remote(&base, 256))
            .unwrap()
            .embed(&["x"], Purpose::Query)
            .await
            .unwrap_err();
        assert!(expected(&error), "{error:?}");
    }
}

#[tokio::test]
async fn errors_never_hold_the_key() {
    let echo = |headers: HeaderMap| async move {
        (
            StatusCode::UNPROCESSABLE_ENTITY,
            format!("bad: {:?}", headers["authorization"].to_str()),
        )
    };
    let base = serve(Router::new().route("/embed", post(echo))).await;
    let error = RemoteEmbedder::cohere(remote(&base, 256))
        .unwrap()
        .embed(&["x"], Purpose::Query)
        .await
        .unwrap_err();
    let shown = format!("{error} {error:?}");
    assert!(shown.contains("[key]") && !shown.contains(KEY), "{shown}");
    let closed = RemoteEmbedder::cohere(remote("http://127.0.0.1:1", 256)).unwrap();
    assert!(matches!(
        closed.embed(&["x"], Purpose::Query).await,
        Err(EmbedError::Unavailable(_))
    ));
}

#[test]
fn addresses_and_dimensions_are_checked_at_start() {
    for (base, dimension) in [
        ("ftp://x", 384),
        ("not an address", 384),
        ("http://u:p@host", 384),
        ("http://host", 385),
    ] {
        assert!(
            RemoteEmbedder::openai(remote(base, dimension)).is_err(),
            "{base} {dimension}"
        );
    }
}

fn hit(id: &str) -> Hit {
    Hit {
        id: id.to_owned(),
        owner: None,
        collection: String::new(),
        url: String::new(),
        title: String::new(),
        text: id.to_owned(),
        index: 0,
        tokens: 0,
        taken: Utc::now(),
        config: chunk::DEFAULT,
        model: String::new(),
        metadata: Default::default(),
        context: String::new(),
        section: String::new(),
        page: None,
        cosine: Some(0.5),
        share: 0.0,
        vector: None,
    }
}

/// The order of a, b and c after a service gave this answer.
async fn reranked(wanted: &'static str, answer: Value) -> Vec<String> {
    let rank = move |Json(body): Json<Value>| async move {
        if body[wanted].as_array().is_none_or(|texts| texts.len() != 3) {
            let problem = json!({ "error": format!("missing field `{wanted}`") });
            return (StatusCode::UNPROCESSABLE_ENTITY, Json(problem)).into_response();
        }
        Json(answer).into_response()
    };
    let base = serve(Router::new().route("/v1/rerank", post(rank))).await;
    let reranker = RemoteReranker::new(&format!("{base}/v1"), None, "any".to_owned()).unwrap();
    let hits = vec![hit("a"), hit("b"), hit("c")];
    let ordered = reranker.rerank("q", hits).await.unwrap();
    assert!(ordered.iter().all(|hit| hit.cosine == Some(0.5)));
    ordered.into_iter().map(|hit| hit.id).collect()
}

#[tokio::test]
async fn reranking_changes_only_the_order() {
    let unknown = json!({ "results": [{ "index": 2, "relevance_score": 0.9 }, { "index": 9, "relevance_score": 0.5 }] });
    assert_eq!(reranked("documents", unknown).await, ["c", "a", "b"]);
    let unsorted = json!({ "model": "m", "results": [
        { "index": 0, "relevance_score": -7.5 }, { "index": 1, "relevance_score": 3.1 }, { "index": 2, "relevance_score": 0.2 }
    ] });
    assert_eq!(reranked("documents", unsorted).await, ["b", "c", "a"]);
}

#[tokio::test]
async fn services_that_answer_rerank_in_another_form_are_understood() {
    let voyage = json!({ "object": "list", "data": [{ "index": 1, "relevance_score": 0.9 }, { "index": 0, "relevance_score": 0.2 }] });
    assert_eq!(reranked("documents", voyage).await, ["b", "a", "c"]);
    let inference = json!([{ "index": 2, "score": 0.99 }, { "index": 1, "score": 0.1 }, { "index": 0, "score": 0.01 }]);
    assert_eq!(reranked("texts", inference).await, ["c", "b", "a"]);
}

/// The fields of a request besides `model`, for a question and for a document.
struct Expected {
    model: &'static str,
    dimension: usize,
    query: Value,
    document: Value,
}

/// Sends a question and a document to a service that knows no other fields than expected.
async fn check_fields(expected: Expected) {
    let Expected {
        model,
        dimension,
        query,
        document,
    } = expected;
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let embed = move |Json(body): Json<Value>| async move {
        log.lock().unwrap().push(body);
        let vector = vec![0.5; dimension];
        Json(
            json!({ "data": [{ "index": 0, "embedding": vector }], "embeddings": { "float": [vector] } }),
        )
    };
    let router = Router::new()
        .route("/embeddings", post(embed.clone()))
        .route("/embed", post(embed));
    let remote = Remote {
        model: model.to_owned(),
        ..remote(&serve(router).await, dimension)
    };
    let embedder = match model.starts_with("embed-") {
        true => RemoteEmbedder::cohere(remote).unwrap(),
        false => RemoteEmbedder::openai(remote).unwrap(),
    };
    embedder.embed(&["text"], Purpose::Query).await.unwrap();
    embedder.embed(&["text"], Purpose::Document).await.unwrap();
    let with_model = |mut fields: Value| {
        fields["model"] = json!(model);
        fields
    };
    let sent = seen.lock().unwrap().clone();
    assert_eq!(sent, [with_model(query), with_model(document)], "{model}");
}

/// The fields with the dimension in the field of this name.
fn with_dimension(mut fields: Value, name: &str, dimension: usize) -> Value {
    fields[name] = json!(dimension);
    fields
}

#[tokio::test]
async fn cohere_gets_the_fields_that_it_knows() {
    let fields = |input_type: &str| {
        json!({
            "texts": ["text"], "input_type": input_type, "embedding_types": ["float"], "truncate": "END",
        })
    };
    let (query, document) = (fields("search_query"), fields("search_document"));
    for dimension in [1_536, 512] {
        check_fields(Expected {
            model: "embed-v4.0",
            dimension,
            query: with_dimension(query.clone(), "output_dimension", dimension),
            document: with_dimension(document.clone(), "output_dimension", dimension),
        })
        .await;
    }
    // It has one dimension only.
    check_fields(Expected {
        model: "embed-multilingual-v3.0",
        dimension: 1_024,
        query,
        document,
    })
    .await;
}

#[tokio::test]
async fn each_service_gets_the_fields_that_it_knows() {
    let openai = |text: &str| json!({ "input": [text], "encoding_format": "float" });
    let shortened = |dimension| with_dimension(openai("text"), "dimensions", dimension);
    let voyage = |input_type: &str| json!({ "input": ["text"], "input_type": input_type });
    let of_2048 = |fields| with_dimension(fields, "output_dimension", 2_048);
    let jina = |task: &str| json!({ "input": ["text"], "task": task, "dimensions": 512 });
    let (task, passage) = (jina("retrieval.query"), jina("retrieval.passage"));
    let (asked, stored) = (voyage("query"), voyage("document"));
    let plain = openai("text");
    let cases = [
        (
            "text-embedding-3-large",
            256,
            shortened(256),
            shortened(256),
        ),
        ("gemini-embedding-001", 768, shortened(768), shortened(768)),
        ("mistral-embed", 1_024, plain.clone(), plain.clone()),
        (
            "voyage-3.5",
            2_048,
            of_2048(asked.clone()),
            of_2048(stored.clone()),
        ),
        ("voyage-law-2", 1_024, asked, stored),
        ("jina-embeddings-v3", 512, task, passage),
        (
            "nomic-embed-text",
            768,
            openai("search_query: text"),
            openai("search_document: text"),
        ),
        (
            "intfloat/multilingual-e5-small",
            384,
            openai("query: text"),
            openai("passage: text"),
        ),
        (
            "snowflake-arctic-embed2",
            1_024,
            openai("query: text"),
            plain.clone(),
        ),
        ("bge-m3", 1_024, plain.clone(), plain),
    ];
    for (model, dimension, query, document) in cases {
        check_fields(Expected {
            model,
            dimension,
            query,
            document,
        })
        .await;
    }
}

#[test]
fn models_have_their_usual_dimension() {
    for (model, dimension) in [
        ("embed-v4.0", Some(1_536)),
        ("embed-multilingual-light-v3.0", Some(384)),
        ("text-embedding-3-large", Some(3_072)),
        ("voyage-large-2", Some(1_536)),
        ("voyage-large-2-instruct", Some(1_024)),
        ("voyage-3.5-lite", Some(1_024)),
        ("voyage-3-lite", Some(512)),
        ("jina-embeddings-v4", Some(2_048)),
        ("BAAI/bge-m3", Some(1_024)),
        ("intfloat/multilingual-e5-large-instruct", Some(1_024)),
        ("unknown", None),
    ] {
        assert_eq!(usual_dimension(model), dimension, "{model}");
        assert!(dimension.is_none_or(|dimension| DIMENSIONS.contains(&dimension)));
    }
}

#[tokio::test]
async fn a_service_that_accepts_fewer_texts_gets_fewer() {
    const MOST: usize = 32;
    let embed = |Json(body): Json<Value>| async move {
        let texts = body["input"].as_array().unwrap();
        if texts.len() > MOST {
            // Text Embeddings Inference with its default limit.
            let problem = json!({ "error": "batch size 96 > maximum allowed batch size 32", "error_type": "Validation" });
            return (StatusCode::UNPROCESSABLE_ENTITY, Json(problem)).into_response();
        }
        let vector = |text: &Value| json!({ "embedding": one_hot(text.as_str().unwrap()) });
        let data: Vec<Value> = texts.iter().map(vector).collect();
        Json(json!({ "data": data })).into_response()
    };
    let base = serve(Router::new().route("/embeddings", post(embed))).await;
    let embedder = RemoteEmbedder::openai(remote(&base, 256)).unwrap();
    let texts: Vec<String> = (0..90).map(|n| char::from(b'!' + n).to_string()).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = embedder.embed(&texts, Purpose::Document).await.unwrap();
    let places = vectors.iter().map(|vector| {
        let is_largest = |value: &f32| *value > 0.99;
        vector.values().iter().position(is_largest).unwrap()
    });
    assert!(places.eq((0..90).map(|n| usize::from(b'!') + n)));
}
