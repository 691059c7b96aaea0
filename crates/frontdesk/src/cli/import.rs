//! `frontdesk import`: imports an assistant's data from files and reports each row.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use frontdesk_bundle::ImportReport;
use serde_json::{Value, json};

use super::{Exit, Setup, act_as, print_json};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  frontdesk import ASSISTANT responses.csv --into ID --as PERSONA\n  frontdesk import ASSISTANT a.json b.csv --json"
)]
pub(super) struct ImportFiles {
    /// Assistant that owns the data.
    assistant: String,
    /// Files to import.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Target by id or name, if the assistant has several.
    #[arg(long, value_name = "NAME")]
    into: Option<String>,
    /// Demo persona to act as.
    #[arg(long = "as", value_name = "PERSONA")]
    persona: Option<String>,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
}

impl ImportFiles {
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        let app = setup.open().await?;
        let Some(import) = app.imports.get(self.assistant.as_str()) else {
            let names: Vec<&str> = app.imports.keys().map(String::as_str).collect();
            bail!(
                "{} has no import; these assistants do: {}",
                self.assistant,
                names.join(", ")
            );
        };
        let who = act_as(&app, self.persona.as_deref(), &self.assistant).await?;
        let mut reports: Vec<Value> = Vec::new();
        let mut failed = false;
        for path in &self.files {
            let name = path.display().to_string();
            let bytes = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
            let report = import
                .import(&who, self.into.as_deref(), &name, &bytes)
                .await
                .map_err(|problem| {
                    anyhow::anyhow!("{name}: {problem}\nIt takes {}", import.about())
                })?;
            failed |= !report.refused.is_empty();
            if self.json {
                reports.push(json!({ "file": name, "report": report }));
            } else {
                print(&name, &report);
            }
        }
        if self.json {
            print_json(&reports)?;
        }
        app.close().await;
        Ok(Exit::of(!failed))
    }
}

fn print(name: &str, report: &ImportReport) {
    println!(
        "{name}: {} new, {} changed, {} unchanged, {} refused",
        report.new,
        report.changed,
        report.unchanged,
        report.refused.len()
    );
    for row in &report.refused {
        println!("  row {}: {}", row.row, row.problem);
    }
}
