//! Logs: one line an event, on standard error, so that standard output stays data.

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::ParseError;

use crate::config::Log;

/// Starts logging. A second call in one process keeps the first setting.
pub fn start(log: &Log) -> Result<(), ParseError> {
    let filter = EnvFilter::builder().parse(&log.level)?;
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        // It would be told on standard error, by a print that panics when that is closed.
        .log_internal_errors(false)
        .with_target(false);
    let started = if log.json {
        lines.json().flatten_event(true).try_init()
    } else {
        lines.with_ansi(false).try_init()
    };
    if started.is_err() {
        tracing::debug!("logging was started before");
    }
    Ok(())
}
