//! `frontdesk search`: searches passages as an assistant does.

use std::collections::BTreeMap;

use clap::Args;
use frontdesk_core::search::{RetrievalResult, RetrievedChunk};
use serde_json::json;

use super::paint::Paint;
use super::{DefaultPerson, Exit, Setup, in_process, pair, print_json};

const SHOWN: usize = 240;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  frontdesk search \"How long is an approval valid?\" --collection handbook\n  frontdesk search parking --top-k 3 --json\n  frontdesk search \"travel\" --filter folder=hr"
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
    /// Only documents with this metadata; may be repeated.
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair)]
    filter: Vec<(String, String)>,
    /// Demo persona to act as. Default: all public documents, unless --server names a server.
    #[arg(long = "as", value_name = "PERSONA")]
    persona: Option<String>,
    #[arg(long)]
    json: bool,
}

impl SearchDocuments {
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        let connection = match setup.server {
            Some(_) => {
                setup
                    .connect(self.persona.as_deref(), DefaultPerson::Nobody)
                    .await?
            }
            // Beside a running server, too: reading the index needs no sign-in.
            None => {
                in_process(
                    setup.quiet_config()?,
                    self.persona.as_deref(),
                    DefaultPerson::Operator,
                )
                .await?
            }
        };
        let filters: BTreeMap<&str, &str> = self
            .filter
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .collect();
        let body = json!({
            "query": self.query, "top_k": self.top_k, "score_threshold": self.threshold,
            "url": self.url, "filters": filters,
        });
        let path = format!("/collections/{}/search", self.collection);
        let found = connection.remote.post(&path, &body).await;
        connection.close().await;
        self.print(&serde_json::from_value(found?)?)
    }

    fn print(&self, result: &RetrievalResult) -> anyhow::Result<Exit> {
        if self.json {
            return print_json(result);
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
    let mut title = chunk.title.clone().unwrap_or_else(|| "Untitled".to_owned());
    if let Some(section) = chunk.section.as_ref().filter(|section| **section != title) {
        title = format!("{title} › {section}");
    }
    if let Some(page) = chunk.page {
        title = format!("{title}, page {page}");
    }
    println!(
        "{number}. {} ({:.3})",
        paint.good(&title),
        chunk.similarity_score
    );
    println!("   {}", chunk.url);
    let text: Vec<&str> = chunk.chunk_text.split_whitespace().collect();
    let text: String = text.join(" ").chars().take(SHOWN).collect();
    println!("   {text}\n");
}
