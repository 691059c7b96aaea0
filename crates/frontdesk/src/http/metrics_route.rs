//! `/metrics` for monitoring: on the main address only if that is a loopback address, otherwise on
//! a separate one.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::response::IntoResponse;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::AppState;
use super::body::{MESSAGE_BYTES, OTHER_BYTES};
use super::error::ApiError;
use crate::config::Config;
use crate::metrics::ScrapeValues;

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
/// For readers that do not ask for OpenMetrics. The text is the same: its end mark is a comment here.
const PLAIN: &str = "text/plain; version=0.0.4; charset=utf-8";

#[derive(Clone)]
pub(super) struct MetricsRoute {
    at_own_address: bool,
    limits: Arc<[(&'static str, u64)]>,
}

impl MetricsRoute {
    pub(super) fn of(config: &Config) -> Self {
        let budget = config.budget();
        let mut limits = vec![
            ("connections", u64::from(config.limits.connections)),
            ("turns_in_flight", u64::from(config.limits.turns_in_flight)),
            ("message_body_bytes", MESSAGE_BYTES as u64),
            ("other_body_bytes", OTHER_BYTES as u64),
        ];
        limits.extend(
            config
                .limits
                .storage_bytes
                .map(|most| ("storage_bytes", most)),
        );
        limits.extend(
            budget
                .person
                .map(|tokens| ("tokens_a_person_and_day", tokens)),
        );
        limits.extend(
            budget
                .company
                .map(|tokens| ("tokens_a_company_and_day", tokens)),
        );
        Self {
            at_own_address: config.server.bind.ip().is_loopback(),
            limits: limits.into(),
        }
    }
}

fn page(state: &AppState, headers: &HeaderMap) -> impl IntoResponse + use<> {
    let moment = ScrapeValues {
        turns_running: state.runtime().at_work(),
        database_round_trips: state.app.db.round_trips(),
        pool: state.app.db.pool(),
        model_retries: state.app.model_retries.load(Ordering::Relaxed),
        traces: state.runtime().tracer().tallies(),
        limits: state.metrics_route.limits.to_vec(),
    };
    let accept = headers.get(ACCEPT).and_then(|value| value.to_str().ok());
    let format = match accept {
        Some(accept) if accept.contains("application/openmetrics-text") => OPEN_METRICS,
        Some(_) | None => PLAIN,
    };
    (
        [(CONTENT_TYPE, format)],
        state.runtime().metrics().render(&moment),
    )
}

pub(super) async fn own_address(
    State(state): State<AppState>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, ApiError> {
    if state.metrics_route.at_own_address {
        return Ok(page(&state, &headers));
    }
    Err(ApiError::not_found("Resource"))
}

/// Serves only `/metrics` until the server stops.
pub(super) async fn serve_apart(
    listener: TcpListener,
    state: AppState,
    stopping: CancellationToken,
) {
    let router = Router::new()
        .route(
            "/metrics",
            get(async |State(state): State<AppState>, headers: HeaderMap| page(&state, &headers)),
        )
        .with_state(state);
    let served = axum::serve(listener, router)
        .with_graceful_shutdown(async move { stopping.cancelled().await })
        .await;
    if let Err(error) = served {
        tracing::error!("metrics are no longer served: {error}");
    }
}
