//! Answers that follow a schema, from the model's wire to the reader's stream: text as it arrives,
//! never the JSON object.

use frontdesk_testkit::model_server::{Answer as ModelAnswer, call, say, status};
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::BOTH;
use crate::server::{Person, SseEvent, TestServer, events, text_of};

const WORDS: &str = "«Анна» 👍🏽 first,\n\tthen \"Bob\" \\o/";

fn reply() -> Value {
    json!({
        "message": WORDS,
        "quickReplies": ["Invite Ann", "Compare", "3", "4", "5"],
        "candidatesMentioned": ["ann", "mallory"],
        "analysisType": "ranking",
    })
}

/// JSON with non-ASCII characters escaped, as some servers send it.
fn in_ascii(reply: &Value) -> String {
    let mut text = String::new();
    for c in reply.to_string().chars() {
        if c.is_ascii() {
            text.push(c);
            continue;
        }
        let mut units = [0; 2];
        for unit in c.encode_utf16(&mut units) {
            text.push_str(&format!("\\u{unit:04x}"));
        }
    }
    text
}

struct Talk {
    server: TestServer,
    who: Person,
    id: String,
}

impl Talk {
    async fn with(server: TestServer) -> Self {
        let who = server.sign_in("rae");
        let new = json!({ "assistant": "scout" });
        let made = server.post(&who, "/conversations", new).await;
        let id = made.body["id"].as_str().unwrap().to_owned();
        Self { server, who, id }
    }

    fn path(&self, rest: &str) -> String {
        format!("/conversations/{}/{rest}", self.id)
    }

    async fn streamed(&self) -> Vec<SseEvent> {
        let path = self.path("messages");
        let request = self.server.request(Method::POST, &path, Some(&self.who));
        events(request.json(&json!({ "content": "Who?" }))).await
    }

    /// The newest stored answer.
    async fn stored(&self) -> Value {
        let path = self.path("messages?order=newest&limit=1");
        self.server.get(&self.who, &path).await.body["items"][0].clone()
    }

    /// A turn whose text must equal `words` byte for byte, in the stream and in the store.
    async fn check(&self, script: impl IntoIterator<Item = ModelAnswer>, words: &str) -> Value {
        self.server.model.script(script);
        let seen = self.streamed().await;
        assert_eq!(text_of(&seen), words);
        for event in &seen {
            let shown = event.data["text"].as_str().unwrap_or_default();
            assert!(!shown.contains("quickReplies"), "{shown}");
            assert!(!shown.contains("\"message\""), "{shown}");
        }
        let stored = self.stored().await;
        assert_eq!(stored["content"], words);
        stored["metadata"].clone()
    }
}

