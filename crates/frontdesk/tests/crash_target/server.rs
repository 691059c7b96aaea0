//! The real server with two additional assistants, for the crash harness to kill: `crash_target
//! CONFIG_FILE [POINT]`. Prints its address on the first line of output and aborts when its writes
//! reach POINT.

mod effects;

use std::path::PathBuf;

use anyhow::Context;
use frontdesk::app::App;
use frontdesk::config::{Config, Sources};
use frontdesk::services::Reach;
use frontdesk::{http, telemetry};
use frontdesk_assistants::SETTINGS;
use frontdesk_bundle::{Bundle, SetupContext, SetupError};
use frontdesk_core::setting::Setting;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let file = std::env::args_os()
        .nth(1)
        .map(PathBuf::from)
        .context("usage: crash_target CONFIG_FILE [POINT]")?;
    #[cfg(debug_assertions)]
    if let Some(point) = std::env::args().nth(2) {
        abort_at(point.parse()?);
    }
    let settings: Vec<Setting> = [SETTINGS, &[effects::SERVER]].concat();
    let sources = Sources {
        file: Some(file),
        ..Sources::default()
    };
    let config = Config::load(sources, &settings, &[])?;
    telemetry::start(&config.log)?;
    let listener = TcpListener::bind(config.server.bind).await?;
    let address = listener.local_addr()?;
    let app = App::open(config, assistants, Reach::Server(address)).await?;
    let mut terminate = signal(SignalKind::terminate())?;
    println!("http://{address}");
    http::serve(app, listener, async move {
        terminate.recv().await;
    })
    .await
}

/// Counts the points that writes pass, starting at 1.
#[cfg(debug_assertions)]
fn abort_at(point: usize) {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let passed = AtomicUsize::new(0);
    frontdesk_db::faults::install(
        "",
        Arc::new(move |_| {
            if passed.fetch_add(1, Ordering::SeqCst) + 1 == point {
                std::process::abort();
            }
            Ok(())
        }),
    );
}

fn assistants(ctx: &SetupContext) -> Result<Vec<Bundle>, SetupError> {
    Ok(vec![
        effects::bundle(ctx)?,
        (frontdesk_assistant_notes::PACKAGE.set_up)(ctx)?,
    ])
}
