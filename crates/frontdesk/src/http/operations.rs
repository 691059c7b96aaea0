//! Liveness and readiness checks.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;

use super::route::{Content, Route};
use super::{AppState, metrics_route};

#[derive(Serialize, JsonSchema)]
struct Health {
    status: &'static str,
}

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "operations";
    vec![
        Route::get("/healthz", healthz)
            .named("healthz", SUBJECT, "Check that the process is alive")
            .public()
            .gives::<Health>(200, "It lives"),
        Route::get("/metrics", metrics_route::own_address)
            .named("metrics", SUBJECT, "Get Prometheus metrics")
            .about("On the server's own address only if that is a loopback address; otherwise on `server.metrics_bind`.")
            .public()
            .gives_content(200, "Metrics, one per line", Content::File(&["text/plain", "application/openmetrics-text"]))
            .refuses(&[404]),
        Route::get("/readyz", readyz)
            .named("readyz", SUBJECT, "Check that the server accepts requests")
            .public()
            .gives::<Health>(200, "They should")
            .gives::<Health>(
                503,
                "Not ready: the database does not answer, or the server is shutting down",
            ),
    ]
}

async fn healthz() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// Ready if the database answers and the server is not shutting down.
async fn readyz(State(state): State<AppState>) -> (StatusCode, Json<Health>) {
    if state.stopping.is_cancelled() {
        return not_ready("stopping");
    }
    match state.app.check_database().await {
        Ok(()) => (StatusCode::OK, Json(Health { status: "ready" })),
        Err(error) => {
            tracing::warn!("not ready: {error}");
            not_ready("the database does not answer")
        }
    }
}

fn not_ready(status: &'static str) -> (StatusCode, Json<Health>) {
    (StatusCode::SERVICE_UNAVAILABLE, Json(Health { status }))
}
