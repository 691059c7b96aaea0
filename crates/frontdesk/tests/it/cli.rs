//! The command line as a person or a script uses it: the real binary, its output and exit codes.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use frontdesk_testkit::postgres::TestPostgres;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The binary in its own folder, isolated from this machine's settings.
pub struct Shell {
    pub folder: TempDir,
}

impl Shell {
    pub fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
        }
    }

    pub fn data(&self) -> std::path::PathBuf {
        self.folder.path().join("data")
    }

    pub fn run(&self, arguments: &[&str]) -> Done {
        self.run_with(arguments, &[])
    }

    /// Runs the binary with these lines on standard input.
    pub fn type_in(&self, arguments: &[&str], lines: &[&str]) -> Done {
        self.type_in_with(arguments, lines, &[])
    }

    pub fn type_in_with(
        &self,
        arguments: &[&str],
        lines: &[&str],
        environment: &[(&str, &str)],
    ) -> Done {
        let mut child = Command::new(env!("CARGO_BIN_EXE_frontdesk"))
            .args(arguments)
            .current_dir(self.folder.path())
            .env_clear()
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut typed = lines.join("\n");
        typed.push('\n');
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(typed.as_bytes()).unwrap();
        drop(stdin);
        Done::from(child.wait_with_output().unwrap())
    }

    pub fn run_with(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Done {
        let output = Command::new(env!("CARGO_BIN_EXE_frontdesk"))
            .args(arguments)
            .current_dir(self.folder.path())
            .env_clear()
            .envs(environment.iter().copied())
            .output()
            .unwrap();
        Done::from(output)
    }
}

