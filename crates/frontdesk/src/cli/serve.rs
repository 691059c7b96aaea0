//! `frontdesk serve`: runs the server.

use std::io::Write;
use std::net::SocketAddr;

use anyhow::{Context, bail};
use clap::Args;
use tokio::net::TcpListener;

use super::lock::{self, FolderOwner, Lock};
use super::{Exit, Setup, program};
use crate::app::App;
use crate::config::{Config, Provider};
use crate::http;
use crate::services::Reach;

#[derive(Args)]
#[command(after_help = "Example:\n  frontdesk serve --bind 127.0.0.1:9000")]
pub(super) struct Serve {
    /// Address and port to listen on.
    #[arg(long, value_name = "ADDR")]
    bind: Option<SocketAddr>,
    /// Start without demo personas and data.
    #[arg(long)]
    no_demo: bool,
}

impl Serve {
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        let mut flags = Vec::new();
        if let Some(bind) = self.bind {
            flags.push(("server.bind", bind.to_string()));
        }
        if self.no_demo {
            flags.push(("demo", "false".to_owned()));
        }
        let config = setup.config(flags)?;
        let bind = config.server.bind;
        let listener = listen(bind).await?;
        config.check_serving(listener.local_addr()?)?;
        let address = reachable(listener.local_addr()?);
        // Held until the server stops; other commands find the server by it.
        let _lock = own(&config, address)?;
        let reach = Reach::Server(address);
        let embedded = config.database.url.is_none();
        let app = App::open(config, frontdesk_assistants::all, reach).await?;
        if embedded {
            app.runtime.void_stale_leases().await?;
        }
        greet(&greeting(&app));
        app.warm_up();
        http::serve(app, listener, stop_signal()).await?;
        Ok(Exit::Done)
    }
}

/// The embedded database allows one server. On PostgreSQL several may share a folder; commands use
/// the first one.
fn own(config: &Config, address: SocketAddr) -> anyhow::Result<Option<Lock>> {
    match lock::take(&config.data_dir, &format!("http://{address}"))? {
        FolderOwner::Ours(lock) => Ok(Some(lock)),
        FolderOwner::By(_) if config.database.url.is_some() => Ok(None),
        FolderOwner::By(url) => bail!(
            "the server at {url} owns the data folder {}; stop it, or choose another folder with FRONTDESK_DATA_DIR",
            config.data_dir.display()
        ),
    }
}

pub(super) async fn listen(bind: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(bind).await.with_context(|| {
        format!(
            "cannot listen on {bind}: is another server running there? Choose another with --bind"
        )
    })
}

/// The loopback equivalent of an unspecified address.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
    }
    address
}

fn greeting(app: &App) -> String {
    let program = program();
    let url = &app.config.server.public_url;
    let model = match app.config.model.provider {
        Provider::Offline => "the built-in offline model (set OPENAI_API_KEY for a real one)",
        Provider::OpenAi => "the configured OpenAI-compatible endpoint",
    };
    let database = match &app.config.database.url {
        Some(_) => "PostgreSQL".to_owned(),
        None => format!(
            "SQLite in {} (set DATABASE_URL for PostgreSQL)",
            app.config.data_dir.display()
        ),
    };
    let sign_in = if app.config.personas_allowed() {
        let installed = app.runtime.installed();
        let people = installed.personas().iter();
        let names: Vec<&str> = people.map(|persona| persona.name.as_ref()).collect();
        format!("as a demo person: {}", names.join(", "))
    } else {
        format!("with a token (`{program} token --help`)")
    };
    let terminal = app
        .runtime
        .assistants()
        .first()
        .map_or_else(String::new, |assistant| {
            format!("  terminal  {program} chat {}\n", assistant.name)
        });
    format!(
        "Frontdesk is at {url}\n  model     {model}\n  data      {database}\n  sign in   {sign_in}\n{terminal}Ctrl-C stops it.\n"
    )
}

/// Prints the greeting; a closed standard output must not stop the server.
pub(super) fn greet(greeting: &str) {
    let mut out = std::io::stdout();
    let printed = out
        .write_all(greeting.as_bytes())
        .and_then(|()| out.flush());
    if let Err(error) = printed {
        tracing::debug!("standard output is closed: {error}");
    }
}

/// Resolves on SIGTERM or Ctrl-C.
pub(super) async fn stop_signal() {
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = terminate => {}
    }
}
