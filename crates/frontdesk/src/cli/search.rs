//! `frontdesk search`: searches passages as an assistant does.

use clap::Args;
use frontdesk_core::search::{Query, RetrievedChunk, Scopes, Search};

use super::paint::Paint;
use super::{Exit, Setup};
use crate::app::App;
use crate::services::Reach;

const SHOWN: usize = 240;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  frontdesk search \"How do approvals work?\"\n  frontdesk search leases --top-k 3 --json"
)]
pub(super) struct SearchDocuments {
    /// Text to search for.
    query: String,
    #[arg(long, default_value = "web_documents")]
    collection: String,
    /// Number of passages, 1 to 100.
    #[arg(long, default_value_t = 5)]
    top_k: usize,
    /// Minimum similarity, 0 to 1.
    #[arg(long, default_value_t = 0.0)]
    threshold: f64,
    /// Only passages whose address starts with this.
    #[arg(long, value_name = "ADDRESS")]
    url: Option<String>,
    #[arg(long)]
    json: bool,
}

impl SearchDocuments {
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        let config = setup.config(vec![("log.level", "error".to_owned())])?;
        let app = App::open(config, frontdesk_assistants::all, Reach::OwnPort).await?;
        let query = Query {
            top_k: self.top_k,
            score_threshold: self.threshold,
            url_prefix: self.url.clone(),
            ..Query::new(
                self.query.clone(),
                self.collection.clone(),
                Scopes::everyone(),
            )
        };
        let found = app.knowledge_base.search(&query).await;
        app.close().await;
        let result = found?;
        if self.json {
            println!("{}", serde_json::to_string_pretty(&result)?);
            return Ok(Exit::Done);
        }
        if let Some(note) = &result.note {
            eprintln!("{note}");
        }
        if result.chunks.is_empty() {
            println!("Nothing was found.");
        }
        let paint = Paint::for_stdout();
        for (number, chunk) in (1..).zip(&result.chunks) {
            show(&paint, number, chunk);
        }
        eprintln!(
            "{} passages in {:.0} ms",
            result.total_results,
            result.execution_time_seconds * 1_000.0
        );
        Ok(Exit::Done)
    }
}

fn show(paint: &Paint, number: usize, chunk: &RetrievedChunk) {
    let title = chunk.title.as_deref().unwrap_or("Untitled");
    println!(
        "{number}. {} ({:.3})",
        paint.good(title),
        chunk.similarity_score
    );
    println!("   {}", chunk.url);
    let text: Vec<&str> = chunk.chunk_text.split_whitespace().collect();
    let text: String = text.join(" ").chars().take(SHOWN).collect();
    println!("   {text}\n");
}
