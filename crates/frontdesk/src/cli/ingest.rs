//! `frontdesk ingest`: indexes files, folders and sites, here or at a server, and reports the
//! result of each.

mod there;
mod watch;

use std::path::Path;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use frontdesk_search::ingest::{Options, Progress, Report, Source};
use indicatif::{ProgressBar, ProgressStyle};

use super::{Exit, Setup, pair, print_json};
use crate::config::Embeddings;
use crate::knowledge_base::{KnowledgeBase, MOST_PAGES, local_embedder};

const WATCHING: &str = "Watching for changes. Press Ctrl-C to stop.";

#[derive(Args)]
#[command(
    after_help = "Examples:\n  frontdesk ingest ./handbook\n  frontdesk ingest https://example.com/sitemap.xml --collection website\n  frontdesk ingest ./handbook --set department=hr --prune --watch\n  frontdesk ingest ./handbook --dry-run --json\n  FRONTDESK_TOKEN=... frontdesk --server https://desk.example.com ingest ./handbook"
)]
pub(super) struct IngestDocuments {
    /// Files, folders, pages or sitemaps.
    #[arg(required = true, value_name = "FILE|FOLDER|URL")]
    sources: Vec<String>,
    /// Target collection.
    #[arg(long, default_value = "web_documents")]
    collection: String,
    /// Metadata of every document, for filters; may be repeated.
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair)]
    set: Vec<(String, String)>,
    /// Remove documents that a source no longer has.
    #[arg(long)]
    prune: bool,
    /// Keep running, and index again whenever a file changes.
    #[arg(long)]
    watch: bool,
    /// Count the documents without indexing them.
    #[arg(long)]
    dry_run: bool,
    /// Maximum number of pages of a site.
    #[arg(long, default_value_t = MOST_PAGES)]
    max_pages: usize,
    /// Demo person to be at the server of `--server`.
    #[arg(long = "as", value_name = "PERSONA")]
    persona: Option<String>,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
}

impl IngestDocuments {
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        if let Some(remote) = setup.named_server(self.persona.as_deref()).await? {
            return self.send(&remote).await;
        }
        let config = setup.quiet_config()?;
        let knowledge_base = KnowledgeBase::open(&config, local_embedder(&config))?;
        if knowledge_base.embeds_with().is_none() {
            eprintln!(
                "No embedding model is set up, so only keywords will find these documents. `scripts/setup run` fetches the local one."
            );
        }
        let mut options = knowledge_base.options(&self.collection);
        options.dry_run = self.dry_run;
        options.most_pages = self.max_pages;
        options.metadata = self.set.iter().cloned().collect();
        options.prune = self.prune;
        let report = self.index_all(&knowledge_base, &options).await?;
        if self.dry_run && !self.json {
            let here = matches!(config.search.embeddings, Embeddings::Local);
            println!("{}", cost(&report, knowledge_base.embeds_with(), here));
        }
        if self.watch {
            let mut files = watch::Files::new(&self.sources);
            eprintln!("{WATCHING}");
            loop {
                tokio::time::sleep(watch::PAUSE).await;
                if !files.changes().is_empty() {
                    // The problem was printed, and the next change may solve it.
                    let _ = self.index_all(&knowledge_base, &options).await;
                }
            }
        }
        Ok(Exit::of(report.failed.is_empty()))
    }

    /// Indexes every source. A source that cannot be read does not keep the others out.
    async fn index_all(
        &self,
        knowledge_base: &KnowledgeBase,
        options: &Options,
    ) -> anyhow::Result<Report> {
        let mut total: Option<Report> = None;
        let mut problem = None;
        for text in &self.sources {
            match self.one(knowledge_base, text, options).await {
                Ok(report) => {
                    total = Some(match total {
                        Some(total) => total.plus(report),
                        None => report,
                    });
                }
                Err(error) => {
                    eprintln!("{text}: {error:#}");
                    problem = Some(error);
                }
            }
        }
        if let Some(report) = &total {
            if self.json {
                print_json(report)?;
            } else {
                print(report, &self.collection);
            }
        }
        match (total, problem) {
            (_, Some(error)) => Err(error),
            (Some(report), None) => Ok(report),
            (None, None) => bail!("name a file, a folder or an address"),
        }
    }

    async fn one(
        &self,
        knowledge_base: &KnowledgeBase,
        text: &str,
        options: &Options,
    ) -> anyhow::Result<Report> {
        let source = if is_address(text) {
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

fn is_address(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

struct Bar(ProgressBar);

impl Bar {
    fn new(hidden: bool) -> Self {
        const TICK: Duration = Duration::from_millis(500);
        let bar = if hidden {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(0)
        };
        let template = "{bar:30} {pos}/{len}, {per_sec}, {eta} left  {wide_msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(TICK);
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
        "indexed"
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
    if report.vanished > 0 {
        println!(
            "No longer there: {}. --prune removes them.",
            report.vanished
        );
    }
    for failed in &report.failed {
        let kind = serde_json::to_value(failed.error_type).unwrap_or_default();
        let kind = kind.as_str().unwrap_or_default();
        println!("  {kind}  {}: {}", failed.url, failed.message);
    }
}
