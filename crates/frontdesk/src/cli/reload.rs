//! `frontdesk reload`: makes a running server read its manifests again.

use anyhow::{Context, bail};
use chrono::TimeDelta;
use clap::Args;
use frontdesk_core::access::Role;
use frontdesk_core::env::Env;
use frontdesk_core::persona::demo_id;
use serde_json::json;
use std::sync::Arc;

use super::paint::Paint;
use super::remote::{Remote, Sign};
use super::{Exit, Setup, TOKEN, lock};
use crate::app;
use crate::config::{Config, IdentitySource};
use crate::identity::NewToken;
use crate::manifests::{ManifestReport, ManifestState};
use crate::system_env::SystemEnv;

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
        let config = setup.config(vec![("log.level", "error".to_owned())])?;
        let url = match &setup.server {
            Some(url) => url.clone(),
            None => lock::owner(&config.data_dir)?
                .context("no server runs on this data folder; name one with --server")?,
        };
        let token = std::env::vars().find(|(name, value)| name == TOKEN && !value.is_empty());
        let sign = match (self.persona.as_deref(), token) {
            (Some(name), _) => Sign::Persona(name),
            (None, Some((_, token))) => Sign::Token(token),
            (None, None) => Sign::Token(operator_token(&config)?),
        };
        let remote = Remote::connect(&url, sign).await?;
        let mut answer = remote.post("/manifests/reload", &json!({})).await?;
        let reports: Vec<ManifestReport> = serde_json::from_value(answer["items"].take())?;
        if self.json {
            println!("{}", serde_json::to_string_pretty(&reports)?);
        } else {
            print(&reports);
        }
        Ok(if reports.iter().all(|report| report.problem.is_none()) {
            Exit::Done
        } else {
            Exit::Failed
        })
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

/// Access to the data folder implies the rights of an operator on this machine.
fn operator_token(config: &Config) -> anyhow::Result<String> {
    if let IdentitySource::Keys { .. } = config.auth.source {
        bail!(
            "set {TOKEN} to the token of an operator, or send the server SIGHUP: tokens come from the configured issuer"
        );
    }
    let env: Arc<dyn Env> = Arc::new(SystemEnv);
    let issued = env.now();
    let tokens = app::tokens(config, &env)?;
    Ok(tokens.sign(&NewToken {
        subject: demo_id("account", "operator"),
        name: "Operator".to_owned(),
        email: None,
        roles: vec![Role::OPERATOR.to_string()],
        issued,
        expires: issued + TimeDelta::minutes(1),
    })?)
}
