//! Operator commands: `eval`, `usage` and `doctor`, with the real binary.

use std::io::{Read, Write};
use std::net::TcpListener;

use serde_json::Value;

use crate::cli::{Shell, check_failure};

const SUITE: &str = r#"
assistant = "notes-of-nobody"
[[case]]
as = "hr"
say = "List the gate passes"
calls = [{ tool = "list_gate_passes" }]
[[case]]
name = "one that fails"
as = "hr"
say = "List the gate passes"
calls = [{ tool = "create_gate_pass" }]
"#;

fn suite(shell: &Shell, name: &str, text: &str) -> String {
    let path = shell.folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn bundled_suites_are_listed() {
    let listed = Shell::new().run(&["eval"]);
    assert_eq!(listed.code, Some(0), "{listed:?}");
    for name in [
        "gatepass/requests",
        "gatepass/attacks",
        "tata/requests",
        "docs/answers",
    ] {
        assert!(listed.out.lines().any(|line| line == name), "{listed:?}");
    }
    let none = Shell::new().run(&["eval", "nobody/nothing"]);
    check_failure(&none, 1, "there is no suite named nobody/nothing");
}

#[test]
fn a_suite_is_played_reported_and_compared() {
    let shell = Shell::new();
    let text = SUITE.replace("notes-of-nobody", "gatepass");
    let path = suite(&shell, "mine.toml", &text);
    let report = shell.folder.path().join("r.json").display().to_string();
    let page = shell.folder.path().join("r.html").display().to_string();
    let arguments = [
        "eval", &path, "--repeat", "2", "--report", &report, "--report", &page,
    ];
    let half = shell.run(&arguments);
    assert_eq!(half.code, Some(1), "{half:?}");
    assert!(half.out.contains("one that fails"), "{half:?}");
    assert!(
        half.out
            .contains("1 of 2 cases passed (50.0 %, 100.0 % needed)"),
        "{half:?}"
    );
    assert!(half.out.contains("pass^2 50.0 %"), "{half:?}");
    let told: Value = serde_json::from_slice(&std::fs::read(&report).unwrap()).unwrap();
    assert_eq!(told["summary"]["pass_rate"], 50.0);
    assert_eq!(told["cases"][0]["runs"].as_array().unwrap().len(), 2);
    let transcript = &told["cases"][0]["runs"][0]["transcript"];
    assert_eq!(transcript[0]["text"], "List the gate passes");
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("List the gate passes") && !html.contains("<script"));

    let enough = shell.run(&["eval", &path, "--threshold", "50", "--json"]);
    assert_eq!(enough.code, Some(0), "{enough:?}");
    let worse = text.replace("calls = [{ tool = \"list_gate_passes\" }]", "");
    let path = suite(&shell, "mine.toml", &worse);
    let after = shell.folder.path().join("after.json").display().to_string();
    let compared = [
        "eval",
        &path,
        "--threshold",
        "0",
        "--report",
        &after,
        "--against",
        &report,
    ];
    let compared = shell.run(&compared);
    assert_eq!(compared.code, Some(1), "{compared:?}");
    assert!(
        compared.out.contains("broken  List the gate passes"),
        "{compared:?}"
    );
    let same = shell.run(&["eval", "--compare", &after, &after]);
    assert_eq!(same.code, Some(0), "{same:?}");
    // Both reports are stored for the operator's page.
    let kept = std::fs::read_dir(shell.data().join("evals"))
        .unwrap()
        .count();
    assert_eq!(kept, 3);
}

#[test]
fn a_malformed_suite_is_reported_with_its_line() {
    let shell = Shell::new();
    let path = suite(
        &shell,
        "bad.toml",
        "assistant = 'docs'\n\n[[case]]\nas = 'hr'\nsays = 1\n",
    );
    let told = shell.run(&["eval", &path]);
    check_failure(&told, 2, "line 5: ");
    let path = suite(
        &shell,
        "who.toml",
        &SUITE.replace("notes-of-nobody", "nobody"),
    );
    check_failure(
        &shell.run(&["eval", &path]),
        1,
        "there is no assistant named nobody",
    );
    let text = SUITE
        .replace("notes-of-nobody", "gatepass")
        .replace("create_gate_pass", "fly");
    let path = suite(&shell, "tool.toml", &text);
    check_failure(
        &shell.run(&["eval", &path]),
        2,
        "line 7: there is no tool named fly",
    );
}

