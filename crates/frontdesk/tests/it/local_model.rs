//! A real language model behind a server that we did not write. Its answers need not be good; the
//! protocol must hold: streams, usage, schemas, tools, and a stream that is left early.
#![expect(
    clippy::unwrap_used,
    reason = "what goes wrong in a test fails the test"
)]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use bytes::Bytes;
use frontdesk_core::message::Message;
use frontdesk_core::model::{Ask, DeltaSink, Finish, Model, ModelSettings, Prompt, Reply};
use frontdesk_core::phase::Phase;
use frontdesk_core::toolbox::{Offer, Toolbox};
use frontdesk_models::openai::{OpenAi, OpenAiSettings, Timeouts};
use serde_json::{Value, json};

use crate::harness::{Backing, TestApp};

/// The process of the server; it ends with the test.
struct LocalModel {
    process: Child,
    address: String,
    model: OpenAi,
}

impl Drop for LocalModel {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Starts the server that `scripts/setup local-model` installed.
fn start() -> Option<LocalModel> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let python = root.join("target/local-model/bin/python");
    if !python.is_file() {
        println!("skipped: `scripts/setup local-model` installs the model for this test");
        return None;
    }
    let mut process = Command::new(python)
        .arg(root.join("scripts/local-model.py"))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut address = String::new();
    let output = process.stdout.take().unwrap();
    BufReader::new(output).read_line(&mut address).unwrap();
    let address = format!("{}/v1", address.trim());
    let patient = Duration::from_secs(180);
    let model = OpenAi::new(OpenAiSettings {
        base_url: address.clone(),
        timeouts: Timeouts {
            head: patient,
            idle: patient,
            ..Timeouts::default()
        },
        ..OpenAiSettings::default()
    });
    Some(LocalModel {
        process,
        address,
        model: model.unwrap(),
    })
}

#[derive(Default)]
struct Pieces(Vec<String>);

impl DeltaSink for Pieces {
    fn text(&mut self, delta: &str) {
        self.0.push(delta.to_owned());
    }
}

fn settings(max_tokens: u32) -> ModelSettings {
    ModelSettings {
        model: "smollm2".to_owned(),
        temperature: Some(0.0),
        max_tokens: Some(max_tokens),
    }
}

async fn ask(
    model: &OpenAi,
    question: &str,
    offer: &Offer,
    schema: Option<&Value>,
    tokens: u32,
) -> (Reply, Pieces) {
    let wire = |message: Message| Bytes::from(message.to_openai_format().to_string());
    let system = wire(Message::system("You are helpful and short."));
    let history = Bytes::new();
    let tail = wire(Message::user(question));
    let settings = settings(tokens);
    let mut pieces = Pieces::default();
    let ask = Ask {
        assistant: "test",
        prompt: Prompt {
            system: &system,
            history: &history,
            tail: &tail,
        },
        offer,
        settings: &settings,
        reply_schema: schema,
        summaries: &[],
    };
    let reply = model.reply(ask, &mut pieces).await.unwrap();
    (reply, pieces)
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "starts a language model of 135 million parameters"]
async fn a_real_server_keeps_to_the_protocol() {
    let Some(local) = start() else { return };
    let address = local.address.clone();
    let test = TestApp::start(Backing::Sqlite, &address).await;
    let who = test.person("recruiter").await;
    let toolbox = Toolbox::builder().build().unwrap();
    let none = toolbox.offer(&who, &Phase::DEFAULT);

    let (reply, pieces) = ask(&local.model, "Name three colours.", &none, None, 60).await;
    assert!(pieces.0.len() > 3, "{:?}", pieces.0);
    assert_eq!(pieces.0.concat(), reply.text);
    let usage = reply.usage.unwrap();
    assert!(
        usage.input_tokens > 10 && usage.output_tokens > 3,
        "{usage:?}"
    );

    // A schema is enforced by the server: whatever it says, it says in this form.
    let schema = json!({
        "type": "object",
        "properties": { "title": { "type": "string" }, "points": { "type": "array", "items": { "type": "string" }, "maxItems": 3 } },
        "required": ["title", "points"],
        "additionalProperties": false
    });
    let (reply, _) = ask(
        &local.model,
        "Write a shopping list as JSON.",
        &none,
        Some(&schema),
        400,
    )
    .await;
    if reply.finish == Finish::Stop {
        let value: Value = serde_json::from_str(&reply.text).unwrap();
        assert!(jsonschema::is_valid(&schema, &value), "{value}");
    } else {
        assert_eq!(reply.finish, Finish::Length);
        assert!(reply.text.trim_start().starts_with('{'), "{}", reply.text);
    }

    // The tools of a real assistant are accepted as they are.
    let assistant = test.app.runtime.assistant(&who, "tata").unwrap();
    let offer = assistant.toolbox.offer(&who, &Phase::DEFAULT);
    assert!(offer.tools.len() > 5);
    let (reply, _) = ask(&local.model, "Hello!", &offer, None, 60).await;
    assert!(!reply.text.is_empty() || !reply.calls.is_empty());

    // Who leaves in the middle of an answer does not disturb the next.
    let long = ask(&local.model, "Tell a very long story.", &none, None, 2_000);
    assert!(
        tokio::time::timeout(Duration::from_secs(2), long)
            .await
            .is_err()
    );
    let (reply, _) = ask(&local.model, "Say hello.", &none, None, 20).await;
    assert!(!reply.text.is_empty());
}
