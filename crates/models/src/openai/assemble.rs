//! Assembles a reply from chunks, and shows its text as it arrives.

use std::borrow::Cow;

use frontdesk_core::message::ToolCall;
use frontdesk_core::model::{DeltaSink, Finish, Reply, Usage};
use serde_json::value::RawValue;

use super::read::{Chunk, Delta, Fragment, Function, Text, TokenCounts};

/// Maximum size of a reply, in bytes.
pub(super) const MAX_REPLY_BYTES: usize = 8 * 1024 * 1024;

/// Maximum calls per reply. The engine accepts far fewer; this limit bounds memory.
const MAX_CALLS: usize = 256;

/// Estimate for servers that send no token counts.
const BYTES_PER_TOKEN: u64 = 4;

/// The reply exceeds [`MAX_REPLY_BYTES`] or [`MAX_CALLS`].
#[derive(Debug)]
pub(super) struct TooLarge;

/// A partial reply.
#[derive(Default)]
pub(super) struct Assembly {
    text: String,
    calls: Vec<Slot>,
    argument_bytes: usize,
    finish: Option<Finish>,
    usage: Option<Usage>,
    model: Option<String>,
    streamed: bool,
}

/// A partial call.
#[derive(Default)]
struct Slot {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

impl Assembly {
    pub(super) fn add(
        &mut self,
        chunk: Chunk<'_>,
        sink: &mut dyn DeltaSink,
    ) -> Result<(), TooLarge> {
        if self.model.is_none() {
            self.model = chunk.model.map(|name| name.0.into_owned());
        }
        if let Some(usage) = chunk.usage.and_then(read_usage) {
            self.usage = Some(usage);
        }
        let Some(choice) = chunk.choices.and_then(|choices| choices.0) else {
            return Ok(());
        };
        // A whole message after deltas repeats them.
        let message = choice.message.filter(|_| !self.streamed);
        let delta = choice.delta.or(message.map(|message| *message));
        if let Some(delta) = delta {
            self.streamed = true;
            self.add_delta(delta, sink)?;
        }
        if let Some(reason) = choice.finish_reason
            && !reason.0.is_empty()
        {
            self.finish = Some(finish(&reason.0));
        }
        Ok(())
    }

    fn add_delta(&mut self, delta: Delta<'_>, sink: &mut dyn DeltaSink) -> Result<(), TooLarge> {
        let content = delta.content.map(|content| content.0);
        let refusal = delta.refusal.map(|text| text.0);
        for text in [content, refusal].into_iter().flatten() {
            self.add_text(&text, sink)?;
        }
        for fragment in delta.tool_calls.into_iter().flatten() {
            self.add_fragment(fragment)?;
        }
        if let Some(function) = delta.function_call {
            self.add_fragment(Fragment {
                function: Some(*function),
                ..Fragment::default()
            })?;
        }
        Ok(())
    }

    pub(super) fn add_text(
        &mut self,
        text: &str,
        sink: &mut dyn DeltaSink,
    ) -> Result<(), TooLarge> {
        if !text.is_empty() {
            self.text.push_str(text);
            self.check_size()?;
            sink.text(text);
        }
        Ok(())
    }

    fn add_fragment(&mut self, fragment: Fragment<'_>) -> Result<(), TooLarge> {
        let Function { name, arguments } = fragment.function.unwrap_or_default();
        let id = text_of(fragment.id.as_ref());
        let name = text_of(name.as_ref());
        let at = self.slot_for(fragment.index.map(|index| index.0), id, name)?;
        let slot = &mut self.calls[at];
        if slot.id.is_empty() {
            id.clone_into(&mut slot.id);
        }
        // Some servers repeat the name in each fragment; a split name precedes the
        // arguments.
        if slot.arguments.is_empty() && slot.name != name {
            slot.name.push_str(name);
        }
        if let Some(text) = arguments.and_then(arguments_text) {
            slot.arguments.push_str(&text);
            self.argument_bytes += text.len();
        }
        self.check_size()
    }

