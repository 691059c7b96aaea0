//! Performance of the recruiter's chat over candidate pools of several sizes: prompt
//! tokens, the cost of building the prompt, and the cost of a message besides the model.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use async_trait::async_trait;
use clap::Parser;
use frontdesk::config::{Config, Sources};
use frontdesk::eval::sandbox::{Sandbox, settings};
use frontdesk_assistants::{NAMES, SETTINGS};
use frontdesk_bench::fixture::install_crypto;
use frontdesk_bench::stats::percentile;
use frontdesk_bundle::ProcedureCall;
use frontdesk_core::access::Principal;
use frontdesk_core::message::Message;
use frontdesk_core::model::{Ask, DeltaSink, Model, ModelError, Reply};
use frontdesk_core::persona::demo_id;
use frontdesk_search::tokens;
use serde_json::{Value, json};

#[derive(Parser)]
#[command(
    about = "Measure the recruiter's chat over pools of 12 to 5,000 candidates.",
    after_help = "Example:\n  cargo run --release -p frontdesk-bench --bin frontdesk-bench-gig"
)]
struct Cli {
    /// Messages per pool size.
    #[arg(long, default_value_t = 300)]
    messages: usize,
}

const ASSISTANT: &str = "gig";
const SEND: &str = "gig.aiChat.sendMessage";
/// The demo gig that gets the candidates, besides its own twelve.
const GIG: &str = "landing";
const POOLS: [usize; 4] = [12, 50, 500, 5_000];
const DEMO: usize = 12;

/// Answers instantly, and stores the prompt about the gig.
#[derive(Default)]
struct InstantModel {
    told: Mutex<String>,
}

#[async_trait]
impl Model for InstantModel {
    async fn reply(&self, ask: Ask<'_>, sink: &mut dyn DeltaSink) -> Result<Reply, ModelError> {
        let told = ask
            .prompt
            .messages()
            .into_iter()
            .rev()
            .find_map(|message| match message {
                Message::System { content } if content.contains("## Задание") => {
                    Some(content)
                }
                Message::System { .. }
                | Message::User { .. }
                | Message::Assistant { .. }
                | Message::Tool { .. } => None,
            });
        *self.told.lock().unwrap_or_else(PoisonError::into_inner) = told.unwrap_or_default();
        let text = json!({ "message": "Готово.", "quickReplies": [], "candidatesMentioned": [], "analysisType": "general" });
        let text = text.to_string();
        sink.text(&text);
        Ok(Reply {
            text,
            ..Reply::default()
        })
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let cli = Cli::parse();
    install_crypto();
    let folder = tempfile::tempdir()?;
    let model = Arc::new(InstantModel::default());
    let answers: Arc<dyn Model> = Arc::clone(&model) as Arc<dyn Model>;
    let mut flags = settings(folder.path().display().to_string());
    flags.push(("search.embeddings", "none".to_owned()));
    let sources = Sources {
        flags: flags.into_iter().collect(),
        ..Sources::default()
    };
    let config = Config::load(sources, SETTINGS, NAMES)?;
    let sandbox = Sandbox::open(config, Some(answers)).await?;
    let who = sandbox.person("recruiter")?;
    println!(
        "{:>10} {:>8} {:>16} {:>10} {:>10}",
        "candidates", "tokens", "first after news", "p50", "p99"
    );
    let mut there = DEMO;
    for pool in POOLS {
        import(&sandbox, who, there..pool).await?;
        there = pool;
        let first = send(&sandbox, who).await?;
        let mut times = Vec::with_capacity(cli.messages);
        for _ in 0..cli.messages {
            times.push(send(&sandbox, who).await?);
        }
        let told = model.told.lock().unwrap_or_else(PoisonError::into_inner);
        println!(
            "{pool:>10} {:>8} {:>13.1} ms {:>7.1} ms {:>7.1} ms",
            tokens::count(&told),
            first,
            percentile(&mut times, 50),
            percentile(&mut times, 99)
        );
    }
    sandbox.app.close().await;
    Ok(())
}

/// Candidates with realistic variety, identical on every machine.
async fn import(sandbox: &Sandbox, who: &Principal, numbers: std::ops::Range<usize>) -> Result<()> {
    if numbers.is_empty() {
        return Ok(());
    }
    let count = numbers.len();
    let rows: Vec<Value> = numbers
        .map(|number| {
            json!({
                "candidate_id": format!("bench-{number}"),
                "candidate_name": format!("Кандидат Номер{number}"),
                "proposed_price": 15_000 + (number * 7_919) % 50_000,
                "proposed_delivery_days": 3 + number % 30,
                "cover_letter": "Здравствуйте! Внимательно прочитал задание, готов начать сразу. Делал похожие проекты.",
                "experience": format!("Опыт {} лет", 1 + number % 9),
                "skills": ["HTML", "CSS", if number.is_multiple_of(3) { "JavaScript" } else { "SEO" }],
                "status": if number.is_multiple_of(2) { "NEW" } else { "EVALUATED" },
                "screening_score": (number % 50) as f64 / 10.0,
            })
        })
        .collect();
    let import = sandbox.app.imports.get(ASSISTANT);
    let import = import.context("the assistant takes files in")?;
    let bytes = serde_json::to_vec(&rows)?;
    let gig = demo_id("gig", GIG).to_string();
    let report = import.import(who, Some(&gig), "bench.json", &bytes);
    let report = report.await.map_err(|error| anyhow!(error))?;
    anyhow::ensure!(report.new == count, "not all were imported: {report:?}");
    Ok(())
}

/// Milliseconds of one message and its answer, as the web client sends it.
async fn send(sandbox: &Sandbox, who: &Principal) -> Result<f64> {
    let procedure = sandbox.app.procedures.get(SEND);
    let procedure = procedure.context("the assistant has the procedure")?;
    let call = ProcedureCall {
        input: json!({ "gigId": demo_id("gig", GIG), "message": "Кто лучший кандидат и почему?" }),
        ..ProcedureCall::default()
    };
    let began = Instant::now();
    let answer = procedure.run.run(who, call).await;
    answer.map_err(|error| anyhow!(error.message))?;
    Ok(began.elapsed().as_secs_f64() * 1e3)
}
