//! The cost of a turn compared with the baseline. Prints a table and, with `--json`, the
//! raw numbers; `--check` turns goals into an exit code.

mod baseline;
mod measure;
mod ours;

use std::alloc::System;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use frontdesk_bench::child::Child;
use frontdesk_bench::model;
use frontdesk_bench::report::{Report, requirement};
use frontdesk_bench::scene::{Scene, TOOLS};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

use baseline::Baseline;
use measure::{TurnCost, cost};
use ours::Ours;

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

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode> {
    let cli = Cli::parse();
    if cli.model_server {
        model::serve_forever().await?;
    }
    let report = measure_all(&cli).await?;
    Ok(report.print(cli.json, cli.check))
}

/// The scenes of the goals.
const MORE_TOOLS: usize = 222;
const HISTORY: usize = 50;
const LONG_HISTORY: usize = 5_000;

async fn measure_all(cli: &Cli) -> Result<Report> {
    let server = Child::start(&["--model-server"]).await?;
    let usual = Scene::new(TOOLS, HISTORY);
    let long = Scene::new(TOOLS, LONG_HISTORY);
    let short = Scene::new(TOOLS, 0);
    let broad = Scene::new(MORE_TOOLS, HISTORY);

    let (turns, at_once) = (cli.turns, cli.concurrency);
    let mut samples: Vec<[TurnCost; 5]> = Vec::new();
    for _ in 0..cli.repeat {
        // Sequential within a repetition, so that background load affects all alike.
        samples.push([
            cost(&Baseline::new(&server.url, &usual), turns, at_once).await?,
            cost(&Ours::new(&server.url, &usual)?, turns, at_once).await?,
            cost(&Ours::new(&server.url, &short)?, turns, at_once).await?,
            cost(&Ours::new(&server.url, &long)?, turns / 4, at_once).await?,
            cost(&Ours::new(&server.url, &broad)?, turns, at_once).await?,
        ]);
    }
    server.stop().await;
    let median = |index: usize| TurnCost::median(samples.iter().map(|sample| &sample[index]));
    Ok(report([0, 1, 2, 3, 4].map(median)))
}

/// `usual` has 22 tools and 50 messages; the others vary one of them.
fn report([baseline, usual, short, long, broad]: [TurnCost; 5]) -> Report {
    let mut report = Report::default();
    report.figure("floor_cpu_us", baseline.cpu_us);
    report.figure("turn_cpu_us", usual.cpu_us);
    report.figure("turn_allocations", usual.allocations);
    report.note(format!(
        "One turn with {TOOLS} tools and {HISTORY} earlier messages, streamed: {:.0} µs CPU and {:.0} allocations; the baseline {:.0} µs.",
        usual.cpu_us, usual.allocations, baseline.cpu_us
    ));
    let turn = usual.cpu_us / baseline.cpu_us;
    let a_message = (long.cpu_us - short.cpu_us) / LONG_HISTORY as f64;
    let a_tool = (broad.cpu_us - usual.cpu_us) / (MORE_TOOLS - TOOLS) as f64;
    let growth = (long.allocations / short.allocations - 1.0) * 100.0;
    for (name, what, unit, gate, value) in [
        ("G1", "turn, CPU above the baseline", "×", 2.0, turn),
        ("G9", "CPU per earlier message", "µs", 0.2, a_message),
        ("G10", "CPU per extra tool", "µs", 1.0, a_tool),
        ("G11", "allocations, growth with history", "%", 5.0, growth),
    ] {
        report.add("", requirement(name, what, unit, gate, None), value);
    }
    report
}