#[test]
fn usage_is_listed_by_day_with_its_cost() {
    let shell = Shell::new();
    let said = shell.run(&[
        "chat",
        "gatepass",
        "--as",
        "hr",
        "-m",
        "List the gate passes",
    ]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let prices = [
        ("FRONTDESK_MODEL_PRICE_INPUT", "2.5"),
        ("FRONTDESK_MODEL_PRICE_OUTPUT", "10"),
    ];
    let told = shell.run_with(&["usage", "--json"], &prices);
    assert_eq!(told.code, Some(0), "{told:?}");
    let told = told.json();
    assert_eq!(told["total"]["turns"], 1);
    assert_eq!(told["items"][0]["assistant"], "gatepass");
    // The built-in model uses no tokens.
    assert_eq!(told["total"]["cost"], 0.0, "{told}");
    let own = shell.run(&["usage", "--as", "gate", "--json"]).json();
    assert_eq!(
        own["total"]["turns"], 0,
        "somebody else's is not told: {own}"
    );
    let table = shell.run_with(&["usage", "--by", "assistant"], &prices);
    assert!(table.out.contains("gatepass"), "{table:?}");
    assert!(
        table.out.lines().any(|line| line.starts_with("total")),
        "{table:?}"
    );
}

/// A server that answers every request with this status until the test ends.
fn answering(status: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut head = [0; 2048];
            let _ = stream.read(&mut head);
            let answer =
                format!("HTTP/1.1 {status}\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{{}}");
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    url
}

fn part(findings: &Value, name: &str) -> (bool, String) {
    let found = findings.as_array().unwrap().iter();
    let found = found.clone().find(|one| one["part"] == name);
    let found = found.unwrap_or_else(|| panic!("no {name} in {findings}"));
    let says = found["says"].as_str().unwrap().to_owned();
    (found["ok"] == true, says)
}

#[test]
fn the_doctor_reaches_configured_services_and_prints_no_secret() {
    let well = answering("200 OK");
    let closed = answering("401 Unauthorized");
    let shell = Shell::new();
    let environment = |model: &str, collector: &str| {
        vec![
            ("OPENAI_API_KEY", "sk-canary-0123456789".to_owned()),
            ("OPENAI_BASE_URL", format!("{model}/v1")),
            (
                "OTEL_EXPORTER_OTLP_ENDPOINT",
                collector.replace("http://", "http://me:canary@"),
            ),
            ("LANGFUSE_PUBLIC_KEY", "pk-canary".to_owned()),
            ("LANGFUSE_SECRET_KEY", "sk-canary".to_owned()),
            ("LANGFUSE_BASE_URL", collector.to_owned()),
        ]
    };
    let run = |model: &str, collector: &str| {
        let environment = environment(model, collector);
        let environment: Vec<(&str, &str)> = environment
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let done = shell.run_with(&["doctor", "--json"], &environment);
        assert!(!format!("{done:?}").contains("canary"), "{done:?}");
        done
    };
    let done = run(&well, &well);
    assert_eq!(done.code, Some(0), "{done:?}");
    let findings = done.json();
    for name in [
        "model",
        "otlp",
        "langfuse",
        "database",
        "documents",
        "folder",
    ] {
        let (ok, says) = part(&findings, name);
        assert!(ok && says.contains(" ms"), "{name}: {says}");
    }
    let done = run(&closed, "http://127.0.0.1:9");
    assert_eq!(done.code, Some(1), "{done:?}");
    let findings = done.json();
    let (ok, says) = part(&findings, "model");
    assert!(!ok && says.contains("does not accept the key"), "{says}");
    let (ok, says) = part(&findings, "otlp");
    assert!(!ok && says.contains("turns go on without traces"), "{says}");
}

#[test]
fn the_doctor_tries_the_mail_server() {
    let shell = Shell::new();
    // Nothing listens on the port of a listener that is gone.
    let gone = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("smtp://{}", gone.local_addr().unwrap());
    drop(gone);
    let done = shell.run_with(&["doctor", "--json"], &[("SMTP_URL", &url)]);
    let parts = done.json().as_array().unwrap().clone();
    let mail = parts.iter().find(|part| part["part"] == "mail").unwrap();
    assert_eq!(mail["ok"], false, "{mail}");
    let says = mail["says"].as_str().unwrap();
    assert!(says.ends_with("check SMTP_URL"), "{says}");
}
