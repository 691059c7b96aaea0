//! Assistants and their tools.

use frontdesk_core::handle::SCHEMA_KEYWORD;
use frontdesk_core::id::ConversationId;
use frontdesk_core::tool::Effect;
use frontdesk_core::toolbox::Toolbox;
use frontdesk_core::untrusted;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

use super::{
    ApiError, Caller, Ids, Json, JsonBody, JsonResult, ListResponse, ListResult, Params, Route,
};

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/assistants", assistants)
            .named("list_assistants", "assistants", "List the assistants that I may use")
            .gives::<ListResponse<AssistantEntry>>(200, "The assistants"),
        Route::get("/assistants/{name}/tools", tools)
            .named(
                "list_tools",
                "assistants",
                "List the tools of an assistant",
            )
            .about("OpenAI's `tools`, each with a title and whether it is usable in the phase of the given conversation, or in the first phase without one. The model never receives unusable tools.")
            .query::<ToolsParams>()
            .gives::<ListResponse<OfferedTool>>(200, "The tools")
            .refuses(&[403]),
        Route::post("/assistants/choose", choose)
            .named(
                "choose_assistant",
                "assistants",
                "Choose the assistant for a message",
            )
            .about("The one of the caller's assistants that the message belongs to. The language model chooses; without one, a classifier does.")
            .takes::<ChoiceRequest>()
            .gives::<AssistantChoice>(200, "The assistant"),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct ToolsParams {
    /// A conversation with this assistant; its phase decides which tools are usable.
    conversation_id: Option<ConversationId>,
}

/// A tool as models receive it, with its texts for people.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct OfferedTool {
    /// The name of the action, for people.
    title: String,
    /// True if the tool is available in the current phase.
    usable: bool,
    /// `read` changes nothing.
    effect: Effect,
    r#type: &'static str,
    /// Name, description and parameters (a JSON Schema).
    function: Value,
    /// Parameters that take a long text or a file: `text` or `file` by name. A form contains the
    /// text itself, or the id of an attachment of the conversation.
    handles: BTreeMap<String, String>,
}

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct AssistantEntry {
    name: String,
    title: String,
    description: String,
    greeting: String,
    /// Suggested first messages for this person.
    suggestions: Vec<String>,
    phases: Vec<String>,
    message_limit: usize,
}

async fn assistants(Caller { state, who }: Caller) -> Json<ListResponse<AssistantEntry>> {
    let entries = state
        .runtime()
        .assistants()
        .iter()
        .filter(|assistant| who.holds_any(&assistant.roles))
        .map(|assistant| AssistantEntry {
            name: assistant.name.to_string(),
            title: assistant.title.to_string(),
            description: assistant.description.to_string(),
            greeting: assistant.greeting.to_string(),
            suggestions: assistant
                .suggestions_for(&who)
                .into_iter()
                .map(str::to_owned)
                .collect(),
            phases: assistant
                .phases
                .iter()
                .map(|spec| spec.phase.as_str().to_owned())
                .collect(),
            message_limit: assistant.limits.message.maximum(),
        })
        .collect();
    Json(ListResponse::complete(entries))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct ChoiceRequest {
    /// The message. Its beginning decides.
    #[schemars(length(min = 1))]
    content: String,
}

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct AssistantChoice {
    /// Null if the message names nothing that an assistant does.
    assistant: Option<String>,
}

async fn choose(
    Caller { state, who }: Caller,
    body: JsonBody<ChoiceRequest>,
) -> JsonResult<AssistantChoice> {
    let content = body.value.content;
    if untrusted::is_blank(&content) {
        return Err(ApiError::invalid("content", "must not be empty"));
    }
    let chosen = state.runtime().choose_assistant(&who, &content).await;
    Ok(Json(AssistantChoice {
        assistant: chosen.map(|assistant| assistant.name.to_string()),
    }))
}

/// The tools that this person may use in any phase.
async fn tools(
    Caller { state, who }: Caller,
    Ids(name): Ids<String>,
    Params(params): Params<ToolsParams>,
) -> ListResult<OfferedTool> {
    if state.runtime().installed().assistant(&name).is_none() {
        return Err(ApiError::not_found("Assistant"));
    }
    let assistant = state.runtime().assistant(&who, &name)?;
    let phase = match params.conversation_id {
        Some(id) => {
            let conversation = state.store().get(&who, id).await?;
            if conversation.assistant != assistant.name {
                return Err(ApiError::invalid(
                    "conversation_id",
                    format!("is a conversation with {}", conversation.assistant),
                ));
            }
            conversation.phase
        }
        None => assistant.first_phase(),
    };
    let for_this_person = assistant
        .toolbox
        .defs()
        .filter(|def| who.holds_any(&def.spec.roles));
    let tools = for_this_person
        .map(|def| OfferedTool {
            title: def.title(),
            usable: Toolbox::is_visible(def, &who, &phase),
            effect: def.spec.effect,
            r#type: "function",
            function: def.to_openai_format()["function"].take(),
            handles: handles(&def.parameters),
        })
        .collect();
    Ok(Json(ListResponse::complete(tools)))
}

/// The parameters passed by handle, with their kinds.
fn handles(parameters: &Value) -> BTreeMap<String, String> {
    let properties = parameters["properties"].as_object();
    let taken = properties
        .into_iter()
        .flatten()
        .filter_map(|(name, schema)| {
            let kind = schema.get(SCHEMA_KEYWORD)?.as_str()?;
            Some((name.clone(), kind.to_owned()))
        });
    taken.collect()
}
