//! Assistants without code, from the example manifest: the real server and the real binary, over a
//! real HTTP API (examples/helpdesk/api.py).

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use frontdesk_testkit::model_server::{Gate, call, say};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cli::Shell;
use crate::harness::Backing;
use crate::server::{Answer, Person, TestServer};

/// The API on a free port; it ends with the test.
struct Desk {
    child: Child,
    url: String,
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/helpdesk")
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

impl Desk {
    fn start() -> Self {
        let port = free_port();
        let child = Command::new("python3")
            .arg(example().join("api.py"))
            .arg(port.to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let desk = Self {
            child,
            url: format!("http://127.0.0.1:{port}"),
        };
        let answers = || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok();
        assert!((0..100).any(|_| answers() || wait()), "the API starts");
        desk
    }

    /// A ticket as the API has it; `null` if there is none.
    async fn ticket(&self, id: u32) -> Value {
        let request = reqwest::Client::new()
            .get(format!("{}/tickets/{id}", self.url))
            .bearer_auth("desk-secret");
        let answer = request.send().await.unwrap();
        match answer.status().is_success() {
            true => answer.json().await.unwrap(),
            false => Value::Null,
        }
    }
}

fn wait() -> bool {
    std::thread::sleep(Duration::from_millis(50));
    false
}

/// A folder of manifests with the example and a broken one.
fn manifests() -> TempDir {
    let root = TempDir::new().unwrap();
    let folder = root.path().join("assistants.d/helpdesk");
    fs::create_dir_all(&folder).unwrap();
    for name in ["assistant.toml", "instructions.md", "phrasings.txt"] {
        fs::copy(example().join(name), folder.join(name)).unwrap();
    }
    write(&root, "broken", "titel = \"Broken\"\n");
    root
}

fn write(root: &TempDir, name: &str, manifest: &str) {
    let folder = root.path().join("assistants.d").join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("assistant.toml"), manifest).unwrap();
}

/// Changes the example's manifest.
fn edit(root: &TempDir, from: &str, to: &str) {
    let file = root.path().join("assistants.d/helpdesk/assistant.toml");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(&file, text.replace(from, to)).unwrap();
}

async fn serve(desk: &Desk, root: &TempDir) -> TestServer {
    let folder = root.path().join("assistants.d");
    let settings = [
        ("manifests.folder", folder.to_str().unwrap()),
        ("variables.DESK_URL", desk.url.as_str()),
        ("variables.DESK_TOKEN", "desk-secret"),
    ];
    TestServer::start_with(Backing::Sqlite, &settings).await
}

async fn conversation(server: &TestServer, who: &Person) -> String {
    let new = json!({ "assistant": "helpdesk" });
    let made = server.post(who, "/conversations", new).await;
    made.body["id"].as_str().unwrap().to_owned()
}

async fn say_to(server: &TestServer, who: &Person, id: &str, content: &str) -> Answer {
    let path = format!("/conversations/{id}/messages");
    server.post(who, &path, json!({ "content": content })).await
}

/// The results of the calls of an answer, as text.
fn calls(answer: &Answer) -> String {
    answer.body["agent_message"]["metadata"]["tool_calls"].to_string()
}

fn titles(listed: &Answer) -> Vec<&str> {
    let entries = listed.body["items"].as_array().unwrap().iter();
    entries
        .map(|entry| entry["title"].as_str().unwrap())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_manifest_assistant_works_like_any_other() {
    let (desk, root) = (Desk::start(), manifests());
    let server = serve(&desk, &root).await;
    let (agent, requester) = (server.sign_in("agent"), server.sign_in("requester"));
    let listed = server.get(&agent, "/assistants").await;
    assert!(titles(&listed).contains(&"Helpdesk"), "{listed:?}");
    let own = listed.body["items"].as_array().unwrap().iter();
    let own = own
        .clone()
        .find(|entry| entry["name"] == "helpdesk")
        .unwrap();
    assert_eq!(
        own["suggestions"],
        json!(["Which tickets are open?", "Close ticket 2"])
    );

    // A read.
    let id = conversation(&server, &agent).await;
    server.model.script([
        call("list_tickets", json!({ "state": "open" })),
        say("Two are open."),
    ]);
    let answer = say_to(&server, &agent, &id, "Which tickets are open?").await;
    assert!(calls(&answer).contains("2 tickets."), "{answer:?}");
    let asked = server.model.requests().last().unwrap().json().to_string();
    assert!(asked.contains("VPN drops every hour"), "{asked}");
    assert!(!asked.contains("desk-secret") && !asked.contains("requester=ana"));

    close_ticket_two(&server, &agent, &id, &desk).await;

    // The server fills in the person; a requester neither sees nor calls the agents' tools.
    let id = conversation(&server, &requester).await;
    server.model.script([
        call("create_ticket", json!({ "subject": "No coffee" })),
        call("close_ticket", json!({ "ticket_id": 3 })),
        say("Reported."),
    ]);
    // Context from the API is text of others, so the write waits for the person.
    let waits = say_to(&server, &requester, &id, "Report that \"No coffee\" please").await;
    assert_eq!(waits.status, 202, "{waits:?}");
    let turn = &waits.body["turn"];
    assert_eq!(
        turn["approvals"].as_array().map(Vec::len),
        Some(1),
        "{waits:?}"
    );
    let path = format!(
        "/conversations/{id}/turns/{}/approvals/{}",
        turn["id"].as_str().unwrap(),
        turn["approvals"][0]["call_id"].as_str().unwrap()
    );
    let decided = server
        .post(&requester, &path, json!({ "decision": "approve" }))
        .await;
    assert!(decided.status.is_success(), "{decided:?}");
    assert_eq!(
        becomes(&desk, 4, "requester", "rolf@example.com").await,
        "rolf@example.com"
    );
    assert_eq!(desk.ticket(3).await["state"], "open");
    server.stop().await;
}

/// A write that always asks: the card shows the ticket, and the approval closes it.
async fn close_ticket_two(server: &TestServer, agent: &Person, id: &str, desk: &Desk) {
    server
        .model
        .script([call("close_ticket", json!({ "ticket_id": 2 }))]);
    let waits = say_to(server, agent, id, "Close ticket 2").await;
    assert_eq!(waits.status, 202, "{waits:?}");
    let turn = &waits.body["turn"];
    let card = &turn["approvals"][0];
    assert_eq!(card["title"], "Close ticket 2");
    let path = format!(
        "/conversations/{id}/turns/{}/approvals/{}",
        turn["id"].as_str().unwrap(),
        card["call_id"].as_str().unwrap()
    );
    let shown = server.get(agent, &format!("{path}/preview")).await;
    assert!(
        shown.body.to_string().contains("VPN drops every hour"),
        "{shown:?}"
    );
    assert_eq!(desk.ticket(2).await["state"], "open");
    server.model.script([say("Done.")]);
    let decided = server
        .post(agent, &path, json!({ "decision": "approve" }))
        .await;
    assert!(decided.status.is_success(), "{decided:?}");
    assert_eq!(becomes(desk, 2, "state", "closed").await, "closed");
}

/// The field of a ticket once it has this value: a decision returns before the call has run.
async fn becomes(desk: &Desk, ticket: u32, field: &str, value: &str) -> Value {
    for _ in 0..100 {
        let now = desk.ticket(ticket).await[field].clone();
        if now == value {
            return now;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    desk.ticket(ticket).await[field].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reload_replaces_what_is_valid_and_running_turns_keep_their_version() {
    let (desk, root) = (Desk::start(), manifests());
    let server = serve(&desk, &root).await;
    let (agent, operator) = (server.sign_in("agent"), server.sign_in("operator"));
    let refused = server.post(&agent, "/manifests/reload", json!({})).await;
    assert_eq!(refused.status, 403, "{refused:?}");

    // A turn begins; while the model thinks, its tool disappears from the manifest.
    let id = conversation(&server, &agent).await;
    let gate = Gate::shut();
    server.model.script([
        call("get_ticket", json!({ "ticket_id": 3 })).after(&gate),
        say("It is open."),
    ]);
    let turn = say_to(&server, &agent, &id, "Show ticket 3");
    let change = async {
        while server.model.request_count() == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        edit(&root, "[tool.get_ticket", "[tool.look_up");
        edit(&root, "preview = \"get_ticket\"", "preview = \"look_up\"");
        edit(&root, "title = \"Helpdesk\"", "title = \"Tickets\"");
        let reports = server.post(&operator, "/manifests/reload", json!({})).await;
        gate.open();
        reports
    };
    let (answer, reports) = tokio::join!(turn, change);
    assert!(
        calls(&answer).contains("Ticket 3 is open: New badge for Kim."),
        "{answer:?}"
    );
    let reports = &reports.body["items"];
    assert_eq!(
        (&reports[0]["name"], &reports[0]["state"]),
        (&json!("broken"), &json!("skipped"))
    );
    let problem = reports[0]["problem"].as_str().unwrap();
    assert!(
        problem.ends_with(
            "assistant.toml, line 1, `titel`: unknown key `titel`; did you mean `title`?"
        ),
        "{problem}"
    );
    assert_eq!(reports[1]["state"], "loaded");
    assert!(titles(&server.get(&agent, "/assistants").await).contains(&"Tickets"));
    let tools = server
        .get(&agent, "/assistants/helpdesk/tools")
        .await
        .body
        .to_string();
    assert!(
        tools.contains("look_up") && !tools.contains("\"get_ticket\""),
        "{tools}"
    );

    server.stop().await;
}

/// A version with an error changes nothing and says why; the corrected one is used.
#[tokio::test(flavor = "multi_thread")]
async fn an_error_keeps_the_earlier_version() {
    let (desk, root) = (Desk::start(), manifests());
    let server = serve(&desk, &root).await;
    let (agent, operator) = (server.sign_in("agent"), server.sign_in("operator"));
    edit(
        &root,
        "title = \"Helpdesk\"",
        "title = \"Worse\"\ncolour = \"red\"",
    );
    let reports = server
        .post(&operator, "/manifests/reload", json!({}))
        .await
        .body;
    assert_eq!(reports["items"][1]["state"], "kept", "{reports}");
    assert!(titles(&server.get(&agent, "/assistants").await).contains(&"Helpdesk"));
    edit(&root, "\ncolour = \"red\"", "");
    // In demo mode a change is noticed without being asked.
    for _ in 0..100 {
        if titles(&server.get(&agent, "/assistants").await).contains(&"Worse") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(titles(&server.get(&agent, "/assistants").await).contains(&"Worse"));
    fs::remove_dir_all(root.path().join("assistants.d/helpdesk")).unwrap();
    server.post(&operator, "/manifests/reload", json!({})).await;
    assert!(!titles(&server.get(&agent, "/assistants").await).contains(&"Worse"));
    server.stop().await;
}

/// A missing secret names itself; a rule that does not hold shows a call; the exit code says so.
#[test]
fn check_and_doctor_report_manifests() {
    let shell = Shell::new();
    let root = manifests();
    let folder = root.path().join("assistants.d");
    let environment = [
        ("FRONTDESK_MANIFESTS_FOLDER", folder.to_str().unwrap()),
        ("DESK_URL", "http://127.0.0.1:9"),
    ];
    let missing = shell.run_with(&["check", "helpdesk"], &environment);
    assert_eq!(missing.code, Some(1), "{missing:?}");
    assert!(
        missing
            .out
            .contains("`source.desk.auth.token`: needs DESK_TOKEN; set it in the environment"),
        "{missing:?}"
    );
    let environment = [environment[0], environment[1], ("DESK_TOKEN", "x")];
    let checked = shell.run_with(&["check", "helpdesk"], &environment);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    for line in [
        "  tool           effect      asks            Agent  Requester",
        "  my_tickets     read        never           –      yes",
        "  create_ticket  idempotent  unless ordered  yes    yes",
        "  delete_ticket  idempotent  always          yes    –",
        "  ✓ never Requester: close_*",
    ] {
        assert!(checked.out.contains(line), "{line}\n{}", checked.out);
    }
    let refuted = shell.run_with(
        &["check", "gatepass", "--never", "Gate_User: scan_*"],
        &environment,
    );
    assert_eq!(refuted.code, Some(1), "{refuted:?}");
    let example =
        "\"Gate_User: scan_*\" does not hold: a person with the role Gate_User can call scan_";
    assert!(refuted.out.contains(example), "{refuted:?}");
    let proved = shell.run_with(
        &["check", "gatepass", "--never", "Gate_User: delete_*"],
        &environment,
    );
    assert_eq!(proved.code, Some(0), "{proved:?}");
    let doctor = shell.run_with(&["doctor"], &environment);
    assert!(doctor.out.contains("broken is not in use"), "{doctor:?}");
    assert!(doctor.out.contains("helpdesk is in use"), "{doctor:?}");
    let unreachable = "cannot be reached; check the setting source.desk.base_url of helpdesk";
    assert!(doctor.out.contains(unreachable), "{doctor:?}");
    let token = shell.run_with(
        &[
            "token",
            "--sub",
            "7a6f0000-0000-4000-8000-000000000000",
            "--role",
            "Agent",
        ],
        &environment,
    );
    assert_eq!(token.code, Some(0), "{token:?}");
}
