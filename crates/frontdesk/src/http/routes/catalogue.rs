//! What there is: assistants, tools, who I am, what was done.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use chrono::Duration;
use frontdesk_core::access::{Principal, Role};
use frontdesk_core::id::{ConversationId, ProfileId};
use frontdesk_core::store::{Audit, AuditQuery, AuditRow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::http::Shared;
use crate::http::body::JsonBody;
use crate::http::caller::Caller;
use crate::http::error::ApiError;
use crate::http::input::{Ids, Params, checked_limit, limit_shape};
use crate::http::route::Route;
use crate::http::wire::ListResponse;
use crate::identity::{self, NewToken};

const DEFAULT_LIMIT: u32 = 50;
const DEMO_HOURS: i64 = 12;

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
        Route::get("/me", me)
            .named("get_me", "people", "Who I am")
            .gives::<Me>(200, "The person who is signed in"),
        Route::get("/audit", audit)
            .named("list_audit", "records", "Every attempt to change the world")
            .about("For the Operator all of them, for everyone else their own; newest first.")
            .query::<AuditParams>()
            .gives::<ListResponse<AuditRow>>(200, "A page of records"),
        Route::get("/demo/personas", personas)
            .named("list_personas", "demo", "The demo people")
            .public()
            .gives::<Vec<PersonaEntry>>(200, "Those who can sign in")
            .refuses(&[404]),
        Route::post("/demo/sign-in", sign_in)
            .named("sign_in_persona", "demo", "Sign in as a demo person")
            .public()
            .takes::<SignIn>()
            .gives::<SignedIn>(201, "A token")
            .refuses(&[404]),
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

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct Me {
    id: ProfileId,
    name: String,
    email: Option<String>,
    roles: Vec<Role>,
    companies: Vec<frontdesk_core::access::Membership>,
}

impl From<Principal> for Me {
    fn from(who: Principal) -> Self {
        Self {
            id: who.profile(),
            name: who.name().to_owned(),
            email: who.email().map(str::to_owned),
            roles: who.roles().iter().cloned().collect(),
            companies: who.companies().to_vec(),
        }
    }
}

pub(in crate::http) async fn me(Caller(who): Caller) -> Json<Me> {
    Json(who.into())
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct AuditParams {
    /// From the previous page.
    cursor: Option<String>,
    #[serde(default)]
    #[schemars(schema_with = "limit_shape")]
    limit: Option<String>,
    conversation_id: Option<ConversationId>,
    tool: Option<String>,
}

pub(in crate::http) async fn audit(
    State(shared): State<Shared>,
    Caller(who): Caller,
    Params(params): Params<AuditParams>,
) -> Result<Json<ListResponse<AuditRow>>, ApiError> {
    let query = AuditQuery {
        cursor: params.cursor,
        limit: checked_limit(params.limit.as_deref(), DEFAULT_LIMIT)?,
        conversation: params.conversation_id,
        tool: params.tool,
    };
    let page = shared.desk.store().audit(&who, query).await?;
    Ok(Json(ListResponse::of(page)))
}

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct PersonaEntry {
    name: &'static str,
    display_name: &'static str,
    roles: Vec<Role>,
}

pub(in crate::http) async fn personas(
    State(shared): State<Shared>,
    headers: HeaderMap,
) -> Result<Json<Vec<PersonaEntry>>, ApiError> {
    check_demo(&shared, &headers)?;
    let entries = shared
        .personas
        .iter()
        .map(|persona| PersonaEntry {
            name: persona.name,
            display_name: persona.display_name,
            roles: persona.roles.clone(),
        })
        .collect();
    Ok(Json(entries))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct SignIn {
    persona: String,
}

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct SignedIn {
    token: String,
    me: Me,
}

/// A token for a demo person, on this machine only.
pub(in crate::http) async fn sign_in(
    State(shared): State<Shared>,
    headers: HeaderMap,
    body: JsonBody<SignIn>,
) -> Result<(StatusCode, Json<SignedIn>), ApiError> {
    check_demo(&shared, &headers)?;
    let persona = shared
        .personas
        .iter()
        .find(|persona| persona.name == body.value.persona)
        .ok_or_else(|| ApiError::invalid("persona", "there is no such demo person"))?;
    let world = shared.world.as_ref();
    let who = identity::sign_in_persona(shared.desk.store(), world, persona).await?;
    let token = shared.tokens.sign(&NewToken {
        subject: who.subject(),
        name: who.name().to_owned(),
        email: who.email().map(str::to_owned),
        roles: who.roles().iter().map(ToString::to_string).collect(),
        issued: world.now(),
        expires: world.now() + Duration::hours(DEMO_HOURS),
    })?;
    let signed_in = SignedIn {
        token,
        me: who.into(),
    };
    Ok((StatusCode::CREATED, Json(signed_in)))
}

/// Demo people exist only for a browser on this very machine, with nothing in between.
fn check_demo(shared: &Shared, headers: &HeaderMap) -> Result<(), ApiError> {
    let forwarded = [
        "forwarded",
        "x-forwarded-for",
        "x-forwarded-host",
        "x-real-ip",
    ]
    .iter()
    .any(|name| headers.contains_key(*name));
    if shared.personas_allowed && !forwarded {
        return Ok(());
    }
    Err(ApiError::not_found("Resource"))
}
