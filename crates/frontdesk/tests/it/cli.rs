//! The command line as a person or a script uses it: the real binary, its output and its
//! exit codes.

use std::io::Write;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The binary in a folder of its own, with nothing of this machine's settings.
struct Shell {
    folder: TempDir,
}

impl Shell {
    fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
        }
    }

    fn data(&self) -> std::path::PathBuf {
        self.folder.path().join("data")
    }

    fn run(&self, arguments: &[&str]) -> Done {
        self.run_with(arguments, &[])
    }

    /// With these lines typed in.
    fn type_in(&self, arguments: &[&str], lines: &[&str]) -> Done {
        let mut child = Command::new(env!("CARGO_BIN_EXE_frontdesk"))
            .args(arguments)
            .current_dir(self.folder.path())
            .env_clear()
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

    fn run_with(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Done {
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
struct Done {
    code: Option<i32>,
    out: String,
    err: String,
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
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

fn check_failure(done: &Done, code: i32, sentence: &str) {
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
        "there is no role hr_user; there are HR_User",
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
    check_failure(&wrong, 3, "list_gate_passes: ");
    let no_json = shell.run(&["call", "gatepass", "list_gate_passes", "{", "--as", "hr"]);
    check_failure(&no_json, 1, "the arguments are not a JSON object");
}

#[test]
fn an_approval_survives_the_process_and_is_decided_by_its_person() {
    let shell = Shell::new();
    let asked = shell.run(&[
        "call",
        "gatepass",
        "delete_gate_pass",
        r#"{"pass_number":"GP-2026-0001","name":"x"}"#,
        "--as",
        "admin",
    ]);
    assert_eq!(asked.code, Some(0), "{asked:?}");
    let card = &asked.json()["awaiting_approval"][0];
    assert_eq!(card["tool"], "delete_gate_pass");

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
fn the_doctor_says_what_is_configured_and_no_secret() {
    let shell = Shell::new();
    let well = shell.run_with(
        &["doctor", "--json"],
        &[("OPENAI_API_KEY", "sk-canary-0123456789")],
    );
    assert_eq!(well.code, Some(0), "{well:?}");
    assert!(!well.out.contains("canary") && !well.err.contains("canary"));
    let parts: Vec<Value> = well.json().as_array().unwrap().clone();
    assert!(parts.iter().all(|part| part["ok"] == true), "{parts:?}");
}

#[test]
fn settings_that_are_wrong_are_told_in_one_sentence() {
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
fn a_port_in_use_is_told_with_what_to_do() {
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

fn check_shown(done: &Done, parts: &[&str]) {
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
fn a_form_asks_field_by_field_and_stands_in_the_conversation() {
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
            "GP-2026-",
            "Status (one of these, optional)",
            "1  pending",
            "Enter one of: pending, approved, rejected, exited, returned.",
            "Zara Malik",
        ],
    );
}

#[test]
fn a_form_checks_each_field_and_can_be_given_up() {
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
fn what_a_form_deletes_waits_for_approval_like_a_call_of_the_model() {
    let shell = Shell::new();
    let declined = shell.type_in(
        &["chat", "gatepass", "--as", "admin"],
        &["/delete_gate_pass", "GP-2026-0001", "", "y", "n", "/quit"],
    );
    check_shown(
        &declined,
        &["needs approval", "Approve? [y/N]", "Rejected by"],
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

/// A server that owns the folder, as an operator starts it.
struct Served {
    child: std::process::Child,
}

impl Served {
    fn start(shell: &Shell) -> Self {
        let child = Command::new(env!("CARGO_BIN_EXE_frontdesk"))
            .args(["serve", "--bind", "127.0.0.1:0"])
            .current_dir(shell.folder.path())
            .env_clear()
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let served = Self { child };
        // It answers once it has taken the folder and opened everything.
        while !served.is_ready(shell) {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        served
    }

    fn url(shell: &Shell) -> String {
        std::fs::read_to_string(shell.data().join("server.lock")).unwrap_or_default()
    }

    fn is_ready(&self, shell: &Shell) -> bool {
        use std::io::{Read, Write};
        let url = Self::url(shell);
        let Some(address) = url.strip_prefix("http://") else {
            return false;
        };
        let Ok(mut stream) = std::net::TcpStream::connect(address) else {
            return false;
        };
        let head = format!("GET /readyz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
        let mut answer = String::new();
        stream.write_all(head.as_bytes()).is_ok()
            && stream.read_to_string(&mut answer).is_ok()
            && answer.starts_with("HTTP/1.1 200")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The terminal talks to the server that owns the folder, and prints what it prints without one.
#[test]
fn a_running_server_does_the_work() {
    let shell = Shell::new();
    let served = Served::start(&shell);
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
    assert_eq!(response["outcome"], "answered", "{response}");
    assert_eq!(response["turn_number"], 1);
    assert_eq!(response["tool_calls"][0]["name"], "list_gate_passes");
    assert!(
        response["tool_calls"][0]["arguments"].is_object(),
        "{response}"
    );
    assert!(!response["content"].as_str().unwrap().is_empty());
    let id = response["session_id"].as_str().unwrap();
    let again = shell.run(&[
        "chat",
        "gatepass",
        "--as",
        "hr",
        "-m",
        "thanks",
        "--conversation",
        id,
    ]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert!(again.err.contains(id), "{again:?}");

    let guard = shell.run(&["call", "gatepass", "list_gate_passes", "{}", "--as", "gate"]);
    check_failure(&guard, 3, "list_gate_passes needs the role HR_User");
    let listed = shell.run(&[
        "call",
        "gatepass",
        "list_gate_passes",
        r#"{"status":"pending"}"#,
    ]);
    assert_eq!(listed.code, Some(0), "{listed:?}");
    listed.json();
    let nobody = shell.run(&["chat", "gatepass", "--as", "nobody", "-m", "Hello"]);
    assert_eq!(nobody.code, Some(2), "{nobody:?}");

    let asked = shell.run(&[
        "call",
        "gatepass",
        "delete_gate_pass",
        r#"{"pass_number":"GP-2026-0001","name":"x"}"#,
        "--as",
        "admin",
    ]);
    assert_eq!(
        asked.json()["awaiting_approval"][0]["tool"],
        "delete_gate_pass",
        "{asked:?}"
    );
    let waiting = shell
        .run(&["approvals", "list", "--as", "admin", "--json"])
        .json();
    let turn = waiting[0]["turn_id"].as_str().unwrap();
    let call = waiting[0]["card"]["call_id"].as_str().unwrap();
    let foreign = shell.run(&["approvals", "approve", turn, call, "--as", "hr"]);
    assert_ne!(foreign.code, Some(0), "{foreign:?}");
    let rejected = shell.run(&["approvals", "reject", turn, call, "--as", "admin"]);
    assert_eq!(rejected.code, Some(0), "{rejected:?}");
    assert_eq!(
        shell
            .run(&["approvals", "list", "--as", "admin"])
            .out
            .trim(),
        "Nothing waits for you."
    );

    // A second server on the same folder is told who has it.
    let second = shell.run(&["serve", "--bind", "127.0.0.1:0"]);
    check_failure(&second, 1, "owns the data folder");
    drop(served);
    // Killed: nothing is left behind, and the terminal works by itself again.
    let alone = shell.run(&[
        "chat",
        "gatepass",
        "--as",
        "hr",
        "-m",
        "thanks",
        "--conversation",
        id,
        "--json",
    ]);
    assert_eq!(alone.json()["turn_number"], 3, "{alone:?}");
}

/// Any other server is talked to by its address and a token.
#[test]
fn another_server_is_named_and_wants_a_token() {
    let shell = Shell::new();
    let _served = Served::start(&shell);
    let url = Served::url(&shell);
    let token = shell.run(&["token", "--as", "hr"]).out.trim().to_owned();
    let elsewhere = Shell::new();
    let arguments = [
        "chat",
        "gatepass",
        "-m",
        "List all gate passes",
        "--json",
        "--server",
        &url,
    ];
    let said = elsewhere.run_with(&arguments, &[("FRONTDESK_TOKEN", &token)]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(said.json()["outcome"], "answered");
    let forged = elsewhere.run_with(&arguments, &[("FRONTDESK_TOKEN", "garbage")]);
    check_failure(&forged, 3, "the token is not valid");
    let gone = elsewhere.run_with(
        &[
            "chat",
            "gatepass",
            "-m",
            "x",
            "--server",
            "http://127.0.0.1:9",
        ],
        &[("FRONTDESK_TOKEN", &token)],
    );
    assert_eq!(gone.code, Some(1), "{gone:?}");
    assert!(gone.err.contains("does not answer"), "{gone:?}");
}

/// Unsafe combinations do not start.
#[test]
fn a_server_that_others_reach_needs_to_know_who_they_are() {
    let shell = Shell::new();
    let open = shell.run(&["serve", "--bind", "0.0.0.0:0"]);
    check_failure(&open, 2, "set SUPABASE_URL or SUPABASE_JWT_SECRET");
    let short = shell.run_with(&["serve"], &[("SUPABASE_JWT_SECRET", "short")]);
    check_failure(&short, 2, "at least 32 bytes");
    let demo = shell.run_with(
        &["serve", "--bind", "0.0.0.0:0"],
        &[("FRONTDESK_DEMO", "true")],
    );
    check_failure(&demo, 2, "demo people sign in without a password");
    let plain = shell.run_with(&["serve"], &[("SUPABASE_URL", "http://issuer.example")]);
    check_failure(&plain, 2, "must be an https address");
}
