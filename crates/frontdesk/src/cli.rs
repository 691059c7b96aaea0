//! The command line. Standard output carries data; everything else goes to standard error.

mod approvals;
mod audit;
mod bench;
mod call;
mod card;
mod chat;
mod check;
mod doctor;
mod eval;
mod exit;
mod import;
mod ingest;
mod lock;
mod markdown;
mod new;
mod paint;
mod pipe;
mod reload;
mod remote;
mod retrieval;
mod screen;
mod search;
mod serve;
mod service;
mod token;
mod tools;
mod usage;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use chrono::{DateTime, TimeDelta, Utc};
use clap::{Parser, Subcommand, ValueEnum};
use frontdesk_core::access::{Principal, Role};
use frontdesk_core::env::Env;
use frontdesk_core::persona::demo_id;
use serde::Serialize;

use remote::{Remote, Sign};

use crate::app::{self, App};
use crate::config::{Config, IdentitySource, Sources};
use crate::identity::Verified;
use crate::services::Reach;
use crate::system_env::SystemEnv;
use crate::telemetry;

pub use exit::Exit;

/// Holds the token for a remote server.
const TOKEN: &str = "FRONTDESK_TOKEN";

#[derive(Parser)]
#[command(
    name = "frontdesk",
    version,
    about = "Run assistants that get real work done in your company's own systems.",
    after_help = "Start here:\n  frontdesk serve                         everything on http://127.0.0.1:8080\n  frontdesk chat ASSISTANT --as PERSONA   chat with an assistant in this terminal\n\nExit codes: 0 done · 1 failed · 2 usage or settings · 3 not allowed · 4 the model failed"
)]
struct Cli {
    /// Settings file. Default: `frontdesk.toml` in the current folder, if it exists.
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Send commands to the server at this address, with the token in FRONTDESK_TOKEN. A local
    /// server that owns the data folder is found automatically.
    #[arg(long, global = true, value_name = "URL")]
    server: Option<String>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the server: API and web page on one address.
    Serve(serve::Serve),
    /// Chat with an assistant.
    Chat(chat::Chat),
    /// List an assistant's tools as the model receives them.
    Tools(tools::Tools),
    /// Run one tool with all checks.
    Call(call::Call),
    /// Print a signed token for scripts.
    Token(token::Token),
    /// Migrate the database schema.
    #[command(after_help = "Example:\n  DATABASE_URL=postgres://… frontdesk migrate")]
    Migrate,
    /// Print the OpenAPI document of the HTTP API.
    #[command(after_help = "Example:\n  frontdesk openapi > openapi.json")]
    Openapi,
    /// Propose an assistant over an API or an MCP server.
    New(new::New),
    /// Check every part of the installation and say how to fix problems.
    Doctor(doctor::Doctor),
    /// Show who may call which tool and prove the rules about it.
    Check(check::Check),
    /// Make a running server read its manifests again.
    Reload(reload::Reload),
    /// Print the JSON Schema of a file format, for editors.
    #[command(
        after_help = "Example:\n  frontdesk schema manifest > assistants.d/manifest.schema.json\nThen begin an assistant.toml with: #:schema ../manifest.schema.json"
    )]
    Schema { format: SchemaFormat },
    /// Index documents so that assistants can search them.
    Ingest(ingest::IngestDocuments),
    /// Import an assistant's data from files.
    Import(import::ImportFiles),
    /// Search the indexed documents.
    Search(search::SearchDocuments),
    /// Evaluate a model with a suite of cases, or retrieval with a labelled set.
    Eval(eval::Eval),
    /// Show token usage and cost.
    Usage(usage::Usage),
    /// Show the audit log: who did what to which object.
    Audit(audit::Audit),
    /// List and decide pending approvals.
    Approvals(approvals::Approvals),
    /// Run one bundled back-end service alone.
    Service(service::Service),
    /// Benchmark turns and servers.
    Bench(bench::Bench),
}

#[derive(Clone, Copy, ValueEnum)]
enum SchemaFormat {
    /// The assistant.toml of an assistant without code.
    Manifest,
}

pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return exit::fail(&anyhow::Error::from(error)),
    };
    match pipe::unless_closed(|| runtime.block_on(run(cli))) {
        Some(Ok(exit)) => exit.into(),
        Some(Err(error)) => exit::fail(&error),
        None => pipe::CLOSED.into(),
    }
}

