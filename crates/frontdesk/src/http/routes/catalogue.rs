//! What there is: assistants and their tools.

use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::http::Shared;
use crate::http::caller::Caller;
use crate::http::error::ApiError;
use crate::http::input::Ids;
use crate::http::route::Route;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/assistants", assistants)
            .named("list_assistants", "assistants", "Whom I may talk to")
            .gives::<Vec<AssistantEntry>>(200, "The assistants"),
        Route::get("/assistants/{name}/tools", tools)
            .named(
                "list_tools",
                "assistants",
                "What an assistant can do for me",
            )
            .about("As a model is offered them at the start of a conversation: OpenAI's `tools`.")
            .gives::<Vec<OfferedTool>>(200, "The tools")
            .refuses(&[403]),
    ]
}

/// A tool as models are offered it.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct OfferedTool {
    r#type: &'static str,
    /// Name, description and parameters (a JSON Schema).
    function: Value,
}

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct AssistantEntry {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    greeting: &'static str,
    suggestions: &'static [&'static str],
    phases: Vec<String>,
    message_limit: usize,
}

/// Those this person may talk to.
pub(in crate::http) async fn assistants(
    State(shared): State<Shared>,
    Caller(who): Caller,
) -> Json<Vec<AssistantEntry>> {
    let entries = shared
        .desk
        .assistants()
        .filter(|assistant| who.holds_any(&assistant.roles))
        .map(|assistant| AssistantEntry {
            name: assistant.name,
            title: assistant.title,
            description: assistant.description,
            greeting: assistant.greeting,
            suggestions: assistant.suggestions,
            phases: assistant
                .phases
                .iter()
                .map(|spec| spec.phase.as_str().to_owned())
                .collect(),
            message_limit: assistant.limits.message.maximum(),
        })
        .collect();
    Json(entries)
}

/// The tools this person may use in the first phase, as a model is offered them.
pub(in crate::http) async fn tools(
    State(shared): State<Shared>,
    Caller(who): Caller,
    Ids(name): Ids<String>,
) -> Result<Json<Vec<OfferedTool>>, ApiError> {
    let known = shared.desk.assistants().any(|a| a.name == name);
    if !known {
        return Err(ApiError::not_found("Assistant"));
    }
    let assistant = shared.desk.assistant(&who, &name)?;
    let offer = assistant.toolbox.offer(&who, &assistant.first_phase());
    Ok(Json(
        offer
            .tools
            .iter()
            .map(|def| OfferedTool {
                r#type: "function",
                function: def.to_openai_format()["function"].take(),
            })
            .collect(),
    ))
}
