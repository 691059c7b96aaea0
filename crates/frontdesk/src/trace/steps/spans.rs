//! The spans of steps: names, times and attributes.

use std::time::Instant;

use chrono::{DateTime, SecondsFormat, Utc};
use frontdesk_core::event::Finished;
use frontdesk_core::grant::RefusalReason;
use frontdesk_core::model::{Finish, Usage};
use frontdesk_core::tool::ToolErrorKind;
use serde_json::json;

use super::super::span::{Kind, Span, SpanId, span_id, trace_id};
use super::{Attribute, ModelRequest, Steps, names};

impl Steps {
    pub(super) fn model_span(&self, asking: &ModelRequest, now: Instant) -> Span {
        let part = format!("model {}", self.asked);
        let name = format!("chat {}", asking.model);
        let mut span = self.span(&part, name, self.moment(asking.at), self.moment(now));
        span.kind = Kind::Client;
        span.text(names::OPERATION, "chat");
        span.text(names::PROVIDER, self.begun.provider);
        span.text(names::REQUEST_MODEL, &asking.model);
        span.text(names::LANGFUSE_MODEL, &asking.model);
        span.text(names::KIND, "LLM");
        span.text(names::LANGFUSE_TYPE, "generation");
        if let Some(first) = asking.first {
            let waited = (first - asking.at).as_secs_f64();
            span.put(names::FIRST_TOKEN, Attribute::Number(waited));
            let at = self.begun.now + (first - self.at);
            let at = at.to_rfc3339_opts(SecondsFormat::Micros, true);
            // Langfuse parses this attribute as JSON.
            span.text(names::LANGFUSE_FIRST_TOKEN, json!(at).to_string());
        }
        span
    }

    pub(super) fn tell_reply(
        &self,
        span: &mut Span,
        finish: &Finish,
        usage: Usage,
        model: Option<&str>,
    ) {
        let reason = match finish {
            Finish::Stop => "stop",
            Finish::ToolCalls => "tool_calls",
            Finish::Length => "length",
            Finish::ContentFilter => "content_filter",
            Finish::Other(other) => other.as_str(),
        };
        let reasons = vec![reason.to_owned()];
        span.put(names::FINISH_REASONS, Attribute::Texts(reasons));
        tell_usage(span, usage);
        if let Some(model) = model {
            span.text(names::RESPONSE_MODEL, model);
        }
    }

    pub(super) fn retrieval(
        &self,
        call: &Finished,
        (found, best): (u64, f64),
        times: (u64, u64),
        tool: SpanId,
    ) -> Span {
        let part = format!("retrieval {}", call.call_id);
        let mut span = self.span(&part, "retrieval".to_owned(), times.0, times.1);
        span.parent = Some(tool);
        span.text(names::OPERATION, "retrieval");
        span.text(names::KIND, "RETRIEVER");
        span.text(names::LANGFUSE_TYPE, "retriever");
        span.whole(names::DOCUMENTS, found);
        span.put(names::BEST_SCORE, Attribute::Number(best));
        span
    }

    /// A made-up tool name is model output, so it is treated as content.
    pub(super) fn tool_name<'f>(&self, finished: &'f Finished) -> &'f str {
        match finished.refused {
            Some(RefusalReason::UnknownTool) if !self.says_content() => "(unknown)",
            Some(_) | None => &finished.name,
        }
    }

    pub(super) fn tell_tool(&self, span: &mut Span, finished: &Finished) {
        span.text(names::OPERATION, "execute_tool");
        span.text(names::TOOL, self.tool_name(finished));
        span.text(names::TOOL_CALL, &finished.call_id);
        span.text(names::KIND, "TOOL");
        span.text(names::LANGFUSE_TYPE, "tool");
        if !finished.ok {
            fail(span, tool_result(finished));
        }
    }

    pub(super) fn span(&self, part: &str, name: String, start: u64, end: u64) -> Span {
        let turn = self.begun.turn;
        Span {
            trace: trace_id(turn),
            id: span_id(turn, part),
            parent: Some(span_id(turn, ROOT)),
            name,
            kind: Kind::Internal,
            start,
            end,
            attributes: self.begun.common.clone(),
            error: None,
        }
    }

    pub(super) fn moment(&self, at: Instant) -> u64 {
        let since = at.saturating_duration_since(self.at);
        nanos(self.begun.now).saturating_add(u64::try_from(since.as_nanos()).unwrap_or(u64::MAX))
    }
}

/// Part name of the turn's root span.
pub(super) const ROOT: &str = "turn";

pub(super) fn nanos(at: DateTime<Utc>) -> u64 {
    u64::try_from(at.timestamp_nanos_opt().unwrap_or_default()).unwrap_or_default()
}

pub(super) fn millis(millis: u64) -> u64 {
    millis.saturating_mul(1_000_000)
}

pub(super) fn fail(span: &mut Span, why: &str) {
    span.text(names::ERROR, why);
    span.text(names::LANGFUSE_LEVEL, "ERROR");
    span.text(names::LANGFUSE_STATUS, why);
    span.error = Some(why.to_owned());
}

pub(super) fn tell_usage(span: &mut Span, usage: Usage) {
    span.whole(names::INPUT_TOKENS, usage.input_tokens);
    span.whole(names::OUTPUT_TOKENS, usage.output_tokens);
    span.whole(names::CACHED_TOKENS, usage.cached_tokens);
    span.put(names::ESTIMATED, Attribute::Flag(usage.estimated));
    let fresh = usage.input_tokens.saturating_sub(usage.cached_tokens);
    let details = json!({
        "input": fresh,
        "input_cached_tokens": usage.cached_tokens,
        "output": usage.output_tokens,
    });
    span.text(names::LANGFUSE_USAGE, details.to_string());
}

pub(super) fn tool_result(finished: &Finished) -> &'static str {
    match (finished.ok, finished.refused, finished.error) {
        (true, _, _) => "ok",
        (false, Some(reason), _) => match reason {
            RefusalReason::UnknownTool => "unknown_tool",
            RefusalReason::Role => "role",
            RefusalReason::Phase => "phase",
            RefusalReason::Needs => "needs",
            RefusalReason::InvalidArguments => "invalid_arguments",
            RefusalReason::Limit => "limit",
            RefusalReason::Declined => "declined",
            RefusalReason::Expired => "expired",
            RefusalReason::CutOff => "cut_off",
            RefusalReason::Stopped => "stopped",
        },
        (false, None, Some(kind)) => match kind {
            ToolErrorKind::Refused => "refused",
            ToolErrorKind::Invalid => "invalid",
            ToolErrorKind::Failed => "failed",
            ToolErrorKind::Unknown => "unknown",
        },
        (false, None, None) => "failed",
    }
}
