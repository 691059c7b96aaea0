//! One line of a script: the answer to one request.

use std::ops::Range;

use bytes::Bytes;
use serde_json::Value;

use super::gate::Gate;
use super::wire;

/// Sends `text` and stops.
pub fn say(text: impl Into<String>) -> Answer {
    Answer::of(vec![Act::Text(text.into())])
}

/// Calls one tool. The id is `call_1`, `call_2`, … in the order of sending.
pub fn call(tool: &str, arguments: Value) -> Answer {
    calls([(tool, arguments)])
}

/// Calls several tools in one message.
pub fn calls<'a>(calls: impl IntoIterator<Item = (&'a str, Value)>) -> Answer {
    let acts = calls.into_iter().map(|(tool, arguments)| {
        Act::Call(Call {
            id: None,
            tool: tool.to_owned(),
            arguments: arguments.to_string(),
        })
    });
    Answer::of(acts.collect())
}

/// Sends text before a tool call.
pub fn say_and_call(text: impl Into<String>, tool: &str, arguments: Value) -> Answer {
    say(text).followed_by(call(tool, arguments))
}

/// Responds with this status and an error in the usual form; [`Answer::body`] replaces the
/// body.
pub fn status(status: u16) -> Answer {
    let mut answer = Answer::of(Vec::new());
    answer.status = status;
    answer.whole = Some(
        serde_json::json!({"error": {
            "message": format!("scripted status {status}"),
            "type": "scripted",
            "param": null,
            "code": null,
        }})
        .to_string(),
    );
    answer
}

/// A line of a script; see the functions of this module and [`super::fault`].
#[derive(Clone, Debug)]
pub struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    /// A body that is not a completion.
    pub(super) whole: Option<String>,
    /// The act before the first byte.
    pub(super) opening: Option<Act>,
    pub(super) acts: Vec<Act>,
    pub(super) finish: Option<String>,
    pub(super) usage: Option<[u64; 3]>,
    pub(super) model: String,
    pub(super) style: Style,
    /// The whole response, serialised in advance.
    pub(super) prepared: Option<Bytes>,
}

/// One act of an answer.
#[derive(Clone, Debug)]
pub(super) enum Act {
    Text(String),
    Call(Call),
    /// The data of an event, verbatim.
    Event(String),
    /// One line of this many bytes.
    Flood(usize),
    Wait(Gate),
    Silence,
    Reset,
    /// The body ends properly, without a finish reason and `[DONE]`.
    End,
    /// The connection is closed in the middle of the body.
    HangUp,
}

#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) id: Option<String>,
    pub(super) tool: String,
    pub(super) arguments: String,
}

/// The wire format of an answer.
#[derive(Clone, Debug)]
pub(super) struct Style {
    /// Characters per delta; `None` splits by words.
    pub(super) delta: Option<usize>,
    pub(super) writes: Writes,
    pub(super) line_end: &'static str,
    pub(super) byte_order_mark: bool,
    pub(super) comments: bool,
    /// Each event's data on several lines.
    pub(super) many_lines: bool,
    /// One JSON object although the client asked for a stream.
    pub(super) plain: bool,
    pub(super) calls: CallStyle,
    pub(super) done: bool,
}

