//! Runs the commands of docs/api.md verbatim against a real server.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use tempfile::TempDir;

/// A command of the document and the expected part of its output.
struct Block {
    commands: String,
    expected: Option<String>,
}

fn blocks(document: &str) -> Vec<Block> {
    let parts: Vec<&str> = document.split("```sh\n").collect();
    parts
        .windows(2)
        .map(|pair| {
            let (commands, _) = pair[1].split_once("\n```").unwrap();
            let last_line = pair[0].trim_end().lines().last().unwrap_or_default();
            let expected = last_line
                .strip_prefix("<!-- expect: ")
                .and_then(|rest| rest.strip_suffix(" -->"));
            Block {
                commands: commands.to_owned(),
                expected: expected.map(str::to_owned),
            }
        })
        .collect()
}

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // An exited process is as good as a killed one.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits for the server's own output. Polling with connections would fail: an unused port may be
/// assigned to the connecting socket itself, which then connects to itself.
fn serve(folder: &Path, address: &str) -> Server {
    let mut child = Command::new(env!("CARGO_BIN_EXE_frontdesk"))
        .args(["serve", "--bind", address])
        .current_dir(folder)
        .env_clear()
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let said = BufReader::new(child.stdout.take().unwrap());
    let server = Server(child);
    let (up, is_up) = mpsc::channel();
    std::thread::spawn(move || {
        // Drains the output, so that the server never blocks on a full pipe.
        for line in said.lines().map_while(Result::ok) {
            if line.contains("Frontdesk is at") {
                let _ = up.send(());
            }
        }
    });
    let told = is_up.recv_timeout(Duration::from_secs(90));
    told.expect("the server does not come up");
    server
}

#[test]
fn the_quick_start_does_what_it_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let document = std::fs::read_to_string(root.join("docs/api.md")).unwrap();
    let blocks = blocks(&document);
    assert!(blocks.len() >= 8, "only {} blocks", blocks.len());
    let address = {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        free.local_addr().unwrap().to_string()
    };
    let folder = TempDir::new().unwrap();
    let _server = serve(folder.path(), &address);
    let program = Path::new(env!("CARGO_BIN_EXE_frontdesk")).parent().unwrap();
    // One shell runs all blocks, as a reader's would; a mark after each block separates the
    // outputs.
    let mut script = "set -euo pipefail\n".to_owned();
    for block in &blocks {
        script.push_str(&block.commands.replace("127.0.0.1:8080", &address));
        script.push_str("\necho '=== next ==='\n");
    }
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", program.display());
    let done = Command::new("bash")
        .args(["-c", &script])
        .current_dir(folder.path())
        .env_clear()
        .env("PATH", path)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    let trouble = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{said}\n{trouble}");
    for (block, output) in blocks.iter().zip(said.split("=== next ===")) {
        if let Some(expected) = &block.expected {
            let commands = &block.commands;
            assert!(
                output.contains(expected),
                "{commands}\nprints\n{output}\nwithout {expected}"
            );
        }
    }
}
