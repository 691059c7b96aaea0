//! Tests of the client against a scripted server on a real socket.

mod connections;
mod faults;
mod outage;
mod quirks;
mod replies;
mod requests;
mod splits;

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use bytes::Bytes;
use frontdesk_core::message::Message;
use frontdesk_core::model::{Ask, DeltaSink, Model, ModelError, ModelSettings, Prompt, Reply};
use frontdesk_core::tool::{ToolDef, ToolSpec};
use frontdesk_core::toolbox::Offer;
use frontdesk_testkit::model_server::Gate;
use serde_json::{Value, json};

use super::{OpenAi, OpenAiSettings};

/// A client that records its waits between attempts.
struct Client {
    model: OpenAi,
    waits: Arc<Mutex<Vec<Duration>>>,
}

impl Client {
    fn of(settings: OpenAiSettings) -> Self {
        let mut model = OpenAi::new(settings).unwrap();
        let waits = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&waits);
        model.pause = Box::new(move |wait| {
            noted.lock().unwrap().push(wait);
            Box::pin(std::future::ready(()))
        });
        Self { model, waits }
    }

    fn at(url: impl Into<String>) -> Self {
        Self::of(OpenAiSettings {
            base_url: url.into(),
            api_key: Some("sk-test-0123456789".into()),
            ..OpenAiSettings::default()
        })
    }

    async fn say(&self, request: &TestRequest) -> Result<Reply, ModelError> {
        self.model
            .reply(request.ask(), &mut Screen::default())
            .await
    }

    fn waits(&self) -> Vec<Duration> {
        self.waits.lock().unwrap().clone()
    }
}

/// The parts of a request.
struct TestRequest {
    system: Bytes,
    history: Bytes,
    tail: Vec<u8>,
    offer: Offer,
    settings: ModelSettings,
    schema: Option<Value>,
}

impl TestRequest {
    fn new() -> Self {
        Self {
            system: wire(&[Message::system("Be brief.")]),
            history: Bytes::new(),
            tail: wire(&[Message::user("Hello?")]).to_vec(),
            offer: offer(&[]),
            settings: ModelSettings {
                model: "gpt-test".to_owned(),
                temperature: None,
                max_tokens: None,
            },
            schema: None,
        }
    }

    fn ask(&self) -> Ask<'_> {
        Ask {
            assistant: "tester",
            prompt: Prompt {
                system: &self.system,
                history: &self.history,
                tail: &self.tail,
            },
            offer: &self.offer,
            settings: &self.settings,
            reply_schema: self.schema.as_ref(),
            summaries: &[],
        }
    }
}

fn wire(messages: &[Message]) -> Bytes {
    let joined: Vec<String> = messages
        .iter()
        .map(|message| message.to_openai_format().to_string())
        .collect();
    Bytes::from(joined.join(","))
}

fn offer(names: &[&'static str]) -> Offer {
    let tools: Vec<ToolDef> = names
        .iter()
        .map(|name| ToolDef {
            name: (*name).into(),
            parameters: json!({"type": "object", "properties": {}}),
            spec: ToolSpec::read("A tool."),
        })
        .collect();
    let json: Vec<Value> = tools.iter().map(ToolDef::to_openai_format).collect();
    Offer {
        json: Bytes::from(Value::Array(json).to_string()),
        tools,
        elsewhere: Vec::new(),
        phrasings: std::sync::Arc::default(),
    }
}

/// Collects shown text, and opens a gate at the first piece.
#[derive(Clone)]
struct Screen {
    text: Arc<Mutex<String>>,
    lit: Gate,
}

impl Default for Screen {
    fn default() -> Self {
        Self {
            text: Arc::default(),
            lit: Gate::shut(),
        }
    }
}

impl Screen {
    fn text(&self) -> String {
        self.text.lock().unwrap().clone()
    }
}

impl DeltaSink for Screen {
    fn text(&mut self, delta: &str) {
        self.text.lock().unwrap().push_str(delta);
        self.lit.open();
    }
}

/// A clock that moves only on request. (Tokio's paused clock advances to the next timer
/// whenever it waits for the network; it does not while a blocking task runs.)
struct ManualClock {
    _stop: mpsc::Sender<()>,
}

impl ManualClock {
    fn begin() -> Self {
        let (stop, stopped) = mpsc::channel::<()>();
        tokio::task::spawn_blocking(move || stopped.recv());
        tokio::time::pause();
        Self { _stop: stop }
    }

    /// Runs `work`, and advances the clock by `step` whenever `may_pass` allows it.
    async fn drive<T>(
        &self,
        work: impl Future<Output = T>,
        step: Duration,
        mut may_pass: impl FnMut() -> bool,
    ) -> T {
        let mut work = pin!(work);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return done,
                () = tokio::task::yield_now() => {}
            }
            if may_pass() {
                tokio::time::advance(step).await;
            }
        }
    }
}

impl Drop for ManualClock {
    fn drop(&mut self) {
        tokio::time::resume();
    }
}
