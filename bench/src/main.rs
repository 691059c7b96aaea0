//! The cost of a turn compared with the baseline. Prints a table and, with `--json`, the
//! raw numbers; `--check` turns goals into an exit code.

mod baseline;
mod baseline_model;
mod measure;
mod memory;
mod ours;
mod report;
mod scene;
mod server;

use std::alloc::System;
use std::process::ExitCode;

use clap::Parser;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

use baseline::Baseline;
use measure::{TurnCost, cost};
use ours::Ours;
use report::Report;
use scene::Scene;

#[global_allocator]
static ALLOCATIONS: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

#[derive(Parser)]
#[command(
    name = "frontdesk-bench",
    about = "Measure in-process turns compared with the baseline.",
    after_help = "Example:\n  cargo run --release -p frontdesk-bench -- --check"
)]
struct Cli {
    /// Turns in each measurement.
    #[arg(long, default_value_t = 2_000)]
    turns: usize,
    /// Interleaved repetitions; the median counts.
    #[arg(long, default_value_t = 5)]
    repeat: usize,
    /// Turns in flight at a time.
    #[arg(long, default_value_t = 64)]
    concurrency: usize,
    #[arg(long)]
    json: bool,
    /// Fail if a goal is missed.
    #[arg(long)]
    check: bool,
    /// Serve the model on this address instead; used by the benchmark itself.
    #[arg(long, hide = true)]
    model_server: bool,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let runtime = match tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return fail(&error.into()),
    };
    let run = async {
        if cli.model_server {
            server::serve_forever().await;
        }
        measure_all(&cli).await
    };
    match runtime.block_on(run) {
        Ok(report) => {
            if cli.json {
                println!("{}", report.json());
            } else {
                print!("{}", report.table());
            }
            if cli.check && !report.all_met() {
                return ExitCode::FAILURE;
            }
            ExitCode::SUCCESS
        }
        Err(error) => fail(&error),
    }
}

fn fail(error: &anyhow::Error) -> ExitCode {
    eprintln!("frontdesk-bench: {error:#}");
    ExitCode::FAILURE
}

/// The scenes of the goals.
const TOOLS: usize = 22;
const MORE_TOOLS: usize = 222;
const HISTORY: usize = 50;
const LONG_HISTORY: usize = 5_000;

async fn measure_all(cli: &Cli) -> anyhow::Result<Report> {
    let server = server::ModelProcess::start()?;
    let usual = Scene::new(TOOLS, HISTORY);
    let long = Scene::new(TOOLS, LONG_HISTORY);
    let short = Scene::new(TOOLS, 0);
    let broad = Scene::new(MORE_TOOLS, HISTORY);

    let mut report = Report::default();
    let mut samples: Vec<[TurnCost; 5]> = Vec::new();
    for _ in 0..cli.repeat {
        // Sequential within a repetition, so that background load affects all alike.
        samples.push([
            cost(
                &Baseline::new(&server.url, &usual),
                cli.turns,
                cli.concurrency,
            )
            .await?,
            cost(&Ours::new(&server.url, &usual)?, cli.turns, cli.concurrency).await?,
            cost(&Ours::new(&server.url, &short)?, cli.turns, cli.concurrency).await?,
            cost(
                &Ours::new(&server.url, &long)?,
                cli.turns / 4,
                cli.concurrency,
            )
            .await?,
            cost(&Ours::new(&server.url, &broad)?, cli.turns, cli.concurrency).await?,
        ]);
    }
    let median = |index: usize| TurnCost::median(samples.iter().map(|sample| sample[index]));
    report.add_all(median(0), median(1), median(2), median(3), median(4));
    Ok(report)
}
