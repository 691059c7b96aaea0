//! For Operators: everyone's recent turns without their content, and evaluation reports.

use frontdesk_core::access::{Principal, Role};
use frontdesk_core::id::TurnId;
use frontdesk_core::outcome::TurnState;
use frontdesk_core::store::{OperatorName, OperatorQuery, OperatorStep, OperatorTurn, StepKind};
use frontdesk_core::tool::Effect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    ApiError, Caller, Ids, Json, JsonResult, ListResponse, ListResult, Params, Route,
    checked_limit, limit_shape,
};
use crate::eval::report::CaseReport;
use crate::eval::report_store::{EvaluationEntry, ReportStore};

const DEFAULT_LIMIT: u32 = 50;
const MOST_NAMES: usize = 200;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct TurnParams {
    /// Cursor of the previous page.
    cursor: Option<String>,
    #[serde(default)]
    #[schemars(schema_with = "limit_shape")]
    limit: Option<String>,
    assistant: Option<String>,
    /// For example `awaiting_approval` for turns that wait for people.
    state: Option<TurnState>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::http) struct OperatorTurnResponse {
    turn: OperatorTurn,
    steps: Vec<PlacedStep>,
    /// Time outside the steps in milliseconds: waiting for people, the disk or a lease.
    other_ms: Option<u64>,
}

/// A step with its start time.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::http) struct PlacedStep {
    #[serde(flatten)]
    step: OperatorStep,
    /// Start in milliseconds after the turn's, computed from the durations of earlier steps.
    /// Read-only calls of one round start together.
    began_ms: u64,
}

/// Places steps in sequence and reads in parallel. Also returns the end of the last step.
fn placed(steps: Vec<OperatorStep>, reads: impl Fn(&str) -> bool) -> (Vec<PlacedStep>, u64) {
    // Start of the current group of parallel reads.
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
    /// Comma-separated ids of people and companies, at most 200.
    ids: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::http) struct EvaluationResponse {
    evaluation: EvaluationEntry,
    cases: Vec<CaseReport>,
}

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "records";
    vec![
        Route::get("/turns", turns)
            .named("list_turns", SUBJECT, "List everyone's recent turns")
            .about("For Operators. Newest first. Person, time, duration, tokens and outcome, without any content.")
            .query::<TurnParams>()
            .gives::<ListResponse<OperatorTurn>>(200, "A page of turns")
            .refuses(&[403]),
        Route::get("/turns/{turn}", turn)
            .named("get_watched_turn", SUBJECT, "Get the steps of a turn")
            .about("For Operators. Each model request and tool call with its duration, tokens and error.")
            .gives::<OperatorTurnResponse>(200, "The turn and its steps")
            .refuses(&[403]),
        Route::get("/names", names)
            .named("list_names", SUBJECT, "Get the names of people and companies")
            .about("For Operators, because turns, usage and the audit log contain only ids. Unknown ids are omitted.")
            .query::<NameParams>()
            .gives::<ListResponse<OperatorName>>(200, "The names")
            .refuses(&[403]),
        Route::get("/evaluations", evaluations)
            .named("list_evaluations", SUBJECT, "List evaluation reports")
            .about("For Operators. Reports of `frontdesk eval` in this server's data folder, newest first.")
            .gives::<ListResponse<EvaluationEntry>>(200, "The newest evaluations")
            .refuses(&[403]),
        Route::get("/evaluations/{name}", evaluation)
            .named("get_evaluation", SUBJECT, "Get an evaluation report with its transcripts")
            .gives::<EvaluationResponse>(200, "The evaluation")
            .refuses(&[403]),
    ]
}

async fn turns(
    Caller { state, who }: Caller,
    Params(params): Params<TurnParams>,
) -> ListResult<OperatorTurn> {
    watches(&who)?;
    let query = OperatorQuery {
        cursor: params.cursor,
        limit: checked_limit(params.limit.as_deref(), DEFAULT_LIMIT)?,
        assistant: params.assistant,
        state: params.state,
    };
    let page = state.store().watched_turns(&who, query).await?;
    Ok(Json(ListResponse::of(page)))
}

async fn turn(
    Caller { state, who }: Caller,
    Ids(turn): Ids<TurnId>,
) -> JsonResult<OperatorTurnResponse> {
    watches(&who)?;
    let (turn, steps) = state.store().watched_turn(&who, turn).await?;
    let installed = state.runtime().installed();
    let assistant = installed.assistant(&turn.assistant);
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

async fn names(
    Caller { state, who }: Caller,
    Params(params): Params<NameParams>,
) -> ListResult<OperatorName> {
    watches(&who)?;
    let ids: Result<Vec<Uuid>, _> = params.ids.split(',').map(str::parse).collect();
    let ids = ids.map_err(|_| ApiError::invalid("ids", "must be ids separated by commas"))?;
    if ids.len() > MOST_NAMES {
        let most = format!("must be at most {MOST_NAMES} ids");
        return Err(ApiError::invalid("ids", most));
    }
    let names = state.store().watched_names(&who, ids).await?;
    Ok(Json(ListResponse::complete(names)))
}

async fn evaluations(Caller { state, who }: Caller) -> ListResult<EvaluationEntry> {
    watches(&who)?;
    let reports = ReportStore::of(&state.app.config.data_dir);
    let found = tokio::task::spawn_blocking(move || reports.list()).await;
    Ok(Json(ListResponse::complete(found.unwrap_or_default())))
}

async fn evaluation(
    Caller { state, who }: Caller,
    Ids(name): Ids<String>,
) -> JsonResult<EvaluationResponse> {
    watches(&who)?;
    let reports = ReportStore::of(&state.app.config.data_dir);
    let found = tokio::task::spawn_blocking(move || reports.get(&name)).await;
    let report = found.ok().flatten();
    let report = report.ok_or_else(|| ApiError::not_found("Evaluation"))?;
    Ok(Json(EvaluationResponse {
        evaluation: EvaluationEntry {
            id: report.id,
            suite: report.suite,
            model: report.model,
            at: report.at,
            summary: report.summary,
        },
        cases: report.cases,
    }))
}

pub(super) fn watches(who: &Principal) -> Result<(), ApiError> {
    match who.roles().contains(&Role::OPERATOR) {
        true => Ok(()),
        false => Err(ApiError::forbidden("Only operators can see this")),
    }
}
