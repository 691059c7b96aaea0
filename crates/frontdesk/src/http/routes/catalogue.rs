//! What there is: assistants and their tools.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::Value;

use crate::http::Shared;
use crate::http::caller::Caller;
use crate::http::error::ApiError;
use crate::http::input::Ids;

#[derive(Serialize)]
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
) -> Result<Json<Vec<Value>>, ApiError> {
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
            .map(|def| def.to_openai_format())
            .collect(),
    ))
}
