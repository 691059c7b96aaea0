//! `frontdesk bench`: starts the benchmark programs installed beside this one. They need a scripted
//! model, a baseline and a counting allocator, which the product does not ship.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use tokio::process::Command;

use super::Exit;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  frontdesk bench --check\n  frontdesk bench servers --json\n  frontdesk bench servers -- --only sqlite\n\nbench/README.md explains the results. Use an optimised build."
)]
pub(super) struct Bench {
    /// Subject of the benchmark.
    #[arg(value_enum, default_value_t = Subject::Turns)]
    subject: Subject,
    /// Print the results as JSON.
    #[arg(long)]
    json: bool,
    /// Exit with an error if a goal is missed.
    #[arg(long)]
    check: bool,
    /// More options for the benchmark; `-- --help` lists them.
    #[arg(last = true, value_name = "OPTIONS")]
    further: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Subject {
    /// Turns in this process, compared with the same work in bare Rust.
    Turns,
    /// Whole servers on both databases, compared with a minimal server.
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
        let here = std::env::current_exe().context("cannot find the path of this program")?;
        let mut measurement = Command::new(self.measurement_beside(&here)?);
        measurement.args(self.json.then_some("--json"));
        measurement.args(self.check.then_some("--check"));
        measurement.args(&self.further);
        let ended = measurement
            .status()
            .await
            .with_context(|| format!("cannot start {}", self.subject.program()))?;
        Ok(Exit::of(ended.success()))
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
