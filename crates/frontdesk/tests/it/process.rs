//! The server as a process: it survives the readers of its output, and refusals are cheap.

use std::process::Stdio;

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::cli::Shell;
use crate::server::client;
use crate::terminal::Served;

/// The parent process may exit and close its ends of the pipes.
#[tokio::test]
async fn a_server_keeps_running_when_nobody_reads_its_output() {
    let shell = Shell::new();
    let mut child = Served::command(&shell)
        .env("FRONTDESK_LOG_LEVEL", "trace")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop((child.stdout.take(), child.stderr.take()));
    let mut served = Served::when_ready(&shell, child);
    let url = Served::url(&shell);
    for path in ["/healthz", "/api/v1/nowhere", "/openapi.json", "/healthz"] {
        let answer = client().get(format!("{url}{path}")).send().await.unwrap();
        assert!(!answer.status().is_server_error(), "{answer:?}");
    }
    assert_eq!(served.child.try_wait().unwrap(), None, "it still runs");
}

/// K6: a thousand refusals per second use less than half a core. A build without optimisation has
/// ten times as long.
// design: promises K6
#[tokio::test]
#[ignore = "a figure, for a machine that does nothing else"]
async fn refusing_costs_little() {
    const REFUSED: u32 = 1_000;
    const MOST_MS: f64 = if cfg!(debug_assertions) { 5.0 } else { 0.5 };
    let shell = Shell::new();
    let served = Served::start(&shell);
    let url = Served::url(&shell);
    let token = shell.run(&["token", "--as", "reader"]).out;
    let client = client();
    // The demo documents are indexed by now and use no more CPU time.
    let seeded = client.get(format!("{url}/api/v1/collections"));
    let seeded = seeded.bearer_auth(token.trim()).send().await.unwrap();
    assert_eq!(seeded.status(), StatusCode::OK);
    let post = |path: String, body: Value| {
        let request = client.post(format!("{url}/api/v1{path}"));
        request.bearer_auth(token.trim()).json(&body).send()
    };
    let new = post("/conversations".to_owned(), json!({ "assistant": "docs" })).await;
    let new: Value = new.unwrap().json().await.unwrap();
    let path = format!("/conversations/{}/messages", new["id"].as_str().unwrap());
    let say = || post(path.clone(), json!({ "content": "Hello" }));
    for _ in 0..20 {
        assert_eq!(say().await.unwrap().status(), StatusCode::CREATED);
    }
    let before = cpu_ms(served.child.id());
    for _ in 0..REFUSED {
        let refused = say().await.unwrap();
        assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    }
    let each = (cpu_ms(served.child.id()) - before) / f64::from(REFUSED);
    println!("a refusal costs {each:.3} ms of CPU");
    assert!(each < MOST_MS, "{each} ms of CPU a refusal");
}

/// An open stream without events costs little memory. A build without optimisation needs about twice
/// the 16 kB that the benchmark measures.
// design: promises idle stream
#[tokio::test]
async fn an_idle_stream_is_small() {
    const STREAMS_A_PERSON: usize = 10;
    const MOST_KB: f64 = 64.0;
    let shell = Shell::new();
    let served = Served::start(&shell);
    let events = format!("{}/api/v1/events", Served::url(&shell));
    let client = client();
    let open = async |persona: &str, count: usize| {
        let token = shell.run(&["token", "--as", persona]).out;
        let mut streams = Vec::new();
        for _ in 0..count {
            let request = client.get(&events).bearer_auth(token.trim());
            let mut stream = request.send().await.unwrap().error_for_status().unwrap();
            assert!(stream.chunk().await.unwrap().is_some(), "{persona}");
            streams.push(stream);
        }
        streams
    };
    // The first streams also pay for what all share.
    let mut streams = open("reader", STREAMS_A_PERSON).await;
    let before = resident_kb(served.child.id());
    for persona in ["hr", "admin", "gate", "recruiter", "buyer", "colleague"] {
        streams.extend(open(persona, STREAMS_A_PERSON).await);
    }
    let opened = streams.len() - STREAMS_A_PERSON;
    let each = (resident_kb(served.child.id()) - before) / opened as f64;
    println!("an idle stream takes {each:.1} kB");
    assert!(each < MOST_KB, "{each} kB a stream");
}

/// Resident memory of a process.
fn resident_kb(process: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let value = line.unwrap().split_whitespace().nth(1);
    value.unwrap().parse().unwrap()
}

/// CPU time of a process so far, user plus system, in milliseconds.
fn cpu_ms(process: u32) -> f64 {
    const TICK_MS: f64 = 10.0;
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    // The process name may contain anything; it ends at the last parenthesis.
    let fields: Vec<&str> = stat
        .rsplit(')')
        .next()
        .unwrap()
        .split_whitespace()
        .collect();
    let ticks = |at: usize| fields[at].parse::<f64>().unwrap();
    (ticks(11) + ticks(12)) * TICK_MS
}
