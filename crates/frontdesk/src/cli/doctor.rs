//! `frontdesk doctor`: checks and times each part and says how to fix it. Prints no secrets.

use std::io::Write;
use std::net::TcpListener;
use std::time::{Duration, Instant};

use clap::Args;
use frontdesk_bundle::RequiredSystem;
use frontdesk_connect::manifest::SourceClient;
use frontdesk_db::{Claims, DbError};
use reqwest::StatusCode;
use serde::Serialize;

use super::paint::Paint;
use super::{Exit, Setup, print_json};
use crate::app::{App, services_database};
use crate::config::{Config, IdentitySource};
use crate::mail::Mailer;
use crate::reach::{ModelHealth, Reachability, reach, shown_address};
use crate::services::Reach;
use crate::trace::export::Exporter;

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

impl Finding {
    fn new(part: &'static str, ok: bool, says: impl Into<String>) -> Self {
        Self {
            part,
            ok,
            says: says.into(),
        }
    }
}

impl Doctor {
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        let config = setup.quiet_config()?;
        let mut findings = vec![
            address(&config),
            model(&config).await,
            signing_in(&config).await,
            Finding::new("demo", true, config.demo.reason()),
        ];
        findings.extend(mail(&config).await);
        findings.extend(traces(&config).await);
        findings.extend(data_folder(&config));
        findings.extend(Box::pin(opened(config)).await);
        if self.json {
            print_json(&findings)?;
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
        Ok(Exit::of(findings.iter().all(|finding| finding.ok)))
    }
}

/// The database, and the reports of the bundled services once it is open.
async fn opened(config: Config) -> Vec<Finding> {
    let says = match &config.database.url {
        Some(_) => "PostgreSQL (DATABASE_URL), schema up to date".to_owned(),
        None => format!(
            "SQLite in {}, schema up to date; DATABASE_URL switches to PostgreSQL",
            config.data_dir.display()
        ),
    };
    let missing = missing_grants(&config).await;
    if !missing.is_empty() {
        return vec![Finding::new(
            "database",
            false,
            format!(
                "rights are missing; let an administrator run: {}",
                missing.join(" ")
            ),
        )];
    }
    match App::open(config, frontdesk_assistants::all, Reach::OwnPort).await {
        Ok(app) => {
            let began = Instant::now();
            let answers = app.check_database().await;
            let mut findings = vec![Finding::new(
                "database",
                answers.is_ok(),
                match answers {
                    Ok(()) => format!("{says}; {}", quick(began.elapsed())),
                    Err(error) => format!("{error}"),
                },
            )];
            findings.push(documents(&app).await);
            findings.extend(manifests(&app).await);
            for system in &app.systems {
                findings.push(required(system).await);
            }
            let reports = app.service_reports.iter();
            findings.extend(reports.map(|(part, report)| Finding::new(part, true, report())));
            app.close().await;
            findings
        }
        Err(error) => vec![Finding::new("database", false, format!("{error:#}"))],
    }
}

/// The statements that give the connecting role and the application role the rights that they
/// lack. Empty on SQLite, before the first migration, and if the database does not answer: then
/// opening it says why.
async fn missing_grants(config: &Config) -> Vec<String> {
    if config.database.url.is_none() {
        return Vec::new();
    }
    let Ok(db) = services_database(config).await else {
        return Vec::new();
    };
    let schema = db.schema().unwrap_or("public").to_owned();
    let app_role = config.database.app_role.clone();
    let found: Result<Vec<String>, DbError> = db
        .read(&Claims::none(), move |tx| {
            Box::pin(async move {
                let values = [app_role.into(), schema.into()];
                let rows = tx.rows(MISSING_GRANTS, &values).await?;
                rows.iter().map(|row| row.get("fix")).collect()
            })
        })
        .await;
    db.close().await;
    found.unwrap_or_default()
}

