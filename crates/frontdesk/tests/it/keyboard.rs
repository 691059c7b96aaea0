//! The terminal with a real keyboard: keys go through a pseudo-terminal, so that Ctrl-C is a
//! signal.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use frontdesk_testkit::model_server::{Gate, ModelServer, say};
use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, openpt, unlockpt};

use crate::cli::{Done, Shell};
use crate::terminal::Served;

const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";

/// An upper limit: a busy machine takes a while to start the program.
const PATIENCE: Duration = Duration::from_secs(60);

struct Terminal {
    keys: File,
    screen: Receiver<String>,
    /// Output that no assertion has consumed yet.
    shown: String,
    child: Child,
}

impl Terminal {
    fn open(shell: &Shell, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        // A child that inherited the controlling side would not notice that the terminal is gone.
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let master = openpt(flags).unwrap();
        unlockpt(&master).unwrap();
        let side = || Stdio::from(ioctl_tiocgptpeer(&master, flags).unwrap());
        let child = Command::new("setsid")
            .args(["--ctty", "--wait", env!("CARGO_BIN_EXE_frontdesk")])
            .args(arguments)
            .current_dir(shell.folder.path())
            .env_clear()
            .envs([("PATH", "/usr/bin:/bin"), ("TERM", "xterm")])
            .envs(environment.iter().copied())
            .stdin(side())
            .stdout(side())
            .stderr(side())
            .spawn()
            .unwrap();
        let keys = File::from(master);
        let mut screen = keys.try_clone().unwrap();
        let (show, shown) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Reading fails when the last program has closed the terminal.
            while let Ok(count @ 1..) = screen.read(&mut bytes) {
                let text = String::from_utf8_lossy(&bytes[..count]);
                if show.send(text.into_owned()).is_err() {
                    break;
                }
            }
        });
        Self {
            keys,
            screen: shown,
            shown: String::new(),
            child,
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    fn enter(&mut self, line: &str) {
        self.press(line);
        self.press("\r");
    }

    /// Waits until this text is shown and consumes the output up to it.
    fn sees(&mut self, text: &str) {
        while !self.shown.contains(text) {
            match self.screen.recv_timeout(PATIENCE) {
                Ok(more) => self.shown.push_str(&more),
                Err(_) => panic!("{text:?} is not shown: {:?}", self.shown),
            }
        }
        let end = self.shown.find(text).unwrap() + text.len();
        self.shown.drain(..end);
    }

    fn leave(mut self) {
        self.enter("/quit");
        self.sees("Continue later with:");
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}

const ADMIN: [&str; 4] = ["chat", "gatepass", "--as", "admin"];

fn pending(shell: &Shell) -> usize {
    let list = shell.run(&["approvals", "list", "--as", "admin", "--json"]);
    list.json().as_array().unwrap().len()
}

/// The answer stops, its text so far stays, and the next message is answered.
async fn check_stopping_an_answer(shell: &Shell) {
    let model = ModelServer::start().await;
    let gate = Gate::shut();
    model.script([
        say("It begins well").then_wait(&gate).then_say("never"),
        say("Still here."),
    ]);
    let url = model.url();
    let mut terminal = Terminal::open(shell, &ADMIN, &[("OPENAI_BASE_URL", &url)]);
    terminal.sees("> ");
    terminal.enter("Tell me a story");
    terminal.sees("It begins well");
    terminal.press(CTRL_C);
    terminal.sees("Stopped.");
    terminal.sees("> ");
    terminal.enter("Are you there?");
    terminal.sees("Still here.");
    terminal.leave();
    let told = String::from_utf8_lossy(model.request(1).body()).into_owned();
    assert!(told.contains("It begins well"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_stops_the_answer_and_not_the_program() {
    check_stopping_an_answer(&Shell::new()).await;
}

/// Ctrl-C at a card leaves it undecided.
fn check_stopping_at_a_card(shell: &Shell) {
    let mut terminal = Terminal::open(shell, &ADMIN, &[]);
    terminal.sees("> ");
    terminal.enter("delete the gate pass GP-2026-0004");
    terminal.sees("Pass number: GP-2026-0004");
    terminal.sees("Delete the pass? [y/N, e edits]");
    terminal.press(CTRL_C);
    terminal.sees("Stopped.");
    terminal.sees("> ");
    assert!(!terminal.shown.contains("Cancelled"), "{}", terminal.shown);
    terminal.leave();
    assert_eq!(pending(shell), 0);
}

#[test]
fn ctrl_c_at_a_card_stops_the_turn_and_decides_nothing() {
    check_stopping_at_a_card(&Shell::new());
}

#[test]
fn ctrl_c_at_a_card_stops_the_turn_of_a_running_server() {
    let shell = Shell::new();
    let _served = Served::start(&shell);
    check_stopping_at_a_card(&shell);
}

#[test]
fn leaving_at_a_card_leaves_it_waiting() {
    let shell = Shell::new();
    let mut terminal = Terminal::open(&shell, &ADMIN, &[]);
    terminal.sees("> ");
    terminal.enter("delete the gate pass GP-2026-0004");
    terminal.sees("Delete the pass? [y/N, e edits]");
    terminal.enter("perhaps");
    terminal.sees("y: Delete the pass, n: Don't delete");
    terminal.sees("Delete the pass? [y/N, e edits]");
    terminal.press(CTRL_D);
    terminal.sees("Nothing is decided yet. It waits until");
    terminal.sees("> ");
    terminal.leave();
    assert_eq!(pending(&shell), 1);
}

/// Runs the command printed at the end of a conversation, with one more message.
fn continue_conversation(shell: &Shell, done: &Done) -> Done {
    let (_, command) = done.out.split_once("Continue later with: ").unwrap();
    let mut words = command.split_whitespace();
    assert_eq!(words.next(), Some(env!("CARGO_BIN_EXE_frontdesk")));
    let mut arguments: Vec<&str> = words.collect();
    arguments.extend(["-m", "Do I have any notifications?", "--json"]);
    shell.run(&arguments)
}

#[test]
fn the_last_line_continues_the_conversation_as_the_same_person() {
    let shell = Shell::new();
    for lines in [
        &["List the pending passes", "/quit"] as &[&str],
        &["/as hr", "List my passes", "/quit"],
    ] {
        let done = shell.type_in(&ADMIN, lines);
        let again = continue_conversation(&shell, &done);
        assert_eq!(again.code, Some(0), "{again:?}");
        assert_eq!(again.json()["turn_number"], 2, "{again:?}");
    }
}

#[test]
fn the_last_line_names_the_server_that_was_named() {
    let (near, far) = (Shell::new(), Shell::new());
    let _served = Served::start(&far);
    let url = Served::url(&far);
    let mut arguments = ADMIN.to_vec();
    arguments.extend(["--server", &url]);
    let done = near.type_in(&arguments, &["List the pending passes", "/quit"]);
    let again = continue_conversation(&near, &done);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert_eq!(again.json()["turn_number"], 2, "{again:?}");
}

#[test]
fn the_files_of_an_answer_are_printed_alone_and_through_a_server() {
    let shell = Shell::new();
    let words = "Show the QR code of GP-2026-0001";
    let ask = ["chat", "gatepass", "--as", "hr", "-m", words, "--json"];
    let alone = shell.run(&ask).json();
    let _served = Served::start(&shell);
    let through_server = shell.run(&ask).json();
    for said in [alone, through_server] {
        let file = &said["files"][0];
        assert_eq!(file["name"], "GP-2026-0001-qr.png", "{said}");
        assert_eq!(file["media_type"], "image/png", "{said}");
        let url = file["url"].as_str().unwrap();
        assert!(url.starts_with("/api/v1/attachments/"), "{url}");
    }
}
