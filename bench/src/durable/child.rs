//! A process under measurement: where it listens, what CPU time it used, how much memory it has.

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
    /// Starts a part of this very program; its first line says where it listens.
    pub async fn start(arguments: &[&str]) -> Result<Self> {
        let program = std::env::current_exe().context("cannot find this program")?;
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("cannot start {arguments:?}"))?;
        let pid = process.id().context("it has no process id")?;
        let output = process.stdout.take().context("it says nothing")?;
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
        // Gone already is as good as stopped.
        let _ = self.process.kill().await;
    }
}

/// Clock ticks a second, as Linux has them for programs.
const TICKS: f64 = 100.0;

/// User and system time of a process.
pub fn cpu_ms(pid: u32) -> Result<f64> {
    Ok(ticks(pid, 2)? / TICKS * 1e3)
}

/// The same with what its children that ended have used.
pub fn cpu_ms_with_children(pid: u32) -> Result<f64> {
    Ok(ticks(pid, 4)? / TICKS * 1e3)
}

/// The first so many of utime, stime, cutime and cstime.
fn ticks(pid: u32, fields: usize) -> Result<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The name of the program may have spaces; behind it everything is regular.
    let (_, rest) = stat.rsplit_once(')').context("no stat")?;
    let times = rest.split_whitespace().skip(11).take(fields);
    let mut sum = 0.0;
    for time in times {
        sum += time.parse::<f64>()?;
    }
    Ok(sum)
}
