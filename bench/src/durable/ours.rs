//! The product's server with one more assistant: 22 tools, and no rate limit.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use frontdesk::app::App;
use frontdesk::config::{Config, Sources};
use frontdesk::services::Reach;
use frontdesk::{http, telemetry};
use frontdesk_assistants::SETTINGS;
use frontdesk_bench::fixture::install_crypto;
use frontdesk_bench::scene::{self, TOOLS};
use frontdesk_bundle::{Bundle, SetupContext, SetupError};
use frontdesk_core::assistant::Limits;
use frontdesk_core::transcript::Window;
use tokio::net::TcpListener;

pub const SECRET: &str = "a secret for the bench that is long enough";
/// Messages of a conversation in the model's context.
pub const HISTORY: usize = 50;

pub fn assistants(_: &SetupContext) -> Result<Vec<Bundle>, SetupError> {
    let limits = Limits {
        window: Window {
            max_messages: HISTORY,
            max_tokens: 10_000_000,
            last_texts: None,
        },
        messages_a_minute: 100_000_000,
        turn: Duration::from_secs(600),
        ..Limits::default()
    };
    Ok(vec![Bundle {
        is_default: true,
        ..Bundle::new(scene::assistant(TOOLS, limits)?, Vec::new())
    }])
}

pub fn config(file: PathBuf) -> Result<Config> {
    let sources = Sources {
        file: Some(file),
        ..Sources::default()
    };
    Ok(Config::load(sources, SETTINGS, &[])?)
}

pub async fn serve(file: PathBuf) -> Result<()> {
    install_crypto();
    let config = config(file)?;
    telemetry::start(&config.log)?;
    let listener = TcpListener::bind(config.server.bind).await?;
    let address = listener.local_addr()?;
    let app = App::open(config, assistants, Reach::Server(address)).await?;
    println!("http://{address}");
    http::serve(app, listener, std::future::pending()).await
}
