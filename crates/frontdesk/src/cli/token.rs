//! `frontdesk token`: prints a signed token for scripts.

use std::sync::Arc;

use anyhow::{anyhow, bail};
use chrono::Duration;
use clap::Args;
use uuid::Uuid;

use super::{Exit, Setup};
use crate::identity::Verified;
use crate::services;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  frontdesk token --as hr\n  frontdesk token --sub 7a6f… --role Recruiter --hours 1\n  frontdesk token --as hr --service gatepass    for that service itself, valid for a minute"
)]
pub(super) struct Token {
    /// Issue the token for this demo persona.
    #[arg(long = "as", value_name = "PERSONA", conflicts_with_all = ["sub", "role"])]
    persona: Option<String>,
    /// Issue the token for the account with this id.
    #[arg(long, required_unless_present = "persona")]
    sub: Option<Uuid>,
    /// Display name.
    #[arg(long, default_value = "Script")]
    name: String,
    #[arg(long)]
    email: Option<String>,
    /// Role of the token. Can be repeated.
    #[arg(long)]
    role: Vec<String>,
    /// Validity in hours.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(i64).range(1..=720))]
    hours: i64,
    /// Issue the token for a bundled service instead of Frontdesk; it is valid for one minute.
    #[arg(long, value_name = "NAME", requires = "persona")]
    service: Option<String>,
}

impl Token {
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        let app = setup.open().await?;
        let issued = app.env.now();
        let expires = issued + Duration::hours(self.hours);
        let new = match (&self.persona, self.sub) {
            (Some(name), _) => {
                let who = app.persona(name).await?;
                if let Some(service) = &self.service {
                    let mint = services::mint(Arc::clone(&app.tokens), Arc::clone(&app.env));
                    println!("{}", mint(&who, service).map_err(|error| anyhow!(error))?);
                    app.close().await;
                    return Ok(Exit::Done);
                }
                Verified::of(&who, expires)
            }
            (None, Some(subject)) => {
                let installed = app.runtime.installed();
                let known = installed.roles();
                if let Some(unknown) = self.role.iter().find(|name| known.get(name).is_none()) {
                    bail!("there is no role {unknown}; there are {}", known.in_words());
                }
                Verified {
                    subject,
                    name: self.name,
                    email: self.email,
                    roles: self.role,
                    expires,
                }
            }
            (None, None) => bail!("no identity given; use --as PERSONA or --sub ID"),
        };
        println!("{}", app.tokens.sign(&new, issued)?);
        app.close().await;
        Ok(Exit::Done)
    }
}
