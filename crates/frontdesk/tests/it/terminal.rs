//! The terminal beside a running server: it finds the one that owns the folder, and any other is
//! named; the server does the work and checks access.

use std::process::{Child, Command, Stdio};

use crate::cli::{Shell, check_failure, check_shown};

/// A server that owns the folder, started as an operator would.
pub struct Served {
    pub child: Child,
}

impl Served {
    pub fn start(shell: &Shell) -> Self {
        let command = Self::command(shell)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        Self::when_ready(shell, command.unwrap())
    }

    pub fn command(shell: &Shell) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_frontdesk"));
        command
            .args(["serve", "--bind", "127.0.0.1:0"])
            .current_dir(shell.folder.path())
            .env_clear();
        command
    }

    pub fn when_ready(shell: &Shell, child: Child) -> Self {
        let mut served = Self { child };
        // The server answers once it has locked the folder and opened everything.
        while !served.is_ready(shell) {
            assert_eq!(served.child.try_wait().unwrap(), None, "it ended");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        served
    }

    pub fn url(shell: &Shell) -> String {
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

/// The terminal talks to the server that owns the folder, with the same output as without one.
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

    // A second server on the same folder is refused.
    let second = shell.run(&["serve", "--bind", "127.0.0.1:0"]);
    check_failure(&second, 1, "owns the data folder");
    drop(served);
    // After a kill no lock is left behind, and the terminal works by itself again.
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

/// Calls and approvals also go through the server.
#[test]
fn a_running_server_runs_calls_and_takes_decisions() {
    let shell = Shell::new();
    let _served = Served::start(&shell);
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
    let left = shell.run(&["approvals", "list", "--as", "admin"]).out;
    // Passes that were decided stay with the work of their assistant.
    let (waiting, decided) = left.rsplit_once("Decided in the last 14 days").unwrap();
    assert!(!waiting.contains("Delete gate pass"), "{left}");
    assert!(waiting.contains("Passes to decide"), "{left}");
    assert!(
        decided.contains("Delete gate pass GP-2026-0001: Cancelled by "),
        "{left}"
    );
}

/// Any other server is reached by its address and a token.
#[test]
fn another_server_needs_its_address_and_a_token() {
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
fn a_reachable_server_needs_authentication() {
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

/// `/` with a running server lists its tools and fills in their forms, as without one.
#[test]
fn forms_of_a_running_server_are_filled_in_the_terminal() {
    let shell = Shell::new();
    let _served = Served::start(&shell);
    let done = shell.type_in(
        &["chat", "gatepass", "--as", "hr"],
        &[
            "/",
            "create_gate_pass",
            "Zara Malik",
            "visit to the notary",
            "yes",
            "y",
            "/list_gate_pases",
            "/get_qr_code",
            "seven",
            "/cancel",
            "/quit",
        ],
    );
    check_shown(
        &done,
        &[
            "/create_gate_pass",
            "Person name",
            "Is returnable",
            "Zara Malik",
            "GP-2026-0013",
            "Did you mean /list_gate_passes?",
            "That does not fit",
            "Nothing was done.",
        ],
    );
    let admin = shell.type_in(
        &["chat", "gatepass", "--as", "admin"],
        &["/approve_gate_pass", "GP-2026-0013", "y", "y", "/quit"],
    );
    // The approver comes from the sign-in and is not asked for.
    check_shown(&admin, &["Pass number", "Omar Farooq"]);
    assert!(
        !admin.out.contains("Name of the admin who decides"),
        "{admin:?}"
    );
}

/// Several people at one keyboard: "it" refers to the last mentioned pass, also for the next
/// person, with a running server and without.
#[test]
fn several_people_handle_one_pass_at_one_keyboard() {
    for with_server in [false, true] {
        let shell = Shell::new();
        let _served = with_server.then(|| Served::start(&shell));
        let done = shell.type_in(
            &["chat", "gatepass", "--as", "hr"],
            &[
                "Create a gate pass for Sara Khan to visit the bank, she will be back",
                "y",
                "/as nobody",
                "/as admin",
                "approve GP-2026-0013",
                "y",
                "show its QR code",
                "/save codes",
                "/quit",
            ],
        );
        check_shown(
            &done,
            &[
                "Created gate pass GP-2026-0013",
                "You are Omar Farooq",
                "GP-2026-0013",
                "approved",
                "Saved codes/",
            ],
        );
        let codes = shell.folder.path().join("codes");
        assert_eq!(std::fs::read_dir(codes).unwrap().count(), 1);
    }
}
