//! The installation as people see it: its version, and the model that answers.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Caller, Json, Route};
use crate::config::{Fallback, Provider};

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct About {
    version: &'static str,
    /// The model's name; `null` if each assistant has its own or the built-in model answers.
    model: Option<String>,
    /// The built-in model answers: texts stay on this server.
    offline: bool,
    /// The built-in model answers while the language model is unavailable.
    fallback: bool,
    /// Mail can be sent.
    mail: bool,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/about", show)
            .named("get_about", "assistants", "Get the version and the model")
            .gives::<About>(200, "The installation"),
    ]
}

async fn show(Caller { state, .. }: Caller) -> Json<About> {
    let model = &state.app.config.model;
    let offline = model.provider == Provider::Offline;
    Json(About {
        version: env!("CARGO_PKG_VERSION"),
        model: model.name.clone().filter(|_| !offline),
        offline,
        fallback: !offline && model.fallback == Fallback::Offline,
        mail: state.app.mailer.is_some(),
    })
}
