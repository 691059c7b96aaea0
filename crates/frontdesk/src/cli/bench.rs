//! `frontdesk bench`: what turns and whole servers cost. Measuring takes a scripted model, a floor to compare
//! with and an allocator that counts. None of that is shipped: programs of their own do it, found beside this one.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use tokio::process::Command;

use super::Exit;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  frontdesk bench --check\n  frontdesk bench servers --json\n  frontdesk bench servers -- --only sqlite\n\nbench/README.md says how to read the figures, which only an optimised build gives."
)]
pub(super) struct Bench {
    /// What to measure.
    #[arg(value_enum, default_value_t = Subject::Turns)]
    subject: Subject,
    /// Print the figures as JSON.
    #[arg(long)]
    json: bool,
    /// Fail when a goal is missed.
    #[arg(long)]
    check: bool,
    /// Further options of the measurement; `-- --help` lists them.
    #[arg(last = true, value_name = "OPTIONS")]
    further: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Subject {
    /// Turns in this process, beside the same work by bare Rust.
    Turns,
    /// Whole servers on both databases, beside the smallest that could do it.
    Servers,
}

impl Subject {
    fn program(self) -> &'static str {
        match self {
            Self::Turns => "frontdesk-bench",
            Self::Servers => "frontdesk-bench-durable",
        }
    }
}

impl Bench {
    pub(super) async fn run(self) -> anyhow::Result<Exit> {
        let here = std::env::current_exe().context("cannot tell where this program is")?;
        let mut measurement = Command::new(self.measurement_beside(&here)?);
        measurement.args(self.json.then_some("--json"));
        measurement.args(self.check.then_some("--check"));
        measurement.args(&self.further);
        let ended = measurement
            .status()
            .await
            .with_context(|| format!("cannot start {}", self.subject.program()))?;
        Ok(match ended.success() {
            true => Exit::Done,
            false => Exit::Failed,
        })
    }

    fn measurement_beside(&self, here: &Path) -> anyhow::Result<PathBuf> {
        let name = self.subject.program();
        let program = here.with_file_name(name);
        if !program.is_file() {
            bail!(
                "{name} is not beside {}: it is built from the source, with `cargo build --release -p frontdesk -p frontdesk-bench`; then run `target/release/frontdesk bench`",
                here.display()
            );
        }
        Ok(program)
    }
}
