//! `/api/trpc`: procedures of assistants for tRPC v11 clients. Queries by GET, mutations by POST,
//! single or batched; subscriptions by GET. Authentication and turns are those of the REST API.

mod answer;
mod request;
mod subscription;
mod transformer;

use std::panic::AssertUnwindSafe;

use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequestParts, Path, Query, Request, State};
use axum::http::Method;
use axum::response::Response;
use frontdesk_bundle::{
    Procedure, ProcedureCall, ProcedureCode, ProcedureError, ProcedureKind, ProcedureOutput,
};
use frontdesk_core::access::Principal;
use futures_util::FutureExt;
use futures_util::future::join_all;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::AppState;
use super::caller::Caller;
use super::route::{Content, Route};
use answer::{CallAnswer, Outcome};
use request::TrpcRequest;
use transformer::Spelling;

const MOST_CALLS: usize = 20;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Params {
    /// The input of a query as JSON; for a batch, an object of inputs by index.
    input: Option<String>,
    /// `1` if `path` names several procedures, separated by commas.
    batch: Option<String>,
    /// The `id` of the last event of a subscription that the client received.
    #[serde(rename = "lastEventId")]
    last_event_id: Option<String>,
}

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "procedures";
    const PATH: &str = "The name of a procedure, or several separated by commas.";
    const ABOUT: &str = "The protocol of tRPC v11. `path` is the name of a procedure, or several separated by commas \
        with `batch=1`; then the response is a list, with status 207 if the single statuses differ. \
        Authenticate with `Authorization`; each procedure states its permissions. superjson is supported.";
    let with_responses = |route: Route| {
        let route = route.about(ABOUT).query::<Params>();
        let route = route
            .gives_content(200, "The results", Content::Json(answer::results))
            .gives_content(
                207,
                "Some calls of the batch failed",
                Content::Json(answer::results),
            );
        answer::REFUSALS
            .iter()
            .fold(route, |route, &(status, about)| {
                route.gives_content(status, about, Content::Json(answer::refusals))
            })
    };
    vec![
        with_responses(
            Route::get("/api/trpc/{path}", door)
                .named("trpc_query", SUBJECT, "Call a query procedure")
                .public()
                .path_name("path", PATH),
        ),
        with_responses(
            Route::post("/api/trpc/{path}", door)
                .named("trpc_mutation", SUBJECT, "Call a mutation procedure")
                .public()
                .path_name("path", PATH)
                .takes_shape(answer::input),
        ),
    ]
}

struct Call<'a> {
    name: &'a str,
    procedure: Result<&'a Procedure, ProcedureError>,
    /// The problem of an input that is not JSON.
    unreadable: Option<ProcedureError>,
    call: ProcedureCall,
    spelling: Spelling,
}

async fn door(
    State(state): State<AppState>,
    path: Result<Path<String>, PathRejection>,
    query: Result<Query<Params>, QueryRejection>,
    request: Request,
) -> Response {
    let (Ok(Path(path)), Ok(Query(params))) = (path, query) else {
        let problem = "The address is malformed";
        return answer::whole(&ProcedureError::new(ProcedureCode::BadRequest, problem));
    };
    let batch = params.batch.as_deref() == Some("1");
    let names: Vec<&str> = match batch {
        true => path.split(',').collect(),
        false => vec![&path],
    };
    if names.len() > MOST_CALLS {
        let problem = format!("At most {MOST_CALLS} calls per request are allowed");
        return answer::whole(&ProcedureError::new(ProcedureCode::BadRequest, problem));
    }
    let method = request.method().clone();
    let (mut parts, body) = request.into_parts();
    let asked = match TrpcRequest::read(
        &parts,
        params.input,
        params.last_event_id,
        body,
        state.app.config.limits.timeouts.body,
        batch,
    )
    .await
    {
        Ok(asked) => asked,
        Err(error) => return answer::whole(&error),
    };
    let calls: Vec<Call<'_>> = names
        .iter()
        .enumerate()
        .map(|(place, name)| {
            let input = asked.input(place);
            let (unreadable, (input, spelling)) = match input {
                Ok(input) => (None, input),
                Err(error) => (Some(error), (Value::Null, Spelling::Plain)),
            };
            Call {
                name,
                procedure: find(&state, &method, name, batch),
                unreadable,
                call: asked.call(input),
                spelling,
            }
        })
        .collect();
    if let Some(error) = mixed_kinds(&state, &names) {
        return answer::whole(&error);
    }
    let readable = calls.iter().any(|call| call.checked().is_ok());
    let who = match readable {
        true => Caller::from_request_parts(&mut parts, &state).await,
        // No call is valid, so no identity is needed.
        false => Err(super::ApiError::unauthorized("Sign in to do this")),
    };
    let who = who
        .map(|Caller { who, .. }| who)
        .map_err(ProcedureError::from);
    if let ([call], false) = (calls.as_slice(), batch)
        && is_subscription(&state, call.name)
    {
        return subscription::respond(&state, call, &who).await;
    }
    let answers = join_all(calls.into_iter().map(|call| call.answered(&who))).await;
    match asked.json_lines {
        true => answer::json_lines(answers),
        false => answer::respond(answers, batch),
    }
}