#[derive(Debug)]
pub struct Done {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Done {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Done {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

pub fn check_failure(done: &Done, code: i32, sentence: &str) {
    assert_eq!(done.code, Some(code), "{done:?}");
    assert!(done.err.contains(sentence), "{done:?}");
    assert_eq!(done.err.trim().lines().count(), 1, "one sentence: {done:?}");
}

#[test]
fn one_message_for_a_script_prints_one_object() {
    let shell = Shell::new();
    let said = shell.run(&[
        "chat",
        "gatepass",
        "--as",
        "hr",
        "-m",
        "List all gate passes",
        "--json",
    ]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let response = said.json();
    assert_eq!(response["outcome"], "answered");
    assert_eq!(response["turn_number"], 1);
    assert_eq!(response["error"], Value::Null);
    assert_eq!(response["tool_calls"][0]["name"], "list_gate_passes");
    assert_eq!(response["tool_calls"][0]["ok"], true);
    for field in [
        "retrieval_performed",
        "retrieved_sources",
        "tokens_used",
        "execution_time_seconds",
        "quick_replies",
    ] {
        assert!(response.get(field).is_some(), "{field}: {response}");
    }
    assert!(!response["content"].as_str().unwrap().is_empty());

    let id = response["session_id"].as_str().unwrap();
    let again = shell.run(&[
        "chat",
        "gatepass",
        "--as",
        "hr",
        "-m",
        "thanks",
        "--json",
        "--conversation",
        id,
    ]);
    assert_eq!(again.json()["session_id"], id);
    assert_eq!(again.json()["turn_number"], 2);
}

#[test]
fn tools_are_listed_as_a_model_is_offered_them() {
    let shell = Shell::new();
    for (role, count) in [("HR_User", 7), ("Admin_User", 10), ("Gate_User", 6)] {
        let listed = shell.run(&["tools", "gatepass", "--role", role, "--json"]);
        let tools = listed.json();
        let tools = tools.as_array().unwrap();
        assert_eq!(tools.len(), count, "{role}");
        for tool in tools {
            assert_eq!(tool["type"], "function");
            assert_eq!(tool["function"]["parameters"]["type"], "object");
        }
    }
    check_failure(
        &shell.run(&["tools", "gatepass", "--role", "hr_user"]),
        1,
        "there is no role hr_user; there are Admin_User, Buyer, Gate_User, HR_User",
    );
    check_failure(
        &shell.run(&["tools", "nobody"]),
        1,
        "there is no assistant named nobody",
    );
}

#[test]
fn one_call_goes_through_all_checks() {
    let shell = Shell::new();
    let listed = shell.run(&[
        "call",
        "gatepass",
        "list_gate_passes",
        r#"{"status":"pending"}"#,
        "--as",
        "hr",
    ]);
    assert_eq!(listed.code, Some(0), "{listed:?}");
    listed.json();

    let guard = shell.run(&["call", "gatepass", "list_gate_passes", "{}", "--as", "gate"]);
    check_failure(
        &guard,
        3,
        "list_gate_passes needs the role HR_User; you are signed in as Gate_User",
    );
    let wrong = shell.run(&[
        "call",
        "gatepass",
        "list_gate_passes",
        r#"{"state":1}"#,
        "--as",
        "hr",
    ]);
    check_failure(&wrong, 2, "list_gate_passes: ");
    let unknown = shell.run(&["call", "gatepass", "list_passes", "{}", "--as", "hr"]);
    check_failure(&unknown, 2, "list_passes");
    let no_json = shell.run(&["call", "gatepass", "list_gate_passes", "{", "--as", "hr"]);
    check_failure(&no_json, 2, "the arguments are not a JSON object");
}

#[test]
fn an_approval_survives_a_restart_and_its_approver_decides_it() {
    let shell = Shell::new();
    let pending = shell.run(&[
        "call",
        "gatepass",
        "list_pending_gate_passes",
        "{}",
        "--as",
        "admin",
    ]);
    let number = pending.json()["items"][0]["pass_number"].clone();
    let arguments = json!({ "pass_number": number, "name": "The Director" }).to_string();
    let asked = shell.run(&[
        "call",
        "gatepass",
        "delete_gate_pass",
        &arguments,
        "--as",
        "admin",
    ]);
    assert_eq!(asked.code, Some(0), "{asked:?}");
    let card = &asked.json()["awaiting_approval"][0];
    assert_eq!(card["tool"], "delete_gate_pass");
    assert_eq!(
        card["arguments"],
        json!({ "pass_number": number, "name": "Omar Farooq" }),
        "who acts is who signed in"
    );

    let listed = shell
        .run(&["approvals", "list", "--as", "admin", "--json"])
        .json();
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
    let turn = listed[0]["turn_id"].as_str().unwrap();
    let call = listed[0]["card"]["call_id"].as_str().unwrap();
    let foreign = shell.run(&["approvals", "approve", turn, call, "--as", "hr"]);
    assert_ne!(foreign.code, Some(0), "{foreign:?}");
    let rejected = shell.run(&["approvals", "reject", turn, call, "--as", "admin"]);
    assert_eq!(rejected.code, Some(0), "{rejected:?}");
    let again = shell.run(&["approvals", "approve", turn, call, "--as", "admin"]);
    assert_ne!(again.code, Some(0), "{again:?}");
}

#[test]
fn a_token_is_printed_for_scripts() {
    let shell = Shell::new();
    let token = shell.run(&["token", "--as", "hr"]);
    assert_eq!(token.code, Some(0), "{token:?}");
    assert_eq!(token.out.trim().split('.').count(), 3);
    let nobody = shell.run(&["token", "--as", "nobody"]);
    check_failure(&nobody, 1, "there is no demo person named nobody");
}

#[test]
fn the_doctor_says_what_is_configured() {
    let shell = Shell::new();
    let well = shell.run(&["doctor", "--json"]);
    assert_eq!(well.code, Some(0), "{well:?}");
    let parts: Vec<Value> = well.json().as_array().unwrap().clone();
    assert!(parts.iter().all(|part| part["ok"] == true), "{parts:?}");
    let passes = parts.iter().find(|part| part["part"] == "gatepass");
    let says = passes.unwrap()["says"].as_str().unwrap();
    assert!(
        says.starts_with("prints Latin, Greek, Cyrillic, Arabic and Urdu; no font for ")
            && says.contains("Chinese, Japanese, Korean: `scripts/setup fonts`"),
        "{says}"
    );
}

#[test]
fn wrong_settings_are_reported_in_one_sentence() {
    let shell = Shell::new();
    let unknown = shell.run_with(&["migrate"], &[("FRONTDESK_DATA_DIRR", "x")]);
    check_failure(&unknown, 2, "did you mean `FRONTDESK_DATA_DIR`?");
    let file = shell.folder.path().join("frontdesk.toml");
    std::fs::write(&file, "[server]\nport = 1\n").unwrap();
    check_failure(&shell.run(&["migrate"]), 2, "unknown setting `server.port`");
    let missing = shell.run(&["migrate", "--config", "nowhere.toml"]);
    check_failure(&missing, 2, "cannot read nowhere.toml");
}

#[test]
fn a_database_that_cannot_be_used_is_left_as_it_is() {
    let shell = Shell::new();
    let path = shell.data().join("frontdesk.db");
    std::fs::create_dir_all(shell.data()).unwrap();
    let garbage = vec![b'x'; 8192];
    std::fs::write(&path, &garbage).unwrap();
    check_failure(&shell.run(&["migrate"]), 1, "is not a database");
    assert_eq!(std::fs::read(&path).unwrap(), garbage);
}

#[test]
fn a_schema_from_the_future_is_refused() {
    let shell = Shell::new();
    assert_eq!(shell.run(&["migrate"]).code, Some(0));
    from_the_future(&shell.data().join("frontdesk.db"));
    check_failure(&shell.run(&["migrate"]), 1, "newer");
}

fn from_the_future(path: &Path) {
    let db = rusqlite::Connection::open(path).unwrap();
    let changed = db
        .execute(
            "INSERT INTO schema_migrations (owner, version, name, checksum, applied_at) \
             SELECT owner, 1000, 'from the future', checksum, applied_at FROM schema_migrations \
             WHERE owner = 'platform' LIMIT 1",
            [],
        )
        .unwrap();
    assert_eq!(changed, 1);
}

#[test]
fn a_port_in_use_is_reported_with_a_remedy() {
    let shell = Shell::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let refused = shell.run(&["serve", "--bind", &address]);
    check_failure(&refused, 1, "Choose another with --bind");
}

#[test]
fn a_model_that_cannot_be_reached_has_its_own_exit_code() {
    let shell = Shell::new();
    let closed = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}/v1", listener.local_addr().unwrap())
    };
    let failed = shell.run_with(
        &["chat", "gatepass", "--as", "hr", "-m", "Hello", "--json"],
        &[("OPENAI_BASE_URL", &closed)],
    );
    assert_eq!(failed.code, Some(4), "{failed:?}");
    assert_eq!(failed.json()["outcome"], "model_failed");
    assert_eq!(
        failed.json()["error"],
        "Unable to generate response, please try again"
    );
}

pub fn check_shown(done: &Done, parts: &[&str]) {
    assert_eq!(done.code, Some(0), "{done:?}");
    let mut rest = done.out.as_str();
    for part in parts {
        let Some(at) = rest.find(part) else {
            panic!(
                "{part:?} is not in what follows: {rest}\n--- all: {}",
                done.out
            );
        };
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn a_form_asks_field_by_field_and_is_recorded_in_the_conversation() {
    let shell = Shell::new();
    let filled = shell.type_in(
        &["chat", "gatepass", "--as", "hr"],
        &[
            "/",
            "create_gate_pass",
            "",
            "Zara Malik",
            "visit the bank",
            "perhaps",
            "yes",
            "y",
            "/list_gate_passes",
            "nowhere",
            "pend",
            "",
            "show its QR code",
            "/quit",
        ],
    );
    check_shown(
        &filled,
        &[
            "1  Create a gate pass  /create_gate_pass",
            "Person name (text)",
            "This is needed.",
            "Is returnable (yes or no)",
            "Enter yes or no.",
            "Person name: Zara Malik",
            "✓ ",
            "GP-",
            "Status (one of these, optional)",
            "1  pending",
            "Enter one of: pending, approved, rejected, exited, returned.",
            "Zara Malik",
        ],
    );
}

#[test]
fn a_form_checks_each_field_and_can_be_cancelled() {
    let shell = Shell::new();
    let given_up = shell.type_in(
        &["chat", "gatepass", "--as", "admin"],
        &[
            "/approve_gate_pass",
            "GP-7",
            "/cancel",
            "/delete_gatepass",
            "/quit",
        ],
    );
    check_shown(
        &given_up,
        &[
            "Number of the gate pass, such as GP-2026-0007",
            "That does not fit: ",
            "Nothing was done.",
            "There is no /delete_gatepass here. Did you mean /delete_gate_pass?",
        ],
    );
    assert!(!given_up.out.contains("✓"), "{given_up:?}");
}

#[test]
fn a_deletion_by_form_waits_for_approval() {
    let shell = Shell::new();
    let declined = shell.type_in(
        &["chat", "gatepass", "--as", "admin"],
        &["/delete_gate_pass", "GP-2026-0001", "y", "n", "/quit"],
    );
    check_shown(
        &declined,
        &[
            "Delete gate pass GP-2026-0001: Confirm",
            "Delete the pass? [y/N, e edits]",
            "Cancelled by",
        ],
    );
}

#[test]
fn a_form_takes_a_file_from_this_machine() {
    let shell = Shell::new();
    let missing = shell.type_in(
        &["chat", "gatepass", "--as", "gate"],
        &[
            "/",
            "scan_exit",
            "GP-2026-0001",
            "nowhere.jpg",
            "/cancel",
            "/quit",
        ],
    );
    check_shown(&missing, &["cannot read nowhere.jpg", "Nothing was done."]);
}

/// A service that runs until the test ends, and the reader of its output.
struct Running(
    std::process::Child,
    #[expect(
        dead_code,
        reason = "an output that nobody reads would end the service"
    )]
    std::io::BufReader<std::process::ChildStdout>,
);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn a_bundled_service_runs_alone_and_the_assistant_knows_only_its_address() {
    use std::io::{BufRead, BufReader};
    let shell = Shell::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_frontdesk"))
        .args(["service", "gatepass", "--bind", "127.0.0.1:0"])
        .current_dir(shell.folder.path())
        .env_clear()
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    let mut told = BufReader::new(child.stdout.take().unwrap());
    told.read_line(&mut first).unwrap();
    let _running = Running(child, told);
    let url = first.trim().rsplit(' ').next().unwrap().to_owned();
    assert!(url.starts_with("http://127.0.0.1:"), "{first}");

    let token = shell.run(&["token", "--as", "hr", "--service", "gatepass"]);
    assert_eq!(token.code, Some(0), "{token:?}");
    let client = crate::server::client();
    let list = |token: &str| {
        client
            .get(format!("{url}/hr/gatepass/list"))
            .bearer_auth(token)
            .send()
    };
    let answer = list(token.out.trim()).await.unwrap();
    assert_eq!(answer.status(), 200);
    let listed: Value = answer.json().await.unwrap();
    assert_eq!(listed["items"].as_array().unwrap().len(), 12);
    let own = shell.run(&["token", "--as", "hr"]);
    assert_eq!(
        list(own.out.trim()).await.unwrap().status(),
        401,
        "a person's own token is not for the service"
    );

    let through = shell.run_with(
        &["call", "gatepass", "list_gate_passes", "{}", "--as", "hr"],
        &[("API_BASE_URL", &url)],
    );
    assert_eq!(through.json()["count"], 12, "{through:?}");
    check_failure(
        &shell.run(&["service", "nothing"]),
        1,
        "there is no service named nothing; there is gatepass",
    );
}

/// A reader that closes the pipe ends the command silently, with the exit code of SIGPIPE.
#[test]
fn a_closed_pipe_ends_a_command_quietly() {
    let shell = Shell::new();
    // More output than a pipe buffers, so that the command still writes when the reader leaves.
    for arguments in [&["openapi"][..], &["tools", "gatepass", "--json"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_frontdesk"))
            .args(arguments)
            .current_dir(shell.folder.path())
            .env_clear()
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let reader = child.stdout.take().unwrap();
        if arguments == ["openapi"] {
            let mut line = String::new();
            BufReader::with_capacity(16, reader)
                .read_line(&mut line)
                .unwrap();
            assert_eq!(line, "{\n");
        } else {
            drop(reader);
        }
        let done = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!((said.as_ref(), done.status.code()), ("", Some(141)));
    }
}

/// The doctor names the statement that gives a missing right.
#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_names_the_missing_grant() {
    let database = TestPostgres::database().await;
    let shell = Shell::new();
    let migrated = shell.run_with(&["migrate"], &[("DATABASE_URL", &database.url)]);
    assert_eq!(migrated.code, Some(0), "{migrated:?}");
    let role = database.create_role("LOGIN").await;
    let ready = format!("GRANT fd_worker TO {role}; REVOKE USAGE ON SCHEMA frontdesk FROM fd_app");
    database.execute(&ready).await;
    let url = database.url_as(&role);
    let done = shell.run_with(&["doctor", "--json"], &[("DATABASE_URL", &url)]);
    assert_eq!(done.code, Some(1), "{done:?}");
    let findings: Value = serde_json::from_str(&done.out).unwrap();
    let database = findings.as_array().unwrap().iter();
    let says: Vec<&str> = database
        .filter(|finding| finding["part"] == "database")
        .map(|finding| finding["says"].as_str().unwrap())
        .collect();
    let expected = format!(
        "rights are missing; let an administrator run: GRANT fd_app TO {role}; \
         GRANT USAGE ON SCHEMA frontdesk TO fd_app;"
    );
    assert_eq!(says, [expected]);
}

/// The first commands of an operator, before any server made the data folder.
#[tokio::test(flavor = "multi_thread")]
async fn on_postgres_an_empty_folder_is_enough() {
    let database = TestPostgres::database().await;
    for arguments in [
        &["migrate"] as &[&str],
        &["token", "--sub", "3f1c6a52-9d0e-4b7a-8a55-0d6c1f2b7e10"],
        &["doctor"],
    ] {
        let shell = Shell::new();
        let done = shell.run_with(arguments, &[("DATABASE_URL", &database.url)]);
        assert_eq!(done.code, Some(0), "{arguments:?}: {done:?}");
    }
}
