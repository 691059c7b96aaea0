//! The chat for tRPC clients: the design's three procedures and `decide`, over the same functions as the
//! routes.

use std::sync::Arc;

use async_trait::async_trait;
use axum::http::StatusCode;
use frontdesk_core::access::Principal;
use frontdesk_core::approval::Decision;
use frontdesk_core::conversation_api::ApprovalRef;
use frontdesk_core::id::TurnId;
use serde_json::{Value, json};
use uuid::Uuid;

use super::chat::{Chat, Failure, checked_gig, checked_limit, checked_message};
use super::domain::language::Language;
use super::routes;
use frontdesk_bundle::{
    Procedure, ProcedureCall, ProcedureCode, ProcedureError, ProcedureKind, RunProcedure,
};

pub(super) fn procedures(chat: &Arc<Chat>) -> Vec<Procedure> {
    let one = |name, kind, action| Procedure {
        name,
        kind,
        dates: &["createdAt"],
        run: Arc::new(Call {
            chat: Arc::clone(chat),
            action,
        }),
    };
    let (query, mutation) = (ProcedureKind::Query, ProcedureKind::Mutation);
    vec![
        one("gig.aiChat.sendMessage", mutation, Action::Send),
        one("gig.aiChat.getHistory", query, Action::History),
        one("gig.aiChat.clearHistory", mutation, Action::Clear),
        one("gig.aiChat.decide", mutation, Action::Decide),
    ]
}

#[derive(Clone, Copy)]
enum Action {
    Send,
    History,
    Clear,
    Decide,
}

struct Call {
    chat: Arc<Chat>,
    action: Action,
}

/// A checked input.
enum Input {
    Send {
        gig: Uuid,
        message: String,
    },
    History {
        gig: Uuid,
        limit: u32,
    },
    Clear {
        gig: Uuid,
    },
    Decide {
        gig: Uuid,
        turn: TurnId,
        call: String,
        decision: Decision,
    },
}

impl Call {
    /// Checks the input as the design's zod schemas do.
    fn read(&self, call: &ProcedureCall) -> Result<Input, Failure> {
        let fields = call.input.as_object().ok_or(Failure::BadBody)?;
        let text = |name: &str| fields.get(name).and_then(Value::as_str);
        let gig = checked_gig(text("gigId").unwrap_or_default())?;
        Ok(match self.action {
            Action::Send => {
                let message = text("message").ok_or(Failure::BadBody)?;
                checked_message(message)?;
                let message = message.to_owned();
                Input::Send { gig, message }
            }
            Action::History => {
                let limit = match fields.get("limit") {
                    None => None,
                    // `null` is not a number to zod; 5.0 is.
                    Some(limit) => Some(whole(limit).ok_or(Failure::BadLimit)?),
                };
                let limit = checked_limit(limit)?;
                Input::History { gig, limit }
            }
            Action::Clear => Input::Clear { gig },
            Action::Decide => Input::Decide {
                gig,
                turn: TurnId::from_uuid(checked_gig(text("turnId").unwrap_or_default())?),
                call: text("callId").ok_or(Failure::BadDecision)?.to_owned(),
                decision: match text("decision") {
                    Some("approve") => Decision::Approved,
                    Some("decline") => Decision::Rejected,
                    Some(_) | None => return Err(Failure::BadDecision),
                },
            },
        })
    }

    async fn carry_out(&self, who: &Principal, call: &ProcedureCall) -> Result<Value, Failure> {
        match self.read(call)? {
            Input::Send { gig, message } => {
                let key = call.key.as_deref();
                let key = key.map(|key| routes::key(key, gig, &message)).transpose()?;
                Ok(json!(self.chat.send(who, gig, message, key).await?))
            }
            Input::History { gig, limit } => {
                let found = self.chat.history(who, gig, limit).await?;
                Ok(json!({ "messages": found.messages, "hasMore": found.has_more }))
            }
            Input::Clear { gig } => {
                self.chat.clear(who, gig).await?;
                Ok(json!({ "success": true }))
            }
            Input::Decide {
                gig,
                turn,
                call,
                decision,
            } => {
                let approval = ApprovalRef {
                    turn,
                    call_id: &call,
                };
                Ok(json!(self.chat.decide(who, gig, approval, decision).await?))
            }
        }
    }
}

fn whole(number: &Value) -> Option<i64> {
    let float = || number.as_f64().filter(|number| number.fract() == 0.0);
    number
        .as_i64()
        .or_else(|| float().map(|number| number as i64))
}

#[async_trait]
impl RunProcedure for Call {
    fn check(&self, call: &ProcedureCall) -> Result<(), ProcedureError> {
        self.read(call)
            .map(drop)
            .map_err(|failure| error(&failure, language(call)))
    }

    async fn run(&self, who: &Principal, call: ProcedureCall) -> Result<Value, ProcedureError> {
        self.carry_out(who, &call)
            .await
            .map_err(|failure| error(&failure, language(&call)))
    }

    fn words(&self, code: ProcedureCode, call: &ProcedureCall) -> Option<String> {
        let words = match code {
            ProcedureCode::Unauthorized => {
                let words = language(call).pick("Необходима авторизация", "Please sign in");
                words.to_owned()
            }
            ProcedureCode::InternalServerError | ProcedureCode::ServiceUnavailable => {
                Failure::Broken.words(language(call))
            }
            ProcedureCode::TooManyRequests => {
                Failure::RateLimited(std::time::Duration::ZERO).words(language(call))
            }
            ProcedureCode::ParseError
            | ProcedureCode::BadRequest
            | ProcedureCode::Forbidden
            | ProcedureCode::NotFound
            | ProcedureCode::MethodNotSupported
            | ProcedureCode::Timeout
            | ProcedureCode::Conflict
            | ProcedureCode::PreconditionFailed
            | ProcedureCode::PayloadTooLarge
            | ProcedureCode::UnsupportedMediaType
            | ProcedureCode::UnprocessableContent => return None,
        };
        Some(words)
    }
}

fn language(call: &ProcedureCall) -> Language {
    Language::preferred(call.language.as_deref().unwrap_or_default())
}

fn error(failure: &Failure, language: Language) -> ProcedureError {
    let code = match failure.status() {
        StatusCode::BAD_REQUEST => ProcedureCode::BadRequest,
        StatusCode::FORBIDDEN => ProcedureCode::Forbidden,
        StatusCode::NOT_FOUND => ProcedureCode::NotFound,
        StatusCode::TOO_MANY_REQUESTS => ProcedureCode::TooManyRequests,
        StatusCode::CONFLICT => ProcedureCode::Conflict,
        StatusCode::REQUEST_TIMEOUT => ProcedureCode::Timeout,
        _ => ProcedureCode::InternalServerError,
    };
    ProcedureError {
        code,
        message: failure.words(language),
        retry_after: failure.retry_after(),
    }
}