/// A request may hold queries or mutations, not both.
fn mixed_kinds(state: &AppState, names: &[&str]) -> Option<ProcedureError> {
    let known = names
        .iter()
        .filter_map(|name| state.app.procedures.get(*name));
    let mut kinds: Vec<&str> = known.map(|procedure| kind_name(procedure.kind)).collect();
    kinds.dedup();
    let mixed = kinds.iter().any(|kind| *kind != kinds[0]);
    mixed.then(|| {
        let problem = format!(
            "Cannot mix procedure types in call: {}",
            kinds[..2].join(", ")
        );
        ProcedureError::new(ProcedureCode::BadRequest, problem)
    })
}

fn is_subscription(state: &AppState, name: &str) -> bool {
    let procedure = state.app.procedures.get(name);
    procedure.is_some_and(|procedure| procedure.kind == ProcedureKind::Subscription)
}

fn kind_name(kind: ProcedureKind) -> &'static str {
    match kind {
        ProcedureKind::Query => "query",
        ProcedureKind::Mutation => "mutation",
        ProcedureKind::Subscription => "subscription",
    }
}

fn find<'a>(
    state: &'a AppState,
    method: &Method,
    name: &str,
    batch: bool,
) -> Result<&'a Procedure, ProcedureError> {
    let Some(procedure) = state.app.procedures.get(name) else {
        let problem = format!("No procedure found on path \"{name}\"");
        return Err(ProcedureError::new(ProcedureCode::NotFound, problem));
    };
    let kind = kind_name(procedure.kind);
    let right = match procedure.kind {
        ProcedureKind::Query | ProcedureKind::Subscription => Method::GET,
        ProcedureKind::Mutation => Method::POST,
    };
    if batch && procedure.kind == ProcedureKind::Subscription {
        let problem = "Cannot batch subscription calls";
        return Err(ProcedureError::new(ProcedureCode::BadRequest, problem));
    }
    if *method == right || (right == Method::GET && *method == Method::HEAD) {
        return Ok(procedure);
    }
    let problem = format!("Unsupported {method}-request to {kind} procedure at path \"{name}\"");
    Err(ProcedureError::new(
        ProcedureCode::MethodNotSupported,
        problem,
    ))
}

impl Call<'_> {
    /// The procedure, if it exists and its input is valid.
    fn checked(&self) -> Result<&Procedure, ProcedureError> {
        let procedure = self.procedure.clone()?;
        if let Some(error) = &self.unreadable {
            return Err(error.clone());
        }
        procedure.run.check(&self.call)?;
        Ok(procedure)
    }

    async fn answered(self, who: &Result<Principal, ProcedureError>) -> CallAnswer {
        let outcome = match self.done(who).await {
            Ok(ProcedureOutput::Value(data)) => Outcome::Data(data),
            Ok(ProcedureOutput::Stream(_)) => Outcome::Error(self.broken("streams its result")),
            Err(error) => Outcome::Error(error),
        };
        CallAnswer {
            path: self.name.to_owned(),
            spelling: self.spelling,
            dates: self.procedure.as_ref().map_or(&[], |known| known.dates),
            outcome,
        }
    }

    async fn done(
        &self,
        who: &Result<Principal, ProcedureError>,
    ) -> Result<ProcedureOutput, ProcedureError> {
        let procedure = self.checked()?;
        let who = who.as_ref().map_err(|refused| {
            let own = procedure.run.words(refused.code, &self.call);
            ProcedureError {
                message: own.unwrap_or_else(|| refused.message.clone()),
                ..refused.clone()
            }
        })?;
        let run = AssertUnwindSafe(procedure.run.run(who, self.call.clone())).catch_unwind();
        run.await.unwrap_or_else(|_| Err(self.broken("panicked")))
    }

    /// An error of our own, logged with what the procedure did.
    fn broken(&self, did: &str) -> ProcedureError {
        tracing::error!(procedure = self.name, "a procedure {did}");
        ProcedureError::new(
            ProcedureCode::InternalServerError,
            "Something went wrong on our side",
        )
    }
}
