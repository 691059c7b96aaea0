//! `frontdesk doctor`: each part checked, with what to do about it. Prints no secret.

use std::net::TcpListener;

use clap::Args;
use frontdesk_search::embed::local::LocalEmbedder;
use serde::Serialize;

use super::paint::Paint;
use super::{Exit, Setup};
use crate::app::App;
use crate::config::{Config, IdentitySource, Provider};
use crate::services::Reach;

#[derive(Args)]
#[command(after_help = "Example:\n  frontdesk doctor --json")]
pub(super) struct Doctor {
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Finding {
    part: &'static str,
    ok: bool,
    says: String,
}

impl Doctor {
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        let config = setup.config(vec![("log.level", "error".to_owned())])?;
        let mut findings = vec![address(&config), model(&config), signing_in(&config)];
        findings.extend(opened(config).await);
        if self.json {
            println!("{}", serde_json::to_string_pretty(&findings)?);
        } else {
            let paint = Paint::for_stdout();
            for finding in &findings {
                let mark = if finding.ok {
                    paint.good("✓")
                } else {
                    paint.bad("✗")
                };
                println!("{mark} {:<10} {}", finding.part, finding.says);
            }
        }
        Ok(if findings.iter().all(|finding| finding.ok) {
            Exit::Done
        } else {
            Exit::Failed
        })
    }
}

/// The database, and what bundled services say of themselves once it is open.
async fn opened(config: Config) -> Vec<Finding> {
    let says = match &config.database.url {
        Some(_) => "PostgreSQL (DATABASE_URL), schema up to date".to_owned(),
        None => format!(
            "SQLite in {}, schema up to date; DATABASE_URL switches to PostgreSQL",
            config.data_dir.display()
        ),
    };
    match App::open(config, frontdesk_assistants::all, Reach::OwnPort).await {
        Ok(app) => {
            let mut findings = vec![Finding {
                part: "database",
                ok: true,
                says,
            }];
            findings.push(documents(&app).await);
            let reports = app.service_reports.iter();
            findings.extend(reports.map(|(part, report)| Finding {
                part,
                ok: true,
                says: report(),
            }));
            app.close().await;
            findings
        }
        Err(error) => vec![Finding {
            part: "database",
            ok: false,
            says: format!("{error:#}"),
        }],
    }
}

/// The index, and what embeds.
async fn documents(app: &App) -> Finding {
    let embeds = match app.library.embeds_with() {
        Some(model) => format!("embedded by {model}"),
        None => {
            "found by keywords alone; `scripts/setup run` fetches the embedding model".to_owned()
        }
    };
    match app.library.retrieval.index.check().await {
        Ok(says) => Finding {
            part: "documents",
            ok: true,
            says: format!("{says}, {embeds}"),
        },
        Err(error) => Finding {
            part: "documents",
            ok: false,
            says: format!("{error}; look at QDRANT_URL or at index.db in the data folder"),
        },
    }
}

fn address(config: &Config) -> Finding {
    let bind = config.server.bind;
    match TcpListener::bind(bind) {
        Ok(_) => Finding {
            part: "address",
            ok: true,
            says: format!("{bind} is free"),
        },
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => Finding {
            part: "address",
            ok: true,
            says: format!(
                "{bind} is in use, perhaps by a running frontdesk; another can be set with server.bind"
            ),
        },
        Err(error) => Finding {
            part: "address",
            ok: false,
            says: format!("cannot listen on {bind}: {error}; set server.bind"),
        },
    }
}

fn model(config: &Config) -> Finding {
    let says = match config.model.provider {
        Provider::Offline => format!(
            "built-in offline model, {}; OPENAI_API_KEY or OPENAI_BASE_URL switches to a real one",
            meaning(config)
        ),
        Provider::OpenAi => format!(
            "{} {}",
            config.model.base_url,
            if config.model.api_key.is_some() {
                "with a key"
            } else {
                "without a key"
            }
        ),
    };
    Finding {
        part: "model",
        ok: true,
        says,
    }
}

/// What the offline model goes by.
fn meaning(config: &Config) -> &'static str {
    let folder = config.embeddings_folder.as_deref();
    match (
        config.model.offline_meaning,
        folder.and_then(LocalEmbedder::find),
    ) {
        (true, Some(_)) => "by words and meaning",
        (true, None) => "by words alone (`scripts/setup run` fetches the embedding model)",
        (false, _) => "by words alone (model.offline_meaning = \"none\")",
    }
}

fn signing_in(config: &Config) -> Finding {
    let says = if config.personas_allowed() {
        "demo people, on this machine only; SUPABASE_JWT_SECRET switches to real tokens"
    } else {
        match &config.auth.source {
            IdentitySource::Secret { .. } => "tokens signed with the configured secret",
            IdentitySource::Keys { .. } => {
                "tokens of the configured issuer, checked with its public keys"
            }
            IdentitySource::Local => {
                "tokens signed with the secret in the data folder (`frontdesk token` prints one)"
            }
        }
    };
    Finding {
        part: "sign-in",
        ok: true,
        says: says.to_owned(),
    }
}
