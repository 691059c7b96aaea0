//! Tests of the scripted server itself, with a plain socket as client.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::fault::{self, Embedding};
use super::{Answer, Gate, ModelServer, call, calls, say, say_and_call, status};

struct Client(TcpStream);

impl Client {
    async fn connect(server: &ModelServer) -> Self {
        Self(TcpStream::connect(server.address).await.unwrap())
    }

    async fn send(&mut self, method: &str, path: &str, body: &str) {
        let text = format!(
            "{method} {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer k\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.0.write_all(text.as_bytes()).await.unwrap();
    }

    async fn until(&mut self, end: &str) -> String {
        let mut bytes = Vec::new();
        while !String::from_utf8_lossy(&bytes).ends_with(end) {
            assert!(self.0.read_buf(&mut bytes).await.unwrap() > 0);
        }
        String::from_utf8(bytes).unwrap()
    }

    async fn chat(&mut self, stream: bool) -> String {
        let body = json!({
            "stream": stream,
            "stream_options": {"include_usage": true},
            "messages": [{"role": "user", "content": "hi"}],
        });
        self.send("POST", "/v1/chat/completions", &body.to_string())
            .await;
        self.until(if stream { "0\r\n\r\n" } else { "}" }).await
    }
}

fn failure(server: ModelServer) -> String {
    let panic = catch_unwind(AssertUnwindSafe(|| drop(server))).unwrap_err();
    panic.downcast_ref::<String>().unwrap().clone()
}

// design: 000 mock responses, mock call history, fixture
#[tokio::test]
async fn requests_are_answered_in_the_order_of_the_script_over_one_connection() {
    let server = ModelServer::start().await;
    server.script([
        say("one"),
        call("find", json!({"a": 1})),
        status(429).retry_after("2"),
    ]);
    let mut client = Client::connect(&server).await;
    let first = client.chat(true).await;
    assert!(
        first.contains(r#""content":"one""#) && first.contains("data: [DONE]"),
        "{first}"
    );
    assert!(first.contains(r#""prompt_tokens":100"#), "{first}");
    let second = client.chat(true).await;
    assert!(
        second.contains(r#""id":"call_1""#) && second.contains("tool_calls"),
        "{second}"
    );
    client.send("POST", "/v1/chat/completions", "{}").await;
    let third = client.until("}}").await;
    assert!(
        third.starts_with("HTTP/1.1 429") && third.contains("Retry-After: 2"),
        "{third}"
    );
    assert_eq!((server.request_count(), server.connection_count()), (3, 1));
    assert_eq!(server.request(0).last_user().unwrap(), "hi");
    assert_eq!(server.request(0).header("authorization"), Some("Bearer k"));
    server.finish();
}

#[tokio::test]
async fn a_request_without_stream_gets_one_json_object() {
    let server = ModelServer::start().await;
    server.script([
        say_and_call("Looking.", "find", json!({})),
        say("again").plain(),
    ]);
    let mut client = Client::connect(&server).await;
    let answer = client.chat(false).await;
    assert!(
        answer.contains(r#""content":"Looking.""#) && answer.contains(r#""name":"find""#),
        "{answer}"
    );
    client
        .send("POST", "/v1/chat/completions", r#"{"stream":true}"#)
        .await;
    assert!(client.until("}").await.contains("chat.completion\""));
}

#[tokio::test]
async fn a_request_beyond_the_script_fails_the_test() {
    let server = ModelServer::start().await;
    let mut client = Client::connect(&server).await;
    assert!(client.chat(false).await.starts_with("HTTP/1.1 400"));
    assert!(failure(server).contains("no line for request 1"));
}

#[tokio::test]
async fn a_line_left_over_fails_the_test() {
    let server = ModelServer::start().await;
    server.script([say("nobody asked")]);
    assert!(failure(server).contains("nobody asked"));
}

// design: 000 mock default
#[tokio::test]
async fn a_default_answer_is_used_when_it_is_set() {
    let server = ModelServer::start().await;
    let done = say("done").prepared();
    let work = calls([("find", json!({}))]).prepared();
    server.without_history().otherwise_with(move |request| {
        if request.ends_with_tool_result() {
            done.clone()
        } else {
            work.clone()
        }
    });
    let mut client = Client::connect(&server).await;
    assert!(client.chat(true).await.contains("call_1"));
    let body = r#"{"stream":true,"messages":[{"role":"user"},{"role":"tool","content":"\"role\":\"user\""}]}"#;
    client.send("POST", "/v1/chat/completions", body).await;
    assert!(client.until("0\r\n\r\n").await.contains("done"));
    assert_eq!((server.request_count(), server.requests().len()), (2, 0));
}

#[tokio::test]
async fn an_answer_waits_for_its_gate_and_detects_a_disconnect() {
    let server = ModelServer::start().await;
    let gate = Gate::shut();
    server.script([
        say("a").after(&gate),
        fault::silence(),
        say("b").then_wait(&Gate::shut()),
    ]);
    let mut client = Client::connect(&server).await;
    client
        .send("POST", "/v1/chat/completions", r#"{"stream":true}"#)
        .await;
    server.requested(1).await;
    gate.open();
    client.until("0\r\n\r\n").await;
    client
        .send("POST", "/v1/chat/completions", r#"{"stream":true}"#)
        .await;
    server.requested(2).await;
    drop(client);
    server.abandoned(1).await;
    assert!(!server.is_silent());
    let mut client = Client::connect(&server).await;
    client
        .send("POST", "/v1/chat/completions", r#"{"stream":true}"#)
        .await;
    client.until("}\n\n\r\n").await;
    drop(client);
    server.abandoned(2).await;
}

#[tokio::test]
async fn bodies_are_cut_where_the_test_wants() {
    let server = ModelServer::start().await;
    server.script([say("aé").writes_of(1), say("x").writes_at([3, 5])]);
    let mut client = Client::connect(&server).await;
    let answer = {
        client
            .send("POST", "/v1/chat/completions", r#"{"stream":true}"#)
            .await;
        let mut bytes = Vec::new();
        while !bytes.ends_with(b"0\r\n\r\n") {
            client.0.read_buf(&mut bytes).await.unwrap();
        }
        bytes
    };
    let e: &[u8] = b"1\r\n\xc3\r\n1\r\n\xa9\r\n";
    assert!(answer.windows(e.len()).any(|w| w == e));
    let answer = client.chat(true).await;
    assert!(answer.contains("3\r\ndat\r\n2\r\na:\r\n"), "{answer}");
}

#[tokio::test]
async fn the_server_lists_models_and_embeds() {
    let server = ModelServer::start().await;
    server.models(["m"]).embeddings(Embedding::Dimension(3));
    let mut client = Client::connect(&server).await;
    client.send("GET", "/v1/models", "").await;
    assert!(client.until("}").await.contains(r#""id":"m""#));
    client
        .send("POST", "/v1/embeddings", r#"{"input":["a","b"]}"#)
        .await;
    let answer = client.until("}}").await;
    let json: serde_json::Value =
        serde_json::from_str(answer.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    assert_eq!(json["data"][1]["embedding"].as_array().unwrap().len(), 3);
    assert_ne!(json["data"][0]["embedding"], json["data"][1]["embedding"]);
    let faults = [
        (Embedding::NotANumber, "NaN"),
        (Embedding::Empty, r#""embedding":[]"#),
        (Embedding::Missing, r#""data":[]"#),
    ];
    for (fault, shows) in faults {
        server.embeddings(fault);
        client
            .send("POST", "/v1/embeddings", r#"{"input":"a"}"#)
            .await;
        assert!(client.until("}}").await.contains(shows));
    }
}

#[tokio::test]
async fn an_unknown_path_fails_the_test() {
    let server = ModelServer::start().await;
    let mut client = Client::connect(&server).await;
    client.send("GET", "/v2/x", "").await;
    client.until("}}").await;
    assert!(failure(server).contains("GET /v2/x is not served"));
}

#[test]
fn a_script_line_has_a_summary() {
    let lines: Vec<Answer> = vec![say("hello"), status(503)];
    let names: Vec<String> = lines.iter().map(Answer::summary).collect();
    assert_eq!(names, [r#"Text("hello")"#, "status(503)"]);
}
