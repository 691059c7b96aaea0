//! The server as a process: it outlives those who read what it prints, and refusing costs it little.

use std::process::Stdio;

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::cli::Shell;
use crate::server::client;
use crate::terminal::Served;

/// What starts a server may go away, and its ends of the pipes with it.
#[tokio::test]
async fn a_server_goes_on_when_nobody_reads_what_it_prints() {
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

/// K6: a thousand refusals a second take less than half a core. A build without optimisation
/// has ten times as long.
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
    // The demo's documents are taken in by now, and cost nothing later.
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

/// What a process has used so far, in user and system time.
fn cpu_ms(process: u32) -> f64 {
    const TICK_MS: f64 = 10.0;
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    // Its name, which may hold anything, ends at the last bracket.
    let fields: Vec<&str> = stat
        .rsplit(')')
        .next()
        .unwrap()
        .split_whitespace()
        .collect();
    let ticks = |at: usize| fields[at].parse::<f64>().unwrap();
    (ticks(11) + ticks(12)) * TICK_MS
}