/// Roles that do not exist yet are left to the migration.
const MISSING_GRANTS: &str = "\
    WITH roles AS (SELECT r.rolname AS name FROM pg_roles r WHERE r.rolname IN ($1, 'fd_worker')) \
    SELECT format('GRANT %I TO %I;', name, current_user) AS fix FROM roles \
        WHERE NOT pg_has_role(current_user, name, CASE \
            WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END) \
    UNION ALL \
    SELECT format('GRANT USAGE ON SCHEMA %I TO %I;', n.nspname, roles.name) \
        FROM roles CROSS JOIN pg_namespace n \
        WHERE n.nspname IN ('fd', $2) AND NOT has_schema_privilege(roles.name, n.oid, 'USAGE') \
    UNION ALL \
    SELECT format('GRANT SELECT ON %I.%I TO %I;', $2::text, c.relname, roles.name) \
        FROM roles CROSS JOIN pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
        WHERE roles.name = $1 AND n.nspname = $2 AND c.relname IN ('profiles', 'conversations', 'messages') \
            AND NOT has_table_privilege(roles.name, c.oid, 'SELECT')";

/// The assistants that manifests define, and the systems that they call.
async fn manifests(app: &App) -> Vec<Finding> {
    let found = |ok, says| Finding::new("manifest", ok, says);
    let mut findings = Vec::new();
    for report in app.manifests.reports() {
        findings.push(found(report.problem.is_none(), report.in_words()));
        findings.extend(report.warnings.into_iter().map(|text| found(true, text)));
    }
    for loaded in app.manifests.loaded() {
        for (name, client) in &loaded.sources {
            findings.push(called(&loaded.assistant.name, name, client).await);
        }
    }
    findings
}

/// The system or the MCP server that an assistant's tools call.
async fn called(assistant: &str, name: &str, client: &SourceClient) -> Finding {
    match client {
        SourceClient::Http(client) => {
            let source = client.source();
            let system = RequiredSystem {
                name: source.name.clone(),
                url: source.base_url.clone(),
                setting: format!("source.{name}.base_url of {assistant}"),
            };
            required(&system).await
        }
        SourceClient::Mcp(client) => {
            let offered = client.tools().await;
            Finding::new(
                "system",
                offered.is_ok(),
                match offered {
                    Ok(tools) => format!("{} offers {} tools", client.source().name, tools.len()),
                    Err(error) => format!("{error}; check source.{name}.mcp of {assistant}"),
                },
            )
        }
    }
}

/// The index and the embedder.
async fn documents(app: &App) -> Finding {
    let embeds = match app.knowledge_base.embeds_with() {
        Some(model) if app.knowledge_base.embeds_only_english() => format!(
            "embedded by {model}, which knows English only: questions in other languages go by keywords first, unless `search.embeddings` is `multilingual`"
        ),
        Some(model) => format!("embedded by {model}"),
        None => {
            "searched by keywords only; `scripts/setup run` fetches the embedding model".to_owned()
        }
    };
    let began = Instant::now();
    match app.knowledge_base.retrieval.index.check().await {
        Ok(says) => Finding::new(
            "documents",
            true,
            format!("{says}, {embeds}; {}", quick(began.elapsed())),
        ),
        Err(error) => Finding::new(
            "documents",
            false,
            format!("{error}; check QDRANT_URL, or index.db in the data folder"),
        ),
    }
}

fn address(config: &Config) -> Finding {
    let bind = config.server.bind;
    match TcpListener::bind(bind) {
        Ok(_) => Finding::new("address", true, format!("{bind} is free")),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => Finding::new(
            "address",
            true,
            format!(
                "{bind} is in use, perhaps by a running frontdesk; set another address with server.bind"
            ),
        ),
        Err(error) => Finding::new(
            "address",
            false,
            format!("cannot listen on {bind}: {error}; set server.bind"),
        ),
    }
}

async fn model(config: &Config) -> Finding {
    let settings = &config.model;
    let (ok, answer) = match ModelHealth::check(settings).await {
        ModelHealth::BuiltIn => {
            return Finding::new("model", true, "built-in offline model, which proposes and never writes by itself; OPENAI_API_KEY or \
                       OPENAI_BASE_URL switches to a language model"
                    .to_owned());
        }
        ModelHealth::Answers {
            milliseconds,
            status,
        } => {
            let quick = format!("answers in {milliseconds} ms");
            match status.map(StatusCode::from_u16) {
                Some(Ok(status)) => (
                    true,
                    format!("{quick}, with {status} for its list of models"),
                ),
                Some(Err(_)) | None => (true, quick),
            }
        }
        ModelHealth::KeyRefused => (
            false,
            "does not accept the key; check OPENAI_API_KEY".to_owned(),
        ),
        ModelHealth::Unreachable { problem } => {
            (false, format!("{problem}; check OPENAI_BASE_URL"))
        }
    };
    let key = match settings.api_key {
        Some(_) => "with a key",
        None => "without a key",
    };
    Finding::new(
        "model",
        ok,
        format!("{} {key}: {answer}", shown_address(&settings.base_url)),
    )
}