fn check_extras(metadata: &Value) {
    let four = json!(["Invite Ann", "Compare", "3", "4"]);
    assert_eq!(metadata["quick_replies"], four);
    assert_eq!(metadata["candidatesMentioned"], json!(["ann"]));
    assert_eq!(metadata["analysisType"], "ranking");
    assert_eq!(metadata["message"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn text_is_streamed_and_the_other_fields_are_stored_beside_it() {
    for backing in BOTH {
        let talk = Talk::with(TestServer::of(backing, crate::scout::alone).await).await;
        let spelled = in_ascii(&reply());
        for size in [1, 3, 400] {
            let script = [
                call("count_people", json!({})),
                say(&spelled).deltas_of(size),
            ];
            check_extras(&talk.check(script, WORDS).await);
        }
        let request = talk.server.model.requests().pop().unwrap().json();
        let format = &request["response_format"];
        assert_eq!(format["type"], "json_schema");
        assert_eq!(format["json_schema"]["strict"], true);
        let named = &format["json_schema"]["schema"]["properties"];
        assert_eq!(named["message"], json!({ "type": "string" }));
        // The model sees its own earlier answers as they were shown.
        let messages = request["messages"].as_array().unwrap();
        let answers = messages.iter().filter(|m| m["content"] == WORDS).count();
        assert_eq!(answers, 2);
        assert!(
            !messages[1..]
                .iter()
                .any(|m| m.to_string().contains("quickReplies"))
        );
        talk.server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_comes_back_gets_exactly_the_rest_of_the_words() {
    for backing in BOTH {
        let talk = Talk::with(TestServer::of(backing, crate::scout::alone).await).await;
        talk.server
            .model
            .script([say(in_ascii(&reply())).deltas_of(2)]);
        let seen = talk.streamed().await;
        let turn = seen[0].data["turn"].as_str().unwrap();
        let path = talk.path(&format!("turns/{turn}/events"));
        for cut in 0..seen.len() {
            let request = talk.server.request(Method::GET, &path, Some(&talk.who));
            let rest = events(request.header("last-event-id", seen[cut].id.to_string())).await;
            let whole = format!("{}{}", text_of(&seen[..=cut]), text_of(&rest));
            assert_eq!(whole, WORDS);
            let ended = rest.last().or(seen.last()).unwrap();
            assert_eq!(ended.data["quick_replies"][0], "Invite Ann");
        }
        talk.server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_without_schemas_is_asked_in_words() {
    let rejects = || {
        let error = json!({ "message": "Unknown parameter", "param": "response_format" });
        status(400).body(json!({ "error": error }).to_string())
    };
    let talk = Talk::with(TestServer::of(BOTH[0], crate::scout::alone).await).await;
    let fenced = format!("```json\n{:#}\n```", reply());
    let script = [rejects(), rejects(), say(fenced).deltas_of(4)];
    check_extras(&talk.check(script, WORDS).await);
    let asked: Vec<Value> = talk
        .server
        .model
        .requests()
        .iter()
        .map(|r| r.json())
        .collect();
    assert_eq!(asked[0]["response_format"]["type"], "json_schema");
    assert_eq!(asked[1]["response_format"]["type"], "json_object");
    assert_eq!(asked[2].get("response_format"), None);
    let told = asked[2]["messages"][0]["content"].as_str().unwrap();
    assert!(told.contains("one JSON object"), "{told}");
    talk.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_arrives_even_when_the_model_breaks_the_schema() {
    let talk = Talk::with(TestServer::of(BOTH[0], crate::scout::alone).await).await;
    let whole = reply().to_string();
    let cut_off = &whole[..whole.find("\", \"").or(whole.find("\",\"")).unwrap()];
    for (said, words) in [
        (
            "Plain words.\n\nIn two lines.",
            "Plain words.\n\nIn two lines.",
        ),
        (
            "{\"message\": \"Ann said \"hi\"\", \"quickReplies\": [\"A\",]",
            "Ann said \"hi\"",
        ),
        ("{\"answer\": \"Ann\"}", "Ann"),
        (
            "Here:\n```json\n{\"message\": \"Ann\"}\n```\nBye",
            "Here:\nAnn",
        ),
    ] {
        talk.check([say(said).deltas_of(2)], words).await;
    }
    let metadata = talk.check([say(&whole)], WORDS).await;
    check_extras(&metadata);
    // The reply is cut off within a field that precedes the text.
    talk.server.model.script([say(cut_off).deltas_of(5)]);
    let seen = talk.streamed().await;
    assert!(WORDS.starts_with(&text_of(&seen)), "{seen:?}");
    talk.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_offline_model_answers_in_plain_words_with_its_own_suggestions() {
    let settings = [("model.provider", "offline")];
    let server = TestServer::of_with(BOTH[0], crate::scout::alone, &settings).await;
    let talk = Talk::with(server).await;
    let path = talk.path("messages");
    let asked = json!({ "content": "How many people are there?" });
    let answer = talk.server.post(&talk.who, &path, asked).await.body;
    let message = &answer["agent_message"];
    assert_eq!(message["content"], "There are 2 people.", "{answer}");
    assert_eq!(
        message["metadata"]["quick_replies"],
        json!(["Who is there?"])
    );
    assert_eq!(message["metadata"].get("analysisType"), None);
    talk.server.stop().await;
}
