//! A process under measurement: its address, CPU time and memory.

use std::process::Stdio;

use anyhow::{Context, Result, bail};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child as Process, Command};

pub struct Child {
    process: Process,
    pub url: String,
    pid: u32,
}

impl Child {
    /// Starts a part of this program; its first output line is the address.
    pub async fn start(arguments: &[&str]) -> Result<Self> {
        let program = std::env::current_exe().context("cannot find this program")?;
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("cannot start {arguments:?}"))?;
        let pid = process.id().context("the child has no process id")?;
        let output = process.stdout.take().context("the child has no output")?;
        let mut lines = BufReader::new(output).lines();
        let Some(url) = lines.next_line().await? else {
            bail!("{arguments:?} did not start");
        };
        Ok(Self { process, url, pid })
    }

    /// CPU time so far, in milliseconds.
    pub fn cpu_ms(&self) -> Result<f64> {
        cpu_ms(self.pid)
    }

    pub fn rss_kb(&self) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid))?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))
            .context("no VmRSS")?;
        let number = line.split_whitespace().next().context("no VmRSS")?;
        Ok(number.parse()?)
    }

    pub async fn stop(mut self) {
        // The process may have ended already.
        let _ = self.process.kill().await;
    }
}

/// Clock ticks per second on Linux.
const TICKS: f64 = 100.0;

/// User and system time of a process.
pub fn cpu_ms(pid: u32) -> Result<f64> {
    Ok(ticks(pid, 2)? / TICKS * 1e3)
}

/// The same, including its terminated children.
pub fn cpu_ms_with_children(pid: u32) -> Result<f64> {
    Ok(ticks(pid, 4)? / TICKS * 1e3)
}

/// The sum of the first `fields` of utime, stime, cutime and cstime.
fn ticks(pid: u32, fields: usize) -> Result<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The program's name may have spaces; the fields after it are regular.
    let (_, rest) = stat.rsplit_once(')').context("no stat")?;
    let times = rest.split_whitespace().skip(11).take(fields);
    let mut sum = 0.0;
    for time in times {
        sum += time.parse::<f64>()?;
    }
    Ok(sum)
}
