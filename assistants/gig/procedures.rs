//! The chat for clients that speak tRPC: the design's three procedures over the same functions as the
//! routes.

use std::sync::Arc;

use async_trait::async_trait;
use axum::http::header::ACCEPT_LANGUAGE;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use frontdesk_core::access::Principal;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::chat::{Chat, Failure, checked_gig, checked_limit, checked_message};
use super::domain::language::Language;
use super::routes;
use frontdesk_bundle::{
    Procedure, ProcedureCall, ProcedureCode, ProcedureError, ProcedureKind, RunProcedure,
};

pub(super) fn procedures(chat: &Arc<Chat>) -> Vec<Procedure> {
    let one = |name, kind, does| Procedure {
        name,
        kind,
        dates: &["createdAt"],
        run: Arc::new(Call {
            chat: Arc::clone(chat),
            does,
        }),
    };
    vec![
        one(
            "gig.aiChat.sendMessage",
            ProcedureKind::Mutation,
            Action::Send,
        ),
        one(
            "gig.aiChat.getHistory",
            ProcedureKind::Query,
            Action::History,
        ),
        one(
            "gig.aiChat.clearHistory",
            ProcedureKind::Mutation,
            Action::Clear,
        ),
    ]
}

#[derive(Clone, Copy)]
enum Action {
    Send,
    History,
    Clear,
}

struct Call {
    chat: Arc<Chat>,
    does: Action,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Input {
    gig_id: String,
    message: Option<String>,
    limit: Option<i64>,
}

impl Call {
    fn read(&self, call: &ProcedureCall) -> Result<(Uuid, Input), Failure> {
        let input: Input =
            serde_json::from_value(call.input.clone()).map_err(|_| Failure::BadBody)?;
        match self.does {
            Action::Send => checked_message(input.message.as_deref().ok_or(Failure::BadBody)?)?,
            Action::History => {
                checked_limit(input.limit)?;
            }
            Action::Clear => {}
        }
        Ok((checked_gig(&input.gig_id)?, input))
    }

    async fn carry_out(&self, who: &Principal, call: &ProcedureCall) -> Result<Value, Failure> {
        let (gig, input) = self.read(call)?;
        match self.does {
            Action::Send => {
                let message = input.message.unwrap_or_default();
                let key = call.key.as_deref();
                let key = key.map(|key| routes::key(key, gig, &message)).transpose()?;
                Ok(json!(self.chat.send(who, gig, message, key).await?))
            }
            Action::History => {
                let limit = checked_limit(input.limit)?;
                let found = self.chat.history(who, gig, limit).await?;
                Ok(json!({ "messages": found.messages, "hasMore": found.has_more }))
            }
            Action::Clear => {
                self.chat.clear(who, gig).await?;
                Ok(json!({ "success": true }))
            }
        }
    }
}

#[async_trait]
impl RunProcedure for Call {
    fn check(&self, call: &ProcedureCall) -> Result<(), ProcedureError> {
        self.read(call)
            .map(drop)
            .map_err(|failure| told(&failure, language(call)))
    }

    async fn run(&self, who: &Principal, call: ProcedureCall) -> Result<Value, ProcedureError> {
        self.carry_out(who, &call)
            .await
            .map_err(|failure| told(&failure, language(&call)))
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
    let mut headers = HeaderMap::new();
    let language = call.language.as_deref().unwrap_or_default();
    if let Ok(language) = HeaderValue::from_str(language) {
        headers.insert(ACCEPT_LANGUAGE, language);
    }
    routes::language(&headers)
}

fn told(failure: &Failure, language: Language) -> ProcedureError {
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
