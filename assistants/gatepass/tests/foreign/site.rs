//! The foreign API as a process, and the assistant over it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use frontdesk_core::tool::ToolOutput;
use serde_json::{Value, json};

use super::super::bench::{Bench, CallOutcome, Talk, admin, guard, hr, plain_tokens};
use super::super::env::TestEnv;

pub(super) const PHOTO: &[u8] = include_bytes!("../../conversations/files/person.jpg");
const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/foreign/api.py");

/// The foreign API, a process of its own.
pub(super) struct ForeignApi {
    pub(super) url: String,
    pub(super) http: reqwest::Client,
    process: Child,
}

impl ForeignApi {
    fn start() -> Self {
        let mut process = Command::new("python3")
            .arg(PROGRAM)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 is installed");
        let mut port = String::new();
        let output = process.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut port).unwrap();
        Self {
            url: format!("http://127.0.0.1:{}", port.trim()),
            http: reqwest::Client::builder()
                .no_proxy()
                .tls_certs_only([])
                .build()
                .unwrap(),
            process,
        }
    }

    pub(super) async fn set(&self, modes: Value) {
        let request = self.http.post(format!("{}/control", self.url)).json(&modes);
        request.send().await.unwrap().error_for_status().unwrap();
    }

    pub(super) async fn reset(&self, modes: Value) {
        let mut all = json!({ "reset": true });
        all.as_object_mut()
            .unwrap()
            .extend(modes.as_object().unwrap().clone());
        self.set(all).await;
    }

    /// The passes, and the requests since the last call.
    pub(super) async fn state(&self) -> Value {
        let answer = self
            .http
            .get(format!("{}/control/state", self.url))
            .send()
            .await;
        answer.unwrap().json().await.unwrap()
    }

    /// The state of each pass by its person, and the number of passes.
    pub(super) async fn passes(&self) -> Vec<(String, String)> {
        let state = self.state().await;
        let text = |pass: &Value, key: &str| pass[key].as_str().unwrap().to_owned();
        let passes = state["passes"].as_array().unwrap().iter();
        passes
            .map(|pass| (text(pass, "person_name"), text(pass, "status")))
            .collect()
    }
}

impl Drop for ForeignApi {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The assistant over the foreign API, and a conversation for each role.
pub(super) struct Site {
    pub(super) api: ForeignApi,
    pub(super) bench: Bench,
    pub(super) desk: Talk,
    pub(super) office: Talk,
    pub(super) gate: Talk,
    photo: String,
}

pub(super) async fn site(settings: &[(&str, &str)]) -> Site {
    rustls_provider();
    let api = ForeignApi::start();
    let mut set = vec![("gatepass.api_idempotency_keys", "")];
    set.extend_from_slice(settings);
    let env = TestEnv::new();
    let bench = Bench::with_env(env, &api.url, &set, plain_tokens()).await;
    let desk = bench.talk(hr()).await;
    let mut office = bench.talk(admin()).await;
    let mut gate = bench.talk(guard()).await;
    for number in 1..9 {
        let number = format!("GP-2026-{number:04}");
        office.words.push(number.clone());
        gate.words.push(number);
    }
    let photo = bench.attach(&mut gate, "person.jpg", PHOTO).await;
    Site {
        api,
        bench,
        desk,
        office,
        gate,
        photo,
    }
}

/// The client of the tests needs the provider before the assistant's client installs it.
fn rustls_provider() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}

impl Site {
    pub(super) async fn create(&self, person: &str) -> CallOutcome {
        let pass =
            json!({ "person_name": person, "description": "bank visit", "is_returnable": true });
        self.confirmed(&self.desk, "create_gate_pass", pass).await
    }

    pub(super) async fn decide(&self, what: &str, number: u32) -> CallOutcome {
        let tool = format!("{what}_gate_pass");
        let pass = json!({ "pass_number": format!("GP-2026-{number:04}"), "name": "x" });
        self.confirmed(&self.office, &tool, pass).await
    }

    /// A call that the person confirms if they are asked.
    pub(super) async fn confirmed(&self, talk: &Talk, tool: &str, arguments: Value) -> CallOutcome {
        match self.bench.call(talk, tool, arguments).await {
            CallOutcome::Asked(granted) => self.bench.run(talk, granted).await,
            other @ (CallOutcome::Refused(_) | CallOutcome::Done(_) | CallOutcome::Failed(_)) => {
                other
            }
        }
    }

    pub(super) async fn read(&self, talk: &Talk, tool: &str, arguments: Value) -> ToolOutput {
        match self.bench.call(talk, tool, arguments).await {
            CallOutcome::Done(output) => output,
            other @ (CallOutcome::Refused(_) | CallOutcome::Asked(_) | CallOutcome::Failed(_)) => {
                panic!("{tool}: {other:?}")
            }
        }
    }

    pub(super) async fn scan(&self, what: &str) -> CallOutcome {
        let pass = json!({ "pass_number": "GP-2026-0001", "photo": self.photo });
        self.bench
            .call(&self.gate, &format!("scan_{what}"), pass)
            .await
    }
}
