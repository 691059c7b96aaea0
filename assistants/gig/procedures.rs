//! The chat for tRPC clients, over the same functions as the routes: the design's three procedures, `decide`, and
//! `startMessage` with the subscription `onAnswer`, which streams the answer.

use std::sync::Arc;

use async_trait::async_trait;
use axum::http::StatusCode;
use frontdesk_core::access::Principal;
use frontdesk_core::approval::Decision;
use frontdesk_core::conversation_api::ApprovalRef;
use frontdesk_core::id::TurnId;
use futures_util::stream::StreamExt;
use serde_json::{Value, json};
use uuid::Uuid;

use super::chat::{Chat, Failure, checked_gig, checked_limit, checked_message};
use super::domain::language::Language;
use super::routes;
use frontdesk_bundle::{
    Procedure, ProcedureCall, ProcedureCode, ProcedureError, ProcedureKind, ProcedureOutput,
    RunProcedure, Tracked,
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
        one("gig.aiChat.startMessage", mutation, Action::Start),
        one(
            "gig.aiChat.onAnswer",
            ProcedureKind::Subscription,
            Action::Watch,
        ),
    ]
}

#[derive(Clone, Copy)]
enum Action {
    Send,
    History,
    Clear,
    Decide,
    Start,
    Watch,
}

struct Call {
    chat: Arc<Chat>,
    action: Action,
}

/// A checked input without the gig.
enum Input {
    Send(String),
    Start(String),
    History(u32),
    Clear,
    Decide(TurnId, String, Decision),
    /// After a position.
    Watch(TurnId, u64),
}

impl Call {
    /// Checks the input as the design's zod schemas do.
    fn read(&self, call: &ProcedureCall) -> Result<(Uuid, Input), Failure> {
        let fields = call.input.as_object().ok_or(Failure::BAD_BODY)?;
        let text = |name: &str| fields.get(name).and_then(Value::as_str);
        let gig = checked_gig(text("gigId").unwrap_or_default())?;
        let message = || -> Result<String, Failure> {
            let message = text("message").ok_or(Failure::BAD_BODY)?;
            checked_message(message)?;
            Ok(message.to_owned())
        };
        let turn = || {
            let turn = checked_gig(text("turnId").unwrap_or_default());
            turn.map(TurnId::from_uuid).map_err(|_| Failure::BAD_TURN)
        };
        let input = match self.action {
            Action::Send => Input::Send(message()?),
            Action::Start => Input::Start(message()?),
            Action::History => {
                // `null` is not a number to zod; 5.0 is.
                let limit = fields.get("limit");
                let limit = limit.map(|limit| whole(limit).ok_or(Failure::BAD_LIMIT));
                Input::History(checked_limit(limit.transpose()?)?)
            }
            Action::Clear => Input::Clear,
            Action::Decide => {
                let decision = match text("decision") {
                    Some("approve") => Decision::Approved,
                    Some("decline") => Decision::Rejected,
                    Some(_) | None => return Err(Failure::BAD_DECISION),
                };
                let call = text("callId").ok_or(Failure::BAD_DECISION)?;
                Input::Decide(turn()?, call.to_owned(), decision)
            }
            Action::Watch => {
                let position = |id: &Value| id.as_str()?.parse().ok();
                let after = fields.get("lastEventId");
                let after = after.map(|id| position(id).ok_or(Failure::BAD_TURN));
                Input::Watch(turn()?, after.transpose()?.unwrap_or(0))
            }
        };
        Ok((gig, input))
    }

    async fn carry_out(
        &self,
        who: &Principal,
        call: &ProcedureCall,
    ) -> Result<ProcedureOutput, Failure> {
        let (gig, input) = self.read(call)?;
        let key = |message: &str| {
            let key = call.key.as_deref();
            key.map(|key| routes::message_key(key, gig, message))
                .transpose()
        };
        let value = match input {
            Input::Send(message) => {
                let key = key(&message)?;
                json!(self.chat.send(who, gig, message, key).await?)
            }
            Input::Start(message) => {
                let key = key(&message)?;
                json!(self.chat.start_message(who, gig, message, key).await?)
            }
            Input::History(limit) => {
                let found = self.chat.history(who, gig, limit).await?;
                json!({ "messages": found.messages, "hasMore": found.has_more })
            }
            Input::Clear => {
                self.chat.clear(who, gig).await?;
                json!({ "success": true })
            }
            Input::Decide(turn, call, decision) => {
                let call_id = &call;
                let approval = ApprovalRef { turn, call_id };
                json!(self.chat.decide(who, gig, approval, decision).await?)
            }
            Input::Watch(turn, after) => return self.watch(who, call, gig, turn, after).await,
        };
        Ok(ProcedureOutput::Value(value))
    }

    async fn watch(
        &self,
        who: &Principal,
        call: &ProcedureCall,
        gig: Uuid,
        turn: TurnId,
        after: u64,
    ) -> Result<ProcedureOutput, Failure> {
        let language = language(call);
        let chat = &self.chat;
        let events = chat.watch_answer(who, gig, turn, after, language).await?;
        let tracked = events.map(move |item| match item {
            Ok((position, event)) => Ok(Tracked {
                id: position.to_string(),
                data: json!(event),
            }),
            Err(failure) => Err(error(&failure, language)),
        });
        Ok(ProcedureOutput::Stream(tracked.boxed()))
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

    async fn run(
        &self,
        who: &Principal,
        call: ProcedureCall,
    ) -> Result<ProcedureOutput, ProcedureError> {
        self.carry_out(who, &call)
            .await
            .map_err(|failure| error(&failure, language(&call)))
    }

    fn words(&self, code: ProcedureCode, call: &ProcedureCall) -> Option<String> {
        let words = match code {
            ProcedureCode::Unauthorized => {
                let words = language(call).pick("Необходима авторизация", "Sign in to do this");
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
        StatusCode::UNPROCESSABLE_ENTITY => ProcedureCode::UnprocessableContent,
        StatusCode::REQUEST_TIMEOUT => ProcedureCode::Timeout,
        _ => ProcedureCode::InternalServerError,
    };
    ProcedureError {
        code,
        message: failure.words(language),
        retry_after: failure.retry_after(),
    }
}
