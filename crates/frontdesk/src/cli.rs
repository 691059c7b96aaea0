//! The command line. Standard output is data, standard error is everything else.

mod approvals;
mod ask;
mod audit;
mod bench;
mod call;
mod card;
mod chat;
mod doctor;
mod eval;
mod exit;
mod import;
mod ingest;
mod lock;
mod markdown;
mod migrate;
mod openapi;
mod paint;
mod pipe;
mod remote;
mod retrieval;
mod search;
mod serve;
mod service;
mod token;
mod tools;
mod usage;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, Subcommand};
use frontdesk_core::access::Principal;

use remote::{Remote, Sign};

use crate::app::App;
use crate::config::{Config, Sources};
use crate::services::Reach;
use crate::telemetry;

pub use exit::Exit;

/// Proves who is asking to a server that is not on this machine.
const TOKEN: &str = "FRONTDESK_TOKEN";

#[derive(Parser)]
#[command(
    name = "frontdesk",
    version,
    about = "Run assistants that get real work done in your company's own systems.",
    after_help = "Start here:\n  frontdesk serve                         everything on http://127.0.0.1:8080\n  frontdesk chat ASSISTANT --as PERSONA   talk to an assistant in this terminal\n\nExit codes: 0 done · 1 failed · 2 usage or settings · 3 not allowed · 4 the model failed"
)]
struct Cli {
    /// Settings file; `frontdesk.toml` in this folder if it is there.
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Talk to the server at this address, with the token in FRONTDESK_TOKEN. A server that owns
    /// the data folder is found without it.
    #[arg(long, global = true, value_name = "URL")]
    server: Option<String>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the server with everything on one address.
    Serve(serve::Serve),
    /// Talk to an assistant.
    Chat(chat::Chat),
    /// List the tools of an assistant, as a model is offered them.
    Tools(tools::Tools),
    /// Run one tool through all checks.
    Call(call::Call),
    /// Print a signed token for scripts.
    Token(token::Token),
    /// Bring the database up to date.
    Migrate(migrate::Migrate),
    /// Print the OpenAPI document of the HTTP interface.
    Openapi(openapi::Openapi),
    /// Check every part and say what to do.
    Doctor(doctor::Doctor),
    /// Index documents so that assistants can search them.
    Ingest(ingest::IngestDocuments),
    /// Take an assistant's data in from files.
    Import(import::ImportFiles),
    /// Find passages in the documents.
    Search(search::SearchDocuments),
    /// Judge a model by a suite of cases, or retrieval by a labelled set.
    Eval(eval::Eval),
    /// Show what was used and what it cost.
    Usage(usage::Usage),
    /// Show who did what to which object.
    Audit(audit::Audit),
    /// See and decide what waits for approval.
    Approvals(approvals::Approvals),
    /// Run a bundled back-end service alone.
    Service(service::Service),
    /// Measure what turns and servers cost.
    Bench(bench::Bench),
}

/// Runs the command that the process was started with.
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
        Command::Migrate(migrate) => migrate.run(setup).await,
        Command::Openapi(openapi) => openapi.run(),
        Command::Doctor(doctor) => doctor.run(setup).await,
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

/// What every command starts from.
struct Setup {
    file: Option<PathBuf>,
    server: Option<String>,
}

/// Where a command is carried out.
enum Place {
    /// In this process.
    Here(Box<App>),
    /// By a server that runs; what is typed is remembered in the data folder.
    There { remote: Remote, data_dir: PathBuf },
}

impl Setup {
    /// Reads the settings; `flags` are this command's own.
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
        telemetry::start(&config.log)
            .with_context(|| format!("setting `log.level`: {:?} is no filter", config.log.level))?;
        Ok(config)
    }

    /// A server that runs does the work: the one that was named, or the one that owns the data
    /// folder. Else this process does.
    async fn place(&self, persona: Option<&str>, assistant: Option<&str>) -> anyhow::Result<Place> {
        let config = self.config(vec![("log.level", "error".to_owned())])?;
        let url = match &self.server {
            Some(url) => Some(url.clone()),
            None => lock::owner(&config.data_dir)?,
        };
        let Some(url) = url else {
            let app = App::open(config, frontdesk_assistants::all, Reach::OwnPort).await?;
            return Ok(Place::Here(Box::new(app)));
        };
        let token = std::env::vars()
            .find(|(name, value)| name == TOKEN && !value.is_empty())
            .map(|(_, value)| value);
        let sign = match (persona, token, assistant) {
            (Some(name), _, _) => Sign::Persona(name),
            (None, Some(token), _) => Sign::Token(token),
            (None, None, Some(assistant)) => Sign::AnyoneFor(assistant),
            (None, None, None) => {
                anyhow::bail!("say who is asking: with --as PERSONA or with {TOKEN}")
            }
        };
        Ok(Place::There {
            remote: Remote::connect(&url, sign).await?,
            data_dir: config.data_dir,
        })
    }

    /// The server of `--server`, with the person who asks it.
    async fn named_server(&self, persona: Option<&str>) -> anyhow::Result<Option<Remote>> {
        let Some(url) = &self.server else {
            return Ok(None);
        };
        let token = std::env::vars().find(|(name, value)| name == TOKEN && !value.is_empty());
        let sign = match (persona, token) {
            (Some(name), _) => Sign::Persona(name),
            (None, Some((_, token))) => Sign::Token(token),
            (None, None) => {
                anyhow::bail!("say who is asking: with --as PERSONA or with {TOKEN}")
            }
        };
        Ok(Some(Remote::connect(url, sign).await?))
    }

    /// This program as it was called, with the options that every command takes: the beginning of a
    /// command that does what is told here.
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

    /// Opens everything, quietly: a terminal is for the conversation.
    async fn open(&self) -> anyhow::Result<App> {
        let config = self.config(vec![("log.level", "error".to_owned())])?;
        App::open(config, frontdesk_assistants::all, Reach::OwnPort).await
    }
}

/// Parses `KEY=VALUE`.
fn pair(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=');
    let pair = pair.map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()));
    pair.filter(|(key, value)| !key.is_empty() && !value.is_empty())
        .ok_or_else(|| format!("{text:?} must be KEY=VALUE"))
}

/// What a person types to start this program: its name where it is installed, else its path.
fn program() -> String {
    std::env::args().next().unwrap_or("frontdesk".to_owned())
}

/// The demo person to act as: the one asked for, or the first who may use the assistant.
async fn act_as(app: &App, asked: Option<&str>, assistant: &str) -> anyhow::Result<Principal> {
    if let Some(name) = asked {
        return app.persona(name).await;
    }
    for persona in &app.personas {
        let principal = app.persona(persona.name).await?;
        if app.runtime.assistant(&principal, assistant).is_ok() {
            return Ok(principal);
        }
    }
    anyhow::bail!("say who is asking with --as PERSONA")
}

#[cfg(test)]
mod cli_tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        super::Cli::command().debug_assert();
    }
}