async fn run(cli: Cli) -> anyhow::Result<Exit> {
    let setup = Setup {
        file: cli.config,
        server: cli.server,
    };
    match cli.command {
        Command::Serve(serve) => serve.run(setup).await,
        Command::Chat(chat) => chat.run(setup).await,
        Command::Tools(tools) => tools.run(setup).await,
        Command::Call(call) => call.run(setup).await,
        Command::Token(token) => token.run(setup).await,
        Command::Migrate => migrate(setup).await,
        Command::Openapi => print_json(&crate::http::openapi()),
        Command::New(new) => new.run(setup).await,
        Command::Doctor(doctor) => doctor.run(setup).await,
        Command::Check(check) => check.run(setup).await,
        Command::Reload(reload) => reload.run(setup).await,
        Command::Schema { format } => match format {
            SchemaFormat::Manifest => print_json(&frontdesk_connect::manifest::schema()),
        },
        Command::Ingest(ingest) => ingest.run(setup).await,
        Command::Import(import) => import.run(setup).await,
        Command::Search(search) => search.run(setup).await,
        Command::Eval(eval) => eval.run(setup).await,
        Command::Usage(usage) => usage.run(setup).await,
        Command::Audit(audit) => audit.run(setup).await,
        Command::Approvals(approvals) => approvals.run(setup).await,
        Command::Service(service) => service.run(setup).await,
        Command::Bench(bench) => bench.run().await,
    }
}

async fn migrate(setup: Setup) -> anyhow::Result<Exit> {
    let app = setup.open().await?;
    println!("The database is up to date.");
    app.close().await;
    Ok(Exit::Done)
}

/// Prints a value for scripts.
fn print_json(value: &impl Serialize) -> anyhow::Result<Exit> {
    println!("{}", serde_json::to_string_pretty(value)?);
    Ok(Exit::Done)
}

struct Setup {
    file: Option<PathBuf>,
    server: Option<String>,
}

/// The API that a command uses.
struct Connection {
    remote: Remote,
    /// Holds the input history.
    data_dir: PathBuf,
    /// Answers in this process; `None` if a server does.
    app: Option<Arc<App>>,
}

impl Connection {
    async fn close(self) {
        if let Some(app) = self.app {
            app.close().await;
        }
    }
}

/// The person of a command without `--as`.
#[derive(Clone, Copy)]
enum DefaultPerson<'a> {
    /// The first demo persona that may use this assistant.
    For(&'a str),
    /// An operator: whoever can read the data folder can read its records.
    Operator,
    Nobody,
}

impl Setup {
    /// Reads the settings; `flags` are the options of this command.
    fn config(&self, flags: Vec<(&'static str, String)>) -> anyhow::Result<Config> {
        let sources = Sources {
            file: self.file.clone(),
            environment: std::env::vars().collect(),
            flags,
        };
        let config = Config::load(
            sources,
            frontdesk_assistants::SETTINGS,
            frontdesk_assistants::NAMES,
        )?;
        telemetry::start(&config.log).with_context(|| {
            format!(
                "setting `log.level`: {:?} is not a valid filter",
                config.log.level
            )
        })?;
        Ok(config)
    }

    /// The settings with logging reduced to errors, so that logs do not mix with the output.
    fn quiet_config(&self) -> anyhow::Result<Config> {
        self.config(vec![("log.level", "error".to_owned())])
    }

    /// The address of `--server`, or of the server that owns the data folder.
    fn url(&self, config: &Config) -> anyhow::Result<Option<String>> {
        match &self.server {
            Some(url) => Ok(Some(url.clone())),
            None => lock::owner(&config.data_dir),
        }
    }

    /// The server of [`Self::url`]; otherwise this process.
    async fn connect(
        &self,
        persona: Option<&str>,
        default: DefaultPerson<'_>,
    ) -> anyhow::Result<Connection> {
        let config = self.quiet_config()?;
        let Some(url) = self.url(&config)? else {
            return in_process(config, persona, default).await;
        };
        let sign = self.sign(&config, persona, default)?;
        Ok(Connection {
            remote: Remote::connect(&url, sign).await?,
            data_dir: config.data_dir,
            app: None,
        })
    }

    /// How to sign in at a server.
    fn sign<'a>(
        &self,
        config: &Config,
        persona: Option<&'a str>,
        default: DefaultPerson<'a>,
    ) -> anyhow::Result<Sign<'a>> {
        Ok(match (persona, token(), default) {
            (Some(name), _, _) => Sign::Persona(name),
            (None, Some(token), _) => Sign::Token(token),
            (None, None, DefaultPerson::For(assistant)) => Sign::AnyoneFor(assistant),
            (None, None, DefaultPerson::Operator) if self.server.is_none() => {
                Sign::Token(operator_token(config)?)
            }
            (None, None, DefaultPerson::Operator | DefaultPerson::Nobody) => bail!(nobody()),
        })
    }

    /// The server of `--server`, with the person who asks it.
    async fn named_server(&self, persona: Option<&str>) -> anyhow::Result<Option<Remote>> {
        let Some(url) = &self.server else {
            return Ok(None);
        };
        let sign = self.sign(&self.quiet_config()?, persona, DefaultPerson::Nobody)?;
        Ok(Some(Remote::connect(url, sign).await?))
    }

    /// The program with its global options, as the prefix of commands suggested to the user.
    fn command(&self) -> String {
        let mut command = program();
        if let Some(file) = &self.file {
            command += &format!(" --config {}", file.display());
        }
        if let Some(server) = &self.server {
            command += &format!(" --server {server}");
        }
        command
    }

    async fn open(&self) -> anyhow::Result<App> {
        App::open(
            self.quiet_config()?,
            frontdesk_assistants::all,
            Reach::OwnPort,
        )
        .await
    }
}

