//! The spans of steps: names, times and attributes.

use std::time::Instant;

use chrono::{DateTime, SecondsFormat, Utc};
use frontdesk_core::event::Finished;
use frontdesk_core::grant::RefusalReason;
use frontdesk_core::model::{Finish, Usage};
use frontdesk_core::tool::ToolErrorKind;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, ArrayValue};
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use serde_json::json;

use super::super::span::{attribute, span_id, whole};
use super::{ModelRequest, Span, Steps, fail, flag, text, types};

impl Steps {
    pub(super) fn model_span(&self, asking: &ModelRequest, now: Instant) -> Span {
        let part = format!("model {}", self.asked);
        let name = format!("chat {}", asking.model);
        let mut span = self.span(&part, name, self.moment(asking.at), self.moment(now));
        span.kind = SpanKind::Client.into();
        span.attributes.extend(types("chat", "LLM", "generation"));
        span.attributes.extend([
            text("gen_ai.provider.name", self.begun.provider),
            text("gen_ai.request.model", &asking.model),
            text("langfuse.observation.model.name", &asking.model),
        ]);
        if let Some(first) = asking.first {
            let waited = Value::DoubleValue((first - asking.at).as_secs_f64());
            let at = self.begun.now + (first - self.at);
            let at = at.to_rfc3339_opts(SecondsFormat::Micros, true);
            span.attributes.extend([
                attribute("gen_ai.response.time_to_first_chunk", waited),
                // Langfuse parses this attribute as JSON.
                text(
                    "langfuse.observation.completion_start_time",
                    json!(at).to_string(),
                ),
            ]);
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
        let reason = AnyValue {
            value: Some(Value::StringValue(reason.to_owned())),
        };
        let reasons = ArrayValue {
            values: vec![reason],
        };
        let fresh = usage.input_tokens.saturating_sub(usage.cached_tokens);
        let details = json!({
            "input": fresh,
            "input_cached_tokens": usage.cached_tokens,
            "output": usage.output_tokens,
        });
        span.attributes.extend([
            attribute("gen_ai.response.finish_reasons", Value::ArrayValue(reasons)),
            whole("gen_ai.usage.input_tokens", usage.input_tokens),
            whole("gen_ai.usage.output_tokens", usage.output_tokens),
            whole("gen_ai.usage.cache_read.input_tokens", usage.cached_tokens),
            flag("frontdesk.usage.estimated", usage.estimated),
            text("langfuse.observation.usage_details", details.to_string()),
        ]);
        let model = model.map(|model| text("gen_ai.response.model", model));
        span.attributes.extend(model);
    }

    pub(super) fn retrieval(
        &self,
        call: &Finished,
        (found, best): (u64, f64),
        times: (u64, u64),
        tool: Vec<u8>,
    ) -> Span {
        let part = format!("retrieval {}", call.call_id);
        let mut span = self.span(&part, "retrieval".to_owned(), times.0, times.1);
        span.parent_span_id = tool;
        span.attributes
            .extend(types("retrieval", "RETRIEVER", "retriever"));
        span.attributes.extend([
            whole("frontdesk.retrieval.documents", found),
            attribute("frontdesk.retrieval.best_score", Value::DoubleValue(best)),
        ]);
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
        span.attributes
            .extend(types("execute_tool", "TOOL", "tool"));
        span.attributes.extend([
            text("gen_ai.tool.name", self.tool_name(finished)),
            text("gen_ai.tool.call.id", &finished.call_id),
        ]);
        if !finished.ok {
            fail(span, tool_result(finished));
        }
    }

    pub(super) fn span(&self, part: &str, name: String, start: u64, end: u64) -> Span {
        let turn = self.begun.turn;
        Span {
            trace_id: turn.uuid().as_bytes().to_vec(),
            span_id: span_id(turn, part),
            parent_span_id: span_id(turn, ROOT),
            name,
            kind: SpanKind::Internal.into(),
            start_time_unix_nano: start,
            end_time_unix_nano: end,
            attributes: self.begun.common.clone(),
            ..Span::default()
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
