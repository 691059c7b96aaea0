//! A server's program: a small environment, bounded output, and a certain end.

use std::collections::BTreeMap;
use std::io;
use std::pin::Pin;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader, ReadBuf};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};

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

pub(super) struct Pipes {
    pub(super) output: Limited<ChildStdout>,
    pub(super) input: ChildStdin,
}

/// `inherited` is the environment that every program needs, such as PATH.
pub(super) fn start(
    server: &McpServer,
    inherited: &BTreeMap<String, String>,
) -> io::Result<(Process, Pipes)> {
    let (program, arguments) = server
        .command
        .split_first()
        .ok_or_else(|| io::Error::other("the command is empty"))?;
    let mut child = Command::new(program)
        .args(arguments)
        .env_clear()
        .envs(inherited)
        .envs(
            server
                .env
                .iter()
                .map(|(name, value)| (name, value.expose())),
        )
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
    let last_error = Arc::new(Mutex::new(String::new()));
    tokio::spawn(read_errors(errors, Arc::clone(&last_error)));
    let written = Arc::new(AtomicUsize::new(0));
    let group = child
        .id()
        .and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
    let process = Process {
        group,
        last_error,
        written: Arc::clone(&written),
        _child: child,
    };
    let output = Limited {
        inner: output,
        written,
    };
    Ok((process, Pipes { output, input }))
}

impl Process {
    /// The last line that the program wrote to standard error, for the operator.
    pub(super) fn last_error(&self) -> String {
        let line = self
            .last_error
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        line.clone()
    }

    /// Begins a new allowance of output.
    pub(super) fn reset_output(&self) {
        self.written.store(0, Ordering::Relaxed);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(group) = self.group {
            // It may have ended already.
            let _ = kill_process_group(group, Signal::KILL);
        }
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

/// Ends the stream of a program that writes without end.
pub(super) struct Limited<R> {
    inner: R,
    written: Arc<AtomicUsize>,
}

impl<R: AsyncRead + Unpin> AsyncRead for Limited<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.written.load(Ordering::Relaxed) > MAX_OUTPUT {
            return Poll::Ready(Err(io::Error::other("the program writes without end")));
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.inner).poll_read(cx, buffer);
        let count = buffer.filled().len().saturating_sub(before);
        self.written.fetch_add(count, Ordering::Relaxed);
        read
    }
}