/// The API of this process.
async fn in_process(
    config: Config,
    persona: Option<&str>,
    default: DefaultPerson<'_>,
) -> anyhow::Result<Connection> {
    let data_dir = config.data_dir.clone();
    let app = App::open(config, frontdesk_assistants::all, Reach::OwnPort).await?;
    let app = Arc::new(app);
    let who = match (persona, default) {
        (Some(name), _) => app.persona(name).await?,
        (None, DefaultPerson::For(assistant)) => act_as(&app, None, assistant).await?,
        (None, DefaultPerson::Operator) => app.signed_in(operator(app.env.now())).await?,
        (None, DefaultPerson::Nobody) => token_owner(&app).await?.with_context(nobody)?,
    };
    Ok(Connection {
        remote: Remote::in_process(&app, &who)?,
        data_dir,
        app: Some(app),
    })
}

/// Parses `KEY=VALUE`.
fn pair(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=');
    let pair = pair.map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()));
    pair.filter(|(key, value)| !key.is_empty() && !value.is_empty())
        .ok_or_else(|| format!("{text:?} must be KEY=VALUE"))
}

/// The program as the user typed it.
fn program() -> String {
    std::env::args().next().unwrap_or("frontdesk".to_owned())
}

/// The token of the person who runs the command.
fn token() -> Option<String> {
    let mut values = std::env::vars();
    let found = values.find(|(name, value)| name == TOKEN && !value.is_empty());
    found.map(|(_, value)| value)
}

/// The requested persona, the person of the token, or the first persona that may use the assistant.
async fn act_as(app: &App, asked: Option<&str>, assistant: &str) -> anyhow::Result<Principal> {
    if let Some(name) = asked {
        return app.persona(name).await;
    }
    if let Some(owner) = token_owner(app).await? {
        return Ok(owner);
    }
    for persona in app.runtime.installed().personas() {
        let principal = app.persona(&persona.name).await?;
        if app.runtime.assistant(&principal, assistant).is_ok() {
            return Ok(principal);
        }
    }
    bail!(nobody())
}

fn nobody() -> String {
    format!("no identity given; use --as PERSONA or set {TOKEN}")
}

async fn token_owner(app: &App) -> anyhow::Result<Option<Principal>> {
    let Some(token) = token() else {
        return Ok(None);
    };
    let verified = app.tokens.verify(&token, app.env.now()).await?;
    Ok(Some(app.signed_in(verified).await?))
}

/// Access to the data folder implies the rights of an operator on this machine.
fn operator(now: DateTime<Utc>) -> Verified {
    const MINUTES: i64 = 1;
    Verified {
        subject: demo_id("account", "operator"),
        name: "Operator".to_owned(),
        email: None,
        roles: vec![Role::OPERATOR.to_string()],
        expires: now + TimeDelta::minutes(MINUTES),
    }
}

/// The operator's token for the server that owns this data folder.
fn operator_token(config: &Config) -> anyhow::Result<String> {
    if let IdentitySource::Keys { .. } = config.auth.source {
        bail!("set {TOKEN} to the token of an operator: tokens come from the configured issuer");
    }
    let env: Arc<dyn Env> = Arc::new(SystemEnv);
    let now = env.now();
    let tokens = app::tokens(config, &env)?;
    Ok(tokens.sign(&operator(now), now)?)
}

#[cfg(test)]
mod cli_tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        super::Cli::command().debug_assert();
    }
}
