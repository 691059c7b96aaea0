//! For Operators: loads the assistants that manifests define again.

use super::operator::watches;
use super::{ApiError, Caller, Json, ListResponse, ListResult, Route};
use crate::manifests::ManifestReport;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::post("/manifests/reload", reload)
            .named("reload_manifests", "operator", "Load the manifests again")
            .about("Reads the folder of manifests on this node. A manifest with an error is reported and keeps its earlier version. Running turns go on with the version that they began with.")
            .gives::<ListResponse<ManifestReport>>(200, "What became of each manifest")
            .refuses(&[403]),
    ]
}

async fn reload(Caller { state, who }: Caller) -> ListResult<ManifestReport> {
    watches(&who)?;
    let app = &state.app;
    // Reads files, so not on a worker thread of the server.
    let (manifests, runtime) = (app.manifests.clone(), app.runtime.clone());
    let reports = tokio::task::spawn_blocking(move || manifests.reload(&runtime)).await;
    let reports = reports.map_err(|error| {
        tracing::error!("the reload stopped: {error}");
        ApiError::internal()
    })?;
    Ok(Json(ListResponse::complete(reports)))
}
