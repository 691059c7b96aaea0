//! For the Operator: everyone's recent turns without a word of what was said, and what
//! evaluations came to.

use axum::Json;
use axum::extract::State;
use frontdesk_core::access::{Principal, Role};
use frontdesk_core::id::TurnId;
use frontdesk_core::outcome::TurnState;
use frontdesk_core::store::{
    OperatorName, OperatorQuery, OperatorStep, OperatorTurn, OperatorView, StepKind,
};
use frontdesk_core::tool::Effect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::eval::report::CaseReport;
use crate::eval::shelf::{Shelf, Shelved};
use crate::http::AppState;
use crate::http::caller::Caller;
use crate::http::error::ApiError;
use crate::http::input::{Ids, Params, checked_limit, limit_shape};
use crate::http::route::Route;
use crate::http::wire::ListResponse;

const DEFAULT_LIMIT: u32 = 50;
const MOST_NAMES: usize = 200;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct TurnParams {
    /// From the previous page.
    cursor: Option<String>,
    #[serde(default)]
    #[schemars(schema_with = "limit_shape")]
    limit: Option<String>,
    assistant: Option<String>,
    /// `awaiting_approval` for what waits for people.
    state: Option<TurnState>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::http) struct OperatorTurnResponse {
    turn: OperatorTurn,
    steps: Vec<PlacedStep>,
    /// What passed beside the steps: waiting for people, for the disk, for a lease.
    other_ms: Option<u64>,
}

/// A step, and when it began after everything before it.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::http) struct PlacedStep {
    #[serde(flatten)]
    step: OperatorStep,
    /// From the turn's beginning, by the durations of the steps before; calls of one round that
    /// only read began together.
    began_ms: u64,
}

/// Puts steps behind each other, and reads beside each other. Gives when the last one ended, too.
fn placed(steps: Vec<OperatorStep>, reads: impl Fn(&str) -> bool) -> (Vec<PlacedStep>, u64) {
    // Reads that go on since `together` end at `end` at the latest.
    let mut together: Option<u64> = None;
    let mut end = 0;
    let placed = steps
        .into_iter()
        .map(|step| {
            let beside = step.kind == StepKind::Tool && step.name.as_deref().is_some_and(&reads);
            let began_ms = match together {
                Some(began) if beside => began,
                Some(_) | None => end,
            };
            together = beside.then_some(began_ms);
            end = end.max(began_ms + step.duration_ms);
            PlacedStep { step, began_ms }
        })
        .collect();
    (placed, end)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct NameParams {
    /// Ids of people and companies with commas between them, 200 at most.
    ids: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::http) struct EvaluationResponse {
    evaluation: Shelved,
    cases: Vec<CaseReport>,
}

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "records";
    vec![
        Route::get("/turns", turns)
            .named("list_turns", SUBJECT, "Everyone's recent turns")
            .about("For the Operator; newest first. Who, when, how long, how much and how it ended, and not a word of what was said.")
            .query::<TurnParams>()
            .gives::<ListResponse<OperatorTurn>>(200, "A page of turns")
            .refuses(&[403]),
        Route::get("/turns/{turn}", turn)
            .named("get_watched_turn", SUBJECT, "The steps of a turn")
            .about("For the Operator: each model and tool with its duration, tokens and problem.")
            .gives::<OperatorTurnResponse>(200, "The turn and its steps")
            .refuses(&[403]),
        Route::get("/names", names)
            .named("list_names", SUBJECT, "What people and companies are called")
            .about("For the Operator, whom turns, usage and audit tell ids alone. Ids that name nobody are left out.")
            .query::<NameParams>()
            .gives::<Vec<OperatorName>>(200, "The names")
            .refuses(&[403]),
        Route::get("/evaluations", evaluations)
            .named("list_evaluations", SUBJECT, "What evaluations came to")
            .about("For the Operator: the reports of `frontdesk eval` in this server's data folder, newest first.")
            .gives::<Vec<Shelved>>(200, "The newest evaluations")
            .refuses(&[403]),
        Route::get("/evaluations/{name}", evaluation)
            .named("get_evaluation", SUBJECT, "An evaluation with its transcripts")
            .gives::<EvaluationResponse>(200, "The evaluation")
            .refuses(&[403]),
    ]
}

