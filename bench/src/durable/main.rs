//! The cost of durability: whole servers compared with the baseline, on both databases with
//! durable settings. Prints a table and, with `--json`, the raw numbers; `--check` turns
//! goals into an exit code.

mod api;
mod baseline;
mod baseline_store;
mod goals;
mod installation;
mod load;
mod memory;
mod ours;
mod trips;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use frontdesk_bench::child::Child;
use frontdesk_bench::fixture::install_crypto;
use frontdesk_bench::model;
use frontdesk_bench::report::Report;
use frontdesk_bench::stats::median;

use installation::{Backing, Installation};
use load::Load;

#[derive(Parser)]
#[command(
    name = "frontdesk-bench-durable",
    about = "Measure whole servers on both databases compared with the baseline.",
    after_help = "Example:\n  cargo run --release -p frontdesk-bench --bin frontdesk-bench-durable -- --check"
)]
struct Cli {
    /// Turns in each measurement of CPU time.
    #[arg(long, default_value_t = 1_500)]
    turns: usize,
    /// Interleaved repetitions; the median counts.
    #[arg(long, default_value_t = 3)]
    repeat: usize,
    /// Turns held in flight, and three times as many readers, for the memory measurements.
    #[arg(long, default_value_t = 600)]
    held: usize,
    /// Measure one database only.
    #[arg(long)]
    only: Option<Backing>,
    /// Measure the HTTP API instead: requests per second, idle streams, deep pages.
    #[arg(long)]
    api: bool,
    /// Requests per kind and number of clients, with --api.
    #[arg(long, default_value_t = 2_000)]
    requests: usize,
    /// Conversations of one user, with --api.
    #[arg(long, default_value_t = 10_000)]
    conversations: usize,
    /// Idle streams, with --api.
    #[arg(long, default_value_t = 2_000)]
    streams: usize,
    #[arg(long)]
    json: bool,
    /// Fail if a goal is missed.
    #[arg(long)]
    check: bool,
    #[command(subcommand)]
    part: Option<Part>,
}

impl Cli {
    fn backings(&self) -> Vec<Backing> {
        match self.only {
            Some(backing) => vec![backing],
            None => vec![Backing::Sqlite, Backing::Postgres],
        }
    }
}

/// The child processes of the benchmark.
#[derive(Subcommand)]
enum Part {
    #[command(hide = true)]
    Model,
    #[command(hide = true)]
    Ours { config: PathBuf },
    #[command(hide = true)]
    Baseline { model: String, database: String },
}

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match &cli.part {
        Some(Part::Model) => model::serve_forever().await,
        Some(Part::Ours { config }) => ours::serve(config.clone()).await,
        Some(Part::Baseline { model, database }) => baseline::serve(model, database).await,
        None if cli.api => measure_api(&cli).await,
        None => match measure(&cli).await {
            Ok(report) => return report.print(cli.json, cli.check),
            Err(error) => Err(error),
        },
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("frontdesk-bench-durable: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn measure_api(cli: &Cli) -> Result<()> {
    install_crypto();
    let model = Child::start(&["model"]).await?;
    let sizes = api::Sizes {
        requests: cli.requests,
        conversations: cli.conversations,
        streams: cli.streams,
    };
    for backing in cli.backings() {
        let installation = Installation::new(backing, &model.url).await?;
        api::measure(&installation, sizes).await?;
        installation.remove().await;
    }
    Ok(())
}

async fn measure(cli: &Cli) -> Result<Report> {
    install_crypto();
    let model = Child::start(&["model"]).await?;
    let mut report = Report::default();
    for backing in cli.backings() {
        let installation = Installation::new(backing, &model.url).await?;
        eprintln!("{}: turns", backing.settings());
        turns(cli, &installation, &mut report).await?;
        eprintln!("{}: round trips, cold starts", backing.settings());
        goals::add_trips(&mut report, backing, trips::count(&installation).await?);
        let cold = median(cold_starts(&installation).await?);
        report.add(backing.name(), goals::COLD, cold);
        eprintln!("{}: memory", backing.settings());
        let memory = memory::measure(&installation, cli.turns, cli.held).await?;
        goals::add_memory(&mut report, backing, memory);
        installation.remove().await;
    }
    Ok(report)
}

/// Turns in flight, as in the goals.
const CONCURRENCY: usize = 64;
const CROWD: usize = 256;

/// Alternates the baseline and the product, so that background load affects both alike.
async fn turns(cli: &Cli, installation: &Installation, report: &mut Report) -> Result<()> {
    let mut samples = Vec::new();
    for _ in 0..cli.repeat {
        let baseline = installation.baseline().await?;
        let of_floor = Load::baseline(&baseline.url)
            .run(installation, &baseline, cli.turns, CONCURRENCY)
            .await?;
        baseline.stop().await;
        let ours = installation.ours().await?;
        let load = Load::ours(&ours.url)?;
        let of_ours = load
            .run(installation, &ours, cli.turns, CONCURRENCY)
            .await?;
        let crowd = load.run(installation, &ours, cli.turns, CROWD).await?;
        ours.stop().await;
        let baseline = installation.baseline().await?;
        let floor_crowd = Load::baseline(&baseline.url)
            .run(installation, &baseline, cli.turns, CROWD)
            .await?;
        baseline.stop().await;
        samples.push([of_floor, of_ours, floor_crowd, crowd]);
    }
    goals::add_turns(report, installation.backing, &samples);
    Ok(())
}

/// From the start of the process to the end of its first answer, with an existing schema.
async fn cold_starts(installation: &Installation) -> Result<Vec<f64>> {
    const TIMES: usize = 7;
    let mut times = Vec::new();
    for _ in 0..TIMES {
        let since = std::time::Instant::now();
        let ours = installation.ours().await?;
        Load::ours(&ours.url)?.one_turn().await?;
        times.push(since.elapsed().as_secs_f64() * 1e3);
        ours.stop().await;
    }
    Ok(times)
}