/// The split of a body into transfer chunks, each sent in its own write.
#[derive(Clone, Debug)]
pub(super) enum Writes {
    AtOnce,
    Of(usize),
    At(Vec<usize>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallStyle {
    OneByOne,
    Interleaved,
    WithoutIndex,
    /// Arguments as an object, all at once.
    AsObject,
}

impl Answer {
    fn of(acts: Vec<Act>) -> Self {
        Self {
            status: 200,
            headers: Vec::new(),
            whole: None,
            opening: None,
            acts,
            finish: None,
            usage: Some([100, 10, 0]),
            model: "scripted".to_owned(),
            style: Style {
                delta: None,
                writes: Writes::AtOnce,
                line_end: "\n",
                byte_order_mark: false,
                comments: false,
                many_lines: false,
                plain: false,
                calls: CallStyle::OneByOne,
                done: true,
            },
            prepared: None,
        }
    }

    /// Serialises the stream now rather than per request, for benchmarks. Its calls have
    /// the same ids each time.
    pub fn prepared(self) -> Self {
        let mut prepared = Self::of(Vec::new());
        prepared.prepared = Some(wire::prepare(&self));
        prepared
    }

    /// Waits for the gate before the first byte of the answer.
    pub fn after(mut self, gate: &Gate) -> Self {
        self.opening = Some(Act::Wait(gate.clone()));
        self
    }

    pub fn then_say(self, text: impl Into<String>) -> Self {
        self.then(Act::Text(text.into()))
    }

    /// Waits for the gate in the middle of the answer.
    pub fn then_wait(self, gate: &Gate) -> Self {
        self.then(Act::Wait(gate.clone()))
    }

    /// Sends an event with arbitrary data.
    pub fn then_event(self, data: impl Into<String>) -> Self {
        self.then(Act::Event(data.into()))
    }

    /// Sends nothing more and keeps the connection open.
    pub fn then_silence(self) -> Self {
        self.then(Act::Silence)
    }

    /// Resets the connection (RST).
    pub fn then_reset(self) -> Self {
        self.then(Act::Reset)
    }

    /// Ends the body properly, but before the answer is complete.
    pub fn then_end(self) -> Self {
        self.then(Act::End)
    }

    /// Closes the connection in the middle of the body.
    pub fn then_hang_up(self) -> Self {
        self.then(Act::HangUp)
    }

    /// Appends all acts of another answer.
    pub fn followed_by(mut self, other: Answer) -> Self {
        self.acts.extend(other.acts);
        self
    }

    pub(super) fn then(mut self, act: Act) -> Self {
        self.acts.push(act);
        self
    }

    /// Sets the id of the last call.
    pub fn id(mut self, id: &str) -> Self {
        for act in self.acts.iter_mut().rev() {
            if let Act::Call(call) = act {
                call.id = Some(id.to_owned());
                break;
            }
        }
        self
    }

    /// Sets the text of the last call's arguments, valid or not.
    pub fn arguments(mut self, text: &str) -> Self {
        if let Some(Act::Call(call)) = self.acts.last_mut() {
            text.clone_into(&mut call.arguments);
        }
        self
    }

    /// Sets the `finish_reason`; the default is `stop` or `tool_calls`.
    pub fn finish(mut self, reason: &str) -> Self {
        self.finish = Some(reason.to_owned());
        self
    }

    /// Sets the input and output tokens; the defaults are 100 and 10.
    pub fn usage(mut self, input: u64, output: u64) -> Self {
        self.usage = Some([input, output, 0]);
        self
    }

    /// Sets the number of cached input tokens.
    pub fn cached(mut self, tokens: u64) -> Self {
        if let Some([_, _, cached]) = &mut self.usage {
            *cached = tokens;
        }
        self
    }

    pub fn no_usage(mut self) -> Self {
        self.usage = None;
        self
    }

    /// Sets the model name in the response.
    pub fn model(mut self, name: &str) -> Self {
        name.clone_into(&mut self.model);
        self
    }

    /// Splits text into deltas of this many characters instead of words.
    pub fn deltas_of(mut self, characters: usize) -> Self {
        self.style.delta = Some(characters.max(1));
        self
    }

    /// Splits the body every `bytes` bytes, at any position.
    pub fn writes_of(mut self, bytes: usize) -> Self {
        self.style.writes = Writes::Of(bytes.max(1));
        self
    }

    /// Splits the body at these byte offsets.
    pub fn writes_at(mut self, offsets: impl IntoIterator<Item = usize>) -> Self {
        self.style.writes = Writes::At(offsets.into_iter().collect());
        self
    }

    /// Sends one JSON object, like servers without streaming.
    pub fn plain(mut self) -> Self {
        self.style.plain = true;
        self
    }

    /// Omits `[DONE]` at the end, like some servers.
    pub fn without_done(mut self) -> Self {
        self.style.done = false;
        self
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn retry_after(self, value: &str) -> Self {
        self.header("Retry-After", value)
    }

    /// Sends this body instead of a completion.
    pub fn body(mut self, body: impl Into<String>) -> Self {
        self.whole = Some(body.into());
        self
    }

    /// The line's name in a failed test.
    pub(super) fn summary(&self) -> String {
        if self.whole.is_some() {
            return format!("status({})", self.status);
        }
        let acts: Vec<String> = self.acts.iter().map(|act| format!("{act:?}")).collect();
        acts.join(" ").chars().take(120).collect()
    }

    /// The range of consecutive calls from `from` on, so that they can be sent together.
    pub(super) fn run_of_calls(&self, from: usize) -> Range<usize> {
        let length = self.acts[from..]
            .iter()
            .take_while(|act| matches!(act, Act::Call(_)))
            .count();
        from..from + length
    }
}
