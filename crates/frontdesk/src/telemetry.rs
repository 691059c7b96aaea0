//! Logging: one line per event on standard error; standard output carries data only.

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::ParseError;

use crate::config::Log;

/// Starts logging. Further calls in the same process have no effect.
pub fn start(log: &Log) -> Result<(), ParseError> {
    let filter = EnvFilter::builder().parse(&log.level)?;
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        // Internal errors are printed to standard error, which panics if that is closed.
        .log_internal_errors(false)
        .with_target(false);
    let started = if log.json {
        lines.json().flatten_event(true).try_init()
    } else {
        lines.with_ansi(false).try_init()
    };
    if started.is_err() {
        tracing::debug!("logging is already started");
    }
    Ok(())
}