/// Everyone's recent turns.
pub(in crate::http) async fn turns(
    State(state): State<AppState>,
    Caller(who): Caller,
    Params(params): Params<TurnParams>,
) -> Result<Json<ListResponse<OperatorTurn>>, ApiError> {
    let query = OperatorQuery {
        cursor: params.cursor,
        limit: checked_limit(params.limit.as_deref(), DEFAULT_LIMIT)?,
        assistant: params.assistant,
        state: params.state,
    };
    let page = state.app.runtime.store().watched_turns(&who, query).await?;
    Ok(Json(ListResponse::of(page)))
}

/// One of them, step by step.
pub(in crate::http) async fn turn(
    State(state): State<AppState>,
    Caller(who): Caller,
    Ids(turn): Ids<TurnId>,
) -> Result<Json<OperatorTurnResponse>, ApiError> {
    let (turn, steps) = state.app.runtime.store().watched_turn(&who, turn).await?;
    let mut assistants = state.app.runtime.assistants();
    let assistant = assistants.find(|assistant| assistant.name == turn.assistant);
    let (steps, end) = placed(steps, |tool| {
        let def = assistant.and_then(|assistant| assistant.toolbox.get(tool));
        def.is_some_and(|def| def.spec.effect == Effect::Read)
    });
    let other_ms = turn.duration_ms.map(|whole| whole.saturating_sub(end));
    Ok(Json(OperatorTurnResponse {
        turn,
        steps,
        other_ms,
    }))
}

/// Names for ids.
pub(in crate::http) async fn names(
    State(state): State<AppState>,
    Caller(who): Caller,
    Params(params): Params<NameParams>,
) -> Result<Json<Vec<OperatorName>>, ApiError> {
    watches(&who)?;
    let ids: Result<Vec<Uuid>, _> = params.ids.split(',').map(str::parse).collect();
    let ids = ids.map_err(|_| ApiError::invalid("ids", "must be ids with commas between them"))?;
    if ids.len() > MOST_NAMES {
        let most = format!("must be {MOST_NAMES} at most");
        return Err(ApiError::invalid("ids", most));
    }
    let names = state.app.runtime.store().watched_names(&who, ids).await?;
    Ok(Json(names))
}

/// Reports without their cases.
pub(in crate::http) async fn evaluations(
    State(state): State<AppState>,
    Caller(who): Caller,
) -> Result<Json<Vec<Shelved>>, ApiError> {
    watches(&who)?;
    let shelf = Shelf::of(&state.app.config.data_dir);
    let found = tokio::task::spawn_blocking(move || shelf.list()).await;
    Ok(Json(found.unwrap_or_default()))
}

/// One report.
pub(in crate::http) async fn evaluation(
    State(state): State<AppState>,
    Caller(who): Caller,
    Ids(name): Ids<String>,
) -> Result<Json<EvaluationResponse>, ApiError> {
    watches(&who)?;
    let shelf = Shelf::of(&state.app.config.data_dir);
    let found = tokio::task::spawn_blocking(move || shelf.get(&name)).await;
    let report = found.ok().flatten();
    let report = report.ok_or_else(|| ApiError::not_found("Evaluation"))?;
    Ok(Json(EvaluationResponse {
        evaluation: Shelved {
            id: report.id,
            suite: report.suite,
            model: report.model,
            at: report.at,
            summary: report.summary,
        },
        cases: report.cases,
    }))
}

fn watches(who: &Principal) -> Result<(), ApiError> {
    match who.roles().contains(&Role::OPERATOR) {
        true => Ok(()),
        false => Err(ApiError::forbidden("Only operators watch over the server")),
    }
}
