//! Rejected parameters are omitted and remembered.

use frontdesk_core::model::ModelErrorKind;
use frontdesk_testkit::model_server::{Answer, ModelServer, say, status};
use serde_json::{Value, json};

use super::{Client, TestRequest, offer};

fn rejects(param: &str) -> Answer {
    let message = format!("Unsupported parameter: '{param}' is not supported with this model.");
    let error = json!({"message": message, "type": "invalid_request_error", "param": param, "code": "unsupported_parameter"});
    status(400).body(json!({ "error": error }).to_string())
}

fn request() -> TestRequest {
    let mut request = TestRequest::new();
    request.settings.temperature = Some(0.0);
    request.settings.max_tokens = Some(50);
    request.offer = offer(&["find"]);
    request.schema = Some(
        json!({"type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"], "additionalProperties": false}),
    );
    request
}

/// The parameters of each request, except the model, the tools and the messages.
fn parameters(server: &ModelServer) -> Vec<Value> {
    let of = |request: frontdesk_testkit::model_server::Request| {
        let mut json = request.json();
        for name in ["model", "tools", "messages"] {
            json.as_object_mut().unwrap().remove(name);
        }
        json
    };
    server.requests().into_iter().map(of).collect()
}

#[tokio::test]
async fn each_rejected_parameter_is_dropped_or_replaced_and_remembered() {
    let server = ModelServer::start().await;
    let rejected = [
        "temperature",
        "max_tokens",
        "response_format",
        "response_format.type",
        "stream_options",
        "tool_choice",
        "max_completion_tokens",
        "stream",
    ];
    server
        .script(rejected.map(rejects))
        .script([say("Hello."), say("Again.")]);
    let client = Client::at(server.url());
    assert_eq!(client.say(&request()).await.unwrap().text, "Hello.");
    assert_eq!(client.waits().len(), 0, "that is no failure to wait after");
    assert_eq!(client.say(&request()).await.unwrap().text, "Again.");
    let seen = parameters(&server);
    let full = json!({
        "stream": true,
        "stream_options": {"include_usage": true},
        "temperature": 0.0,
        "max_tokens": 50,
        "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "strict": true, "schema": request().schema}},
        "tool_choice": "auto",
    });
    assert_eq!(seen[0], full);
    assert_eq!(seen[2]["max_completion_tokens"], 50);
    assert_eq!(seen[2].get("max_tokens"), None);
    assert_eq!(seen[3]["response_format"], json!({"type": "json_object"}));
    assert_eq!(seen[5].get("stream_options"), None);
    assert_eq!(seen[8], json!({}));
    assert_eq!(seen[9], json!({}), "the next request knows");
}

#[tokio::test]
async fn a_rejection_applies_to_one_model_only() {
    let server = ModelServer::start().await;
    server.script([rejects("temperature"), say("one"), say("two")]);
    let client = Client::at(server.url());
    let mut other = request();
    other.settings.model = "another".to_owned();
    client.say(&request()).await.unwrap();
    client.say(&other).await.unwrap();
    let seen = parameters(&server);
    assert_eq!(seen[1].get("temperature"), None);
    assert_eq!(seen[2]["temperature"], 0.0);
}

#[tokio::test]
async fn a_server_that_names_the_parameter_in_words_is_understood() {
    let server = ModelServer::start().await;
    let detail = json!({"detail": [{"type": "extra_forbidden", "loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}]});
    server.script([status(422).body(detail.to_string()), say("ok")]);
    Client::at(server.url()).say(&request()).await.unwrap();
    assert_eq!(parameters(&server)[1].get("stream_options"), None);
}

#[tokio::test]
async fn a_rejection_of_something_else_is_an_error_at_once() {
    let server = ModelServer::start().await;
    let mut plain = request();
    plain.settings.temperature = None;
    server.script([rejects("messages"), rejects("temperature")]);
    let client = Client::at(server.url());
    for _ in 0..2 {
        let error = client.say(&plain).await.unwrap_err();
        assert_eq!(error.kind, ModelErrorKind::Rejected);
    }
}

#[tokio::test]
async fn a_schema_with_optional_properties_is_not_strict() {
    let server = ModelServer::start().await;
    server.script([say("{}")]);
    let mut request = request();
    request.schema = Some(json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    Client::at(server.url()).say(&request).await.unwrap();
    assert_eq!(
        parameters(&server)[0]["response_format"]["json_schema"]["strict"],
        false
    );
}
