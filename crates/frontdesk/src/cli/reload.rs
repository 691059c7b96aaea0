//! `frontdesk reload`: makes a running server read its manifests again.

use anyhow::Context;
use clap::Args;
use serde_json::json;

use super::paint::Paint;
use super::remote::Remote;
use super::{DefaultPerson, Exit, Setup, print_json};
use crate::manifests::{ManifestReport, ManifestState};

#[derive(Args)]
#[command(
    after_help = "A server also reloads on SIGHUP, and in demo mode whenever a file changes.\nExample:\n  frontdesk reload"
)]
pub(super) struct Reload {
    /// As this demo person, who must be an operator.
    #[arg(long = "as", value_name = "PERSONA")]
    persona: Option<String>,
    #[arg(long)]
    json: bool,
}

impl Reload {
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        let config = setup.quiet_config()?;
        let url = setup.url(&config)?;
        let url = url.context("no server runs on this data folder; name one with --server")?;
        let sign = setup.sign(&config, self.persona.as_deref(), DefaultPerson::Operator)?;
        let remote = Remote::connect(&url, sign).await?;
        let mut answer = remote.post("/manifests/reload", &json!({})).await?;
        let reports: Vec<ManifestReport> = serde_json::from_value(answer["items"].take())?;
        if self.json {
            print_json(&reports)?;
        } else {
            print(&reports);
        }
        let all_loaded = reports.iter().all(|report| report.problem.is_none());
        Ok(Exit::of(all_loaded))
    }
}

pub(super) fn print(reports: &[ManifestReport]) {
    let paint = Paint::for_stdout();
    if reports.is_empty() {
        println!("There are no manifests.");
    }
    for report in reports {
        let mark = match report.state {
            ManifestState::Loaded | ManifestState::Removed => paint.good("✓"),
            ManifestState::Kept | ManifestState::Skipped => paint.bad("✗"),
        };
        println!("{mark} {}", report.in_words());
        for warning in &report.warnings {
            println!("  {warning}");
        }
    }
}