/// Connects to the mail server and signs in, without sending anything.
async fn mail(config: &Config) -> Option<Finding> {
    let checked = match Mailer::new(&config.mail, &config.brand.name) {
        Ok(None) => return None,
        Ok(Some(mailer)) => mailer.check().await,
        Err(error) => Err(error),
    };
    Some(Finding {
        part: "mail",
        ok: checked.is_ok(),
        says: match checked {
            Ok(()) => format!("the mail server takes mail from {}", config.mail.from),
            Err(error) => format!("{error:#}; check SMTP_URL"),
        },
    })
}

/// Sends each collector a request without spans.
async fn traces(config: &Config) -> Vec<Finding> {
    let mut findings = Vec::new();
    for target in &config.telemetry.targets {
        let began = Instant::now();
        let (ok, says) = match Exporter::probe(target).await {
            Ok(()) => (true, quick(began.elapsed())),
            Err(problem) => (false, format!("{problem}; turns go on without traces")),
        };
        findings.push(Finding::new(
            target.name,
            ok,
            format!("traces to {}: {says}", shown_address(&target.url)),
        ));
    }
    findings
}

/// Checks that the data folder is writable.
fn data_folder(config: &Config) -> Option<Finding> {
    std::fs::create_dir_all(&config.data_dir).ok()?;
    let began = Instant::now();
    let file = tempfile::NamedTempFile::new_in(&config.data_dir);
    let written = file.and_then(|mut file| {
        file.write_all(b"frontdesk")?;
        file.as_file().sync_all()
    });
    let folder = config.data_dir.display();
    Some(match written {
        Ok(()) => Finding::new(
            "folder",
            true,
            format!("{folder} takes files, {}", quick(began.elapsed())),
        ),
        Err(error) => Finding::new(
            "folder",
            false,
            format!("{folder} is not writable: {error}; set FRONTDESK_DATA_DIR"),
        ),
    })
}

/// A system that an assistant needs. Any answer will do: its root may well be refused.
async fn required(system: &RequiredSystem) -> Finding {
    let RequiredSystem { name, url, setting } = system;
    let url = shown_address(url);
    match reach(&system.url, None).await {
        Reachability::Answered(_, took) => {
            Finding::new("system", true, format!("{name} at {url}: {}", quick(took)))
        }
        Reachability::Not(problem) => Finding::new(
            "system",
            false,
            format!("{name} at {url} {problem}; check the setting {setting}"),
        ),
    }
}

fn quick(took: Duration) -> String {
    format!("answers in {} ms", took.as_millis())
}

async fn signing_in(config: &Config) -> Finding {
    let mut ok = true;
    let says =
        if config.personas_allowed() {
            "demo people, on this machine only; SUPABASE_JWT_SECRET switches to real tokens"
                .to_owned()
        } else {
            match &config.auth.source {
            IdentitySource::Secret { .. } => "tokens signed with the configured secret".to_owned(),
            IdentitySource::Keys { url, .. } => {
                let keys = match reach(url, None).await {
                    Reachability::Answered(status, took) if status.is_success() => quick(took),
                    Reachability::Answered(status, _) => {
                        ok = false;
                        format!("answers {status}; check auth.jwks_url")
                    }
                    Reachability::Not(problem) => {
                        ok = false;
                        format!("{problem}; check auth.jwks_url")
                    }
                };
                format!("tokens of the configured issuer; {} {keys}", shown_address(url))
            }
            IdentitySource::Local => {
                "tokens signed with the secret in the data folder (`frontdesk token` prints one)"
                    .to_owned()
            }
        }
        };
    Finding::new("sign-in", ok, says)
}
