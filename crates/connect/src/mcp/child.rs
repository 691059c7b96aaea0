//! A server's program: a small environment, bounded output, and a certain end.

use std::collections::BTreeMap;
use std::io;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, Command};
use tokio_util::io::InspectReader;

use super::McpServer;

/// Output between two calls; a server that writes more is stopped.
const MAX_OUTPUT: usize = 64 * 1024 * 1024;
const MAX_ERROR_LINE: u64 = 4 * 1024;

/// A running program. Dropping it kills the program and everything that the program started.
pub(super) struct Process {
    group: Option<Pid>,
    last_error: Arc<Mutex<String>>,
    written: Arc<AtomicUsize>,
    /// Killed on drop, even if it left its group.
    _child: Child,
}

/// Starts the program. `inherited` is the environment that every program needs, such as PATH.
pub(super) fn start(
    server: &McpServer,
    inherited: &BTreeMap<String, String>,
) -> io::Result<(Process, impl AsyncRead + Unpin + use<>, ChildStdin)> {
    let command = server.command.split_first();
    let (program, arguments) = command.ok_or_else(|| io::Error::other("the command is empty"))?;
    let declared = server
        .env
        .iter()
        .map(|(name, value)| (name.as_str(), value.expose()));
    let mut child = Command::new(program)
        .args(arguments)
        .env_clear()
        .envs(inherited)
        .envs(declared)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // Launchers such as `npx` start the real server as their child.
        .process_group(0)
        .kill_on_drop(true)
        .spawn()?;
    let closed = || io::Error::other("a pipe of the program is missing");
    let input = child.stdin.take().ok_or_else(closed)?;
    let output = child.stdout.take().ok_or_else(closed)?;
    let errors = child.stderr.take().ok_or_else(closed)?;
    let id = child.id().and_then(|id| i32::try_from(id).ok());
    let process = Process {
        group: id.and_then(Pid::from_raw),
        last_error: Arc::default(),
        written: Arc::default(),
        _child: child,
    };
    tokio::spawn(read_errors(errors, Arc::clone(&process.last_error)));
    let (group, written) = (process.group, Arc::clone(&process.written));
    let output = InspectReader::new(output, move |bytes: &[u8]| {
        if written.fetch_add(bytes.len(), Ordering::Relaxed) > MAX_OUTPUT {
            kill(group);
        }
    });
    Ok((process, output, input))
}

fn kill(group: Option<Pid>) {
    if let Some(group) = group {
        // It may have ended already.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

impl Process {
    /// The last line that the program wrote to standard error, for the operator.
    pub(super) fn last_words(&self) -> String {
        let line = self.last_error.lock();
        match line.unwrap_or_else(PoisonError::into_inner).as_str() {
            "" => String::new(),
            line => format!(" (the program wrote: {line})"),
        }
    }

    /// Begins a new allowance of output.
    pub(super) fn reset_output(&self) {
        self.written.store(0, Ordering::Relaxed);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        kill(self.group);
    }
}

/// Reads to the end, so that a talkative program does not block.
async fn read_errors(errors: ChildStderr, last: Arc<Mutex<String>>) {
    let mut errors = BufReader::new(errors);
    let mut line = Vec::new();
    while let Ok(1..) = (&mut errors)
        .take(MAX_ERROR_LINE)
        .read_until(b'\n', &mut line)
        .await
    {
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        line.clear();
        if !text.is_empty() {
            *last.lock().unwrap_or_else(PoisonError::into_inner) = text;
        }
    }
}
