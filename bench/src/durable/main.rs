//! What durability costs: whole servers beside the floor, on both databases and with durable
//! settings. Prints a table and, with `--json`, the figures; `--check` turns goals into an
//! exit code.

mod api;
mod child;
mod floor;
#[path = "../floor_model.rs"]
mod floor_model;
mod floor_store;
mod load;
mod memory;
mod model;
mod ours;
mod place;
mod report;
mod trips;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use child::Child;
use load::Load;
use place::{Backing, Place};
use report::Report;

#[derive(Parser)]
#[command(
    name = "frontdesk-bench-durable",
    about = "Measure whole servers on both databases beside the floor.",
    after_help = "Example:\n  cargo run --release -p frontdesk-bench --bin frontdesk-bench-durable -- --check"
)]
struct Cli {
    /// Turns in each measurement of CPU time.
    #[arg(long, default_value_t = 1_500)]
    turns: usize,
    /// Interleaved repetitions; the median counts.
    #[arg(long, default_value_t = 3)]
    repeat: usize,
    /// Turns held in flight, and three times as many readers, for the figures of memory.
    #[arg(long, default_value_t = 600)]
    held: usize,
    /// On one database alone.
    #[arg(long)]
    only: Option<Backing>,
    /// The HTTP interface instead: requests a second, idle streams, deep pages.
    #[arg(long)]
    api: bool,
    /// Requests of each kind and crowd, with --api.
    #[arg(long, default_value_t = 2_000)]
    requests: usize,
    /// Conversations of one person, with --api.
    #[arg(long, default_value_t = 10_000)]
    conversations: usize,
    /// Idle streams, with --api.
    #[arg(long, default_value_t = 2_000)]
    streams: usize,
    #[arg(long)]
    json: bool,
    /// Fail when a goal is missed.
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

/// What the bench starts as processes of their own.
#[derive(Subcommand)]
enum Part {
    #[command(hide = true)]
    Model,
    #[command(hide = true)]
    Ours { config: PathBuf },
    #[command(hide = true)]
    Floor { model: String, database: String },
}

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match &cli.part {
        Some(Part::Model) => model::serve_forever().await,
        Some(Part::Ours { config }) => ours::serve(config.clone()).await,
        Some(Part::Floor { model, database }) => floor::serve(model, database).await,
        None if cli.api => measure_api(&cli).await,
        None => match measure(&cli).await {
            Ok(report) => return tell(&cli, &report),
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

fn tell(cli: &Cli, report: &Report) -> ExitCode {
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

async fn measure_api(cli: &Cli) -> Result<()> {
    ours::install_crypto();
    let model = Child::start(&["model"]).await?;
    let sizes = api::Sizes {
        requests: cli.requests,
        conversations: cli.conversations,
        streams: cli.streams,
    };
    for backing in cli.backings() {
        let place = Place::new(backing, &model.url).await?;
        api::measure(&place, sizes).await?;
        place.remove().await;
    }
    Ok(())
}

async fn measure(cli: &Cli) -> Result<Report> {
    ours::install_crypto();
    let model = Child::start(&["model"]).await?;
    let mut report = Report::new();
    for backing in cli.backings() {
        let place = Place::new(backing, &model.url).await?;
        eprintln!("{}: turns", backing.settings());
        turns(cli, &place, &mut report).await?;
        eprintln!("{}: round trips, cold starts", backing.settings());
        report.trips(backing, trips::count(&place).await?);
        report.cold_start(backing, cold_starts(&place).await?);
        eprintln!("{}: memory", backing.settings());
        let memory = memory::measure(&place, cli.turns, cli.held).await?;
        report.memory(backing, memory);
        place.remove().await;
    }
    Ok(report)
}

/// Turns in flight, as the goals have them.
const CONCURRENCY: usize = 64;
const CROWD: usize = 256;

/// The floor and ours by turns, so that a busy machine hits both alike.
async fn turns(cli: &Cli, place: &Place, report: &mut Report) -> Result<()> {
    let mut samples = Vec::new();
    for _ in 0..cli.repeat {
        let floor = place.floor().await?;
        let of_floor = Load::floor(&floor.url)
            .run(place, &floor, cli.turns, CONCURRENCY)
            .await?;
        floor.stop().await;
        let ours = place.ours().await?;
        let load = Load::ours(&ours.url)?;
        let of_ours = load.run(place, &ours, cli.turns, CONCURRENCY).await?;
        let crowd = load.run(place, &ours, cli.turns, CROWD).await?;
        ours.stop().await;
        let floor = place.floor().await?;
        let floor_crowd = Load::floor(&floor.url)
            .run(place, &floor, cli.turns, CROWD)
            .await?;
        floor.stop().await;
        samples.push([of_floor, of_ours, floor_crowd, crowd]);
    }
    report.turns(place.backing, &samples);
    Ok(())
}

/// From the start of the process to the end of its first answer, the schema being there.
async fn cold_starts(place: &Place) -> Result<Vec<f64>> {
    const TIMES: usize = 7;
    let mut times = Vec::new();
    for _ in 0..TIMES {
        let since = std::time::Instant::now();
        let ours = place.ours().await?;
        Load::ours(&ours.url)?.one_turn().await?;
        times.push(since.elapsed().as_secs_f64() * 1e3);
        ours.stop().await;
    }
    times.sort_by(f64::total_cmp);
    Ok(times)
}