    /// Finds the call of a fragment. Servers differ: an index per call; one index for all
    /// and a new id; no index but an id; or neither after the first fragment.
    fn slot_for(&mut self, index: Option<u64>, id: &str, name: &str) -> Result<usize, TooLarge> {
        let position = |wanted: &dyn Fn(&Slot) -> bool| self.calls.iter().rposition(wanted);
        let known = match index {
            Some(_) => position(&|slot| slot.index == index),
            None => None,
        }
        .or_else(|| {
            let may_share_index = |slot: &Slot| index.is_none() || slot.index.is_none();
            match (id, name) {
                ("", "") => position(&|_| true).filter(|at| may_share_index(&self.calls[*at])),
                ("", _) => None,
                (id, _) => position(&|slot| slot.id == id && may_share_index(slot)),
            }
        });
        if let Some(at) = known {
            let slot = &self.calls[at];
            if id.is_empty() || slot.id.is_empty() || slot.id == id {
                return Ok(at);
            }
        }
        if self.calls.len() >= MAX_CALLS {
            return Err(TooLarge);
        }
        self.calls.push(Slot {
            index,
            ..Slot::default()
        });
        Ok(self.calls.len() - 1)
    }

    fn check_size(&self) -> Result<(), TooLarge> {
        if self.text.len() + self.argument_bytes > MAX_REPLY_BYTES {
            return Err(TooLarge);
        }
        Ok(())
    }

    /// True if any text was passed to the sink.
    pub(super) fn has_shown_text(&self) -> bool {
        !self.text.is_empty()
    }

    /// True if the model has sent a finish reason.
    pub(super) fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    pub(super) fn into_reply(self, request_bytes: u64) -> Reply {
        let calls = finish_calls(self.calls);
        let finish = match self.finish {
            // Many servers send `stop` even with tool calls.
            None | Some(Finish::Stop) if !calls.is_empty() => Finish::ToolCalls,
            other => other.unwrap_or_default(),
        };
        let said = (self.text.len() + self.argument_bytes) as u64;
        let usage = self.usage.unwrap_or(Usage {
            input_tokens: request_bytes.div_ceil(BYTES_PER_TOKEN),
            output_tokens: said.div_ceil(BYTES_PER_TOKEN),
            cached_tokens: 0,
            estimated: true,
        });
        Reply {
            text: self.text,
            calls,
            finish,
            usage: Some(usage),
            model: self.model,
            quick_replies: Vec::new(),
            proposes: false,
        }
    }
}

/// Gives each call a unique id and drops empty calls.
fn finish_calls(slots: Vec<Slot>) -> Vec<ToolCall> {
    let mut calls: Vec<ToolCall> = Vec::with_capacity(slots.len());
    for slot in slots {
        if slot.name.is_empty() && slot.arguments.is_empty() {
            continue;
        }
        let taken = calls.iter().any(|call| call.id == slot.id);
        let id = if slot.id.is_empty() || taken {
            format!("call_{:016x}", rand::random::<u64>())
        } else {
            slot.id
        };
        calls.push(ToolCall {
            id,
            name: slot.name,
            arguments: slot.arguments,
        });
    }
    calls
}

fn text_of<'a>(text: Option<&'a Text<'_>>) -> &'a str {
    text.map_or("", |text| &text.0)
}

/// Arguments may be a JSON string or the object itself.
fn arguments_text(raw: &RawValue) -> Option<Cow<'_, str>> {
    let json = raw.get();
    if !json.starts_with('"') {
        return Some(Cow::Borrowed(json));
    }
    serde_json::from_str::<Text<'_>>(json)
        .ok()
        .map(|text| text.0)
}

fn finish(reason: &str) -> Finish {
    match reason {
        "stop" | "eos" | "eos_token" | "stop_sequence" | "end_turn" => Finish::Stop,
        "tool_calls" | "function_call" => Finish::ToolCalls,
        "length" | "max_tokens" => Finish::Length,
        "content_filter" => Finish::ContentFilter,
        other => Finish::Other(other.to_owned()),
    }
}

/// Invalid token counts are ignored: they are no reason to lose a reply.
fn read_usage(raw: &RawValue) -> Option<Usage> {
    let figures: TokenCounts = serde_json::from_str(raw.get()).ok()?;
    let [input_tokens, output_tokens, cached_tokens] = figures.tokens()?;
    Some(Usage {
        input_tokens,
        output_tokens,
        cached_tokens,
        estimated: false,
    })
}

#[cfg(test)]
#[path = "assemble_tests.rs"]
mod assemble_tests;
