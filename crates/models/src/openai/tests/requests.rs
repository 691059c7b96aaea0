//! The client sends one body of known length, and a key only if there is one.

use frontdesk_core::message::Message;
use frontdesk_core::model::ModelErrorKind;
use frontdesk_testkit::model_server::{ModelServer, say, status};
use secrecy::SecretString;
use serde_json::json;

use super::super::{OpenAi, OpenAiSettings, SetupError};
use super::{Client, TestRequest, offer, wire};

// design: 000 client tool_choice
#[tokio::test]
async fn a_request_is_one_body_of_known_length() {
    let server = ModelServer::start().await;
    server.script([say("ok")]);
    let mut request = TestRequest::new();
    request.history = wire(&[Message::user("Hi"), Message::assistant("Hello")]);
    request.offer = offer(&["find", "list"]);
    request.settings.temperature = Some(0.7);
    request.settings.max_tokens = Some(1000);
    Client::at(server.url()).say(&request).await.unwrap();
    let request = server.request(0);
    assert_eq!(request.path(), "/v1/chat/completions");
    assert_eq!(
        request.header("authorization"),
        Some("Bearer sk-test-0123456789")
    );
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.header("transfer-encoding"), None);
    let length = request.body().len().to_string();
    assert_eq!(request.header("content-length"), Some(length.as_str()));
    assert_eq!(request.tools(), ["find", "list"]);
    let expected = [
        Message::system("Be brief."),
        Message::user("Hi"),
        Message::assistant("Hello"),
        Message::user("Hello?"),
    ];
    assert_eq!(request.messages(), expected);
    let mut rest = request.json();
    let rest = rest.as_object_mut().unwrap();
    rest.remove("messages");
    rest.remove("tools");
    let expected = json!({
        "model": "gpt-test",
        "stream": true,
        "stream_options": {"include_usage": true},
        "temperature": 0.7,
        "max_tokens": 1000,
        "tool_choice": "auto",
    });
    assert_eq!(json!(rest), expected);
}

// design: 000 client tool_choice
#[tokio::test]
async fn without_a_key_none_is_sent() {
    let server = ModelServer::start().await;
    server.script([say("ok")]);
    let client = Client::of(OpenAiSettings {
        base_url: format!("{}/", server.url()),
        ..OpenAiSettings::default()
    });
    client.say(&TestRequest::new()).await.unwrap();
    assert_eq!(server.request(0).header("authorization"), None);
    assert_eq!(server.request(0).path(), "/v1/chat/completions");
    assert_eq!(server.request(0).parameter("tools"), None);
    assert_eq!(server.request(0).parameter("tool_choice"), None);
}

#[tokio::test]
async fn a_quoted_key_does_not_reach_the_error() {
    let server = ModelServer::start().await;
    let said = "Incorrect API key provided: sk-test-0123456789. Header: Bearer sk-test*****6789";
    server.script([status(401).body(json!({"error": {"message": said}}).to_string())]);
    let error = Client::at(server.url())
        .say(&TestRequest::new())
        .await
        .unwrap_err();
    assert_eq!(error.kind, ModelErrorKind::Unauthorized);
    assert_eq!(error.status, Some(401));
    assert!(!format!("{error:?}").contains("sk-"), "{error}");
    assert!(
        error
            .message
            .contains("Incorrect API key provided: [redacted]"),
        "{error}"
    );
}

#[tokio::test]
async fn an_error_inside_a_stream_is_redacted_as_well() {
    let server = ModelServer::start().await;
    let error = json!({"error": {"message": "bad key sk-test-0123456789", "code": 401}});
    server.script([say("").then_event(error.to_string())]);
    let error = Client::at(server.url())
        .say(&TestRequest::new())
        .await
        .unwrap_err();
    assert_eq!(error.kind, ModelErrorKind::Unauthorized);
    assert!(error.message.ends_with("bad key [redacted]"), "{error}");
}

#[test]
fn settings_do_not_show_the_key() {
    let settings = OpenAiSettings {
        api_key: Some(SecretString::from("sk-secret")),
        ..OpenAiSettings::default()
    };
    assert!(!format!("{settings:?}").contains("secret"), "{settings:?}");
}

#[tokio::test]
async fn bad_settings_are_refused_with_the_fix() {
    let refuse = |base_url: &str, key: &str| {
        let settings = OpenAiSettings {
            base_url: base_url.to_owned(),
            api_key: Some(SecretString::from(key)),
            ..OpenAiSettings::default()
        };
        OpenAi::new(settings).err()
    };
    assert!(matches!(
        refuse("api.openai.com/v1", "k"),
        Some(SetupError::BaseUrl { .. })
    ));
    assert_eq!(refuse("ftp://x/v1", "k"), Some(SetupError::Scheme));
    assert_eq!(
        refuse("http://u:p@x/v1", "k"),
        Some(SetupError::Credentials)
    );
    assert_eq!(
        refuse("http://x/v1", "line\nbreak"),
        Some(SetupError::ApiKey)
    );
    assert_eq!(refuse("http://x/v1", "k"), None);
    assert_eq!(refuse("https://api.openai.com/v1", "k"), None);
}
