//! The scripted model in a separate process, so that its work is not measured.

use std::io::{BufRead, BufReader};
use std::process::{Child as Process, Command, Stdio};

use anyhow::Context;
use frontdesk_testkit::model_server::{ModelServer, call, say};
use serde_json::json;

/// 61 tokens, one per delta.
fn answer_text() -> String {
    vec!["token"; 61].join(" ")
}

/// Answers a first request with a call, and one with its result with text.
pub async fn serve_forever() {
    let server = ModelServer::start().await;
    let asked = call("tool_0", json!({ "order": "4711" })).prepared();
    let answered = say(answer_text()).deltas_of(6).prepared();
    server.without_history().otherwise_with(move |request| {
        // The result is the last message, so its role is near the end of the body.
        let body = request.body();
        let tail = &body[body.len().saturating_sub(160)..];
        if tail
            .windows(13)
            .any(|window| window == b"\"role\":\"tool\"")
        {
            answered.clone()
        } else {
            asked.clone()
        }
    });
    println!("{}", server.url());
    std::future::pending::<()>().await;
}

pub struct ModelProcess {
    process: Process,
    pub url: String,
}

impl ModelProcess {
    pub fn start() -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("cannot find this program")?;
        let mut process = Command::new(program)
            .arg("--model-server")
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the model server")?;
        let output = process
            .stdout
            .take()
            .context("the model server has no output")?;
        let mut url = String::new();
        BufReader::new(output).read_line(&mut url)?;
        Ok(Self {
            process,
            url: url.trim().to_owned(),
        })
    }
}

impl Drop for ModelProcess {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
