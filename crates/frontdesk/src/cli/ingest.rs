//! `frontdesk ingest`: indexes files, folders and sites, and reports each document.

use std::path::Path;

use anyhow::bail;
use clap::Args;
use frontdesk_search::ingest::{Options, Progress, Report, Source};
use indicatif::{ProgressBar, ProgressStyle};

use super::{Exit, Setup};
use crate::config::Embeddings;
use crate::knowledge_base::{KnowledgeBase, MOST_PAGES, local_embedder};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  frontdesk ingest ./handbook\n  frontdesk ingest https://example.com/sitemap.xml --collection website\n  frontdesk ingest ./handbook --dry-run --json"
)]
pub(super) struct IngestDocuments {
    /// Files, folders, pages or sitemaps.
    #[arg(required = true, value_name = "FILE|FOLDER|URL")]
    sources: Vec<String>,
    /// Target collection.
    #[arg(long, default_value = "web_documents")]
    collection: String,
    /// Count the documents without indexing them.
    #[arg(long)]
    dry_run: bool,
    /// Maximum number of pages of a site.
    #[arg(long, default_value_t = MOST_PAGES)]
    max_pages: usize,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
}

impl IngestDocuments {
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        let config = setup.config(vec![("log.level", "error".to_owned())])?;
        let knowledge_base = KnowledgeBase::open(&config, local_embedder(&config))?;
        if knowledge_base.embeds_with().is_none() {
            eprintln!(
                "No embedding model is set up, so only keywords will find these documents. `scripts/setup run` fetches the local one."
            );
        }
        let mut options = knowledge_base.options(&self.collection);
        options.dry_run = self.dry_run;
        options.most_pages = self.max_pages;
        let mut total: Option<Report> = None;
        for text in &self.sources {
            let report = self.one(&knowledge_base, text, &options).await?;
            total = Some(match total {
                Some(total) => total.plus(report),
                None => report,
            });
        }
        let Some(report) = total else {
            bail!("give a file, a folder or an address");
        };
        if self.json {
            println!("{}", serde_json::to_string_pretty(&report)?);
        } else {
            print(&report, &self.collection);
            if self.dry_run {
                let here = matches!(config.search.embeddings, Embeddings::Local);
                println!("{}", cost(&report, knowledge_base.embeds_with(), here));
            }
        }
        Ok(if report.failed.is_empty() {
            Exit::Done
        } else {
            Exit::Failed
        })
    }

    async fn one(
        &self,
        knowledge_base: &KnowledgeBase,
        text: &str,
        options: &Options,
    ) -> anyhow::Result<Report> {
        let source = if text.starts_with("http://") || text.starts_with("https://") {
            Source::Address(knowledge_base.ingest.egress.check(text)?)
        } else {
            Source::Path(Path::new(text).to_owned())
        };
        let bar = Bar::new(self.json);
        let report = knowledge_base.ingest.run(&source, options, &bar).await;
        bar.0.finish_and_clear();
        Ok(report?)
    }
}

struct Bar(ProgressBar);

impl Bar {
    fn new(hidden: bool) -> Self {
        let bar = if hidden {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(0)
        };
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}") {
            bar.set_style(style);
        }
        Self(bar)
    }
}

impl Progress for Bar {
    fn found(&self, total: usize) {
        self.0.set_length(total as u64);
    }

    fn done(&self, url: &str) {
        self.0.inc(1);
        self.0.set_message(url.to_owned());
    }
}

/// The cost of embedding. Providers charge per token; a local model is free.
fn cost(report: &Report, model: Option<&str>, here: bool) -> String {
    let tokens = report.total_tokens;
    match model {
        None => "Cost: none, no embedding model is set up.".to_owned(),
        Some(model) if here => format!("Cost: none, {model} runs on this machine."),
        Some(model) => {
            format!("Cost: {tokens} tokens to embed with {model}, at your provider's price.")
        }
    }
}

fn print(report: &Report, collection: &str) {
    let verb = if report.dry_run {
        "would be indexed"
    } else {
        "taken in"
    };
    println!(
        "{} {verb} ({} passages, {} tokens), {} unchanged, {} skipped, {} removed, {} failed, in {:.1} s. Collection: {collection}",
        report.success,
        report.total_chunks,
        report.total_tokens,
        report.unchanged,
        report.skipped,
        report.removed,
        report.failed.len(),
        report.time_seconds,
    );
    for failed in &report.failed {
        let kind = serde_json::to_value(failed.error_type).unwrap_or_default();
        let kind = kind.as_str().unwrap_or_default();
        println!("  {kind}  {}: {}", failed.url, failed.message);
    }
}
