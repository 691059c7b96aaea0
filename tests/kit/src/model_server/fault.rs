//! Provider failures, one constructor each.
//!
//! Plain statuses are in [`super::status`].

use std::fmt::Write;
use std::net::{Ipv4Addr, SocketAddr};

use serde_json::{Value, json};
use tokio::net::TcpSocket;

use super::answer::{Act, Answer, CallStyle, calls, say, status};
use super::gate::Gate;
use super::request::Request;

/// A base URL that refuses connections while this value lives: the port is bound, but not
/// listening.
pub struct RefusedPort {
    address: SocketAddr,
    _socket: TcpSocket,
}

impl RefusedPort {
    #[expect(clippy::expect_used, reason = "without a port there is no test")]
    pub fn start() -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket
            .bind((Ipv4Addr::LOCALHOST, 0).into())
            .expect("a free port on 127.0.0.1");
        let address = socket.local_addr().expect("the port we are bound to");
        Self {
            address,
            _socket: socket,
        }
    }

    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }
}

/// A base URL with an unresolvable host. The label is longer than DNS allows, so no name
/// server is queried.
pub fn unresolvable_url() -> String {
    format!("http://{}.invalid/v1", "x".repeat(64))
}

/// Accepts, reads the request and never answers.
pub fn silence() -> Answer {
    let mut answer = say("");
    answer.opening = Some(Act::Silence);
    answer
}

/// Sends the head of a stream and nothing after it.
pub fn silence_after_head() -> Answer {
    let mut answer = say("").then_silence();
    answer.acts.remove(0);
    answer
}

/// Goes silent in the middle of a text.
pub fn silence_after(text: &str) -> Answer {
    say(text).then_silence()
}

/// Resets the connection instead of answering.
pub fn reset() -> Answer {
    let mut answer = say("");
    answer.opening = Some(Act::Reset);
    answer
}

/// Resets the connection after a text, once the gate is open: a reset may discard data that
/// the client has not read.
pub fn reset_after(text: &str, read: &Gate) -> Answer {
    say(text).then_wait(read).then_reset()
}

/// Ends the body properly after a text, without a finish reason and `[DONE]`.
pub fn end_after(text: &str) -> Answer {
    say(text).then_end()
}

/// Sends an event that is not JSON.
pub fn bad_json_after(text: &str) -> Answer {
    say(text).then_event(r#"{"choices":[{"delta":{"content":"#)
}

/// Sends every byte of the body in its own write, which splits multi-byte characters.
pub fn torn_characters(text: &str) -> Answer {
    say(text).writes_of(1)
}

/// A byte order mark, comments, empty fields, data on several lines, and CR LF.
pub fn odd_lines(text: &str) -> Answer {
    let mut answer = say(text);
    answer.style.line_end = "\r\n";
    answer.style.byte_order_mark = true;
    answer.style.comments = true;
    answer.style.many_lines = true;
    answer
}

/// Lines that end with CR alone, as the standard allows.
pub fn bare_returns(text: &str) -> Answer {
    let mut answer = say(text);
    answer.style.line_end = "\r";
    answer
}

/// After a text, one line of this many bytes.
pub fn long_line_after(text: &str, bytes: usize) -> Answer {
    say(text).then(Act::Flood(bytes))
}

/// Status 200 with an HTML body.
pub fn html() -> Answer {
    status(200)
        .header("Content-Type", "text/html; charset=utf-8")
        .body("<!DOCTYPE html><html><body><h1>Welcome</h1></body></html>")
}

/// An error inside a successful stream.
pub fn error_event_after(text: &str, error: Value) -> Answer {
    say(text).then_event(json!({ "error": error }).to_string())
}

/// Truncated at the token limit.
pub fn cut_at_length(text: &str) -> Answer {
    say(text).finish("length")
}

pub fn content_filtered(text: &str) -> Answer {
    say(text).finish("content_filter")
}

/// Interleaved fragments of several calls.
pub fn interleaved_calls<'a>(list: impl IntoIterator<Item = (&'a str, Value)>) -> Answer {
    let mut answer = calls(list).deltas_of(3);
    answer.style.calls = CallStyle::Interleaved;
    answer
}

/// Fragments without an index; only the first of each call has an id.
pub fn calls_without_index<'a>(list: impl IntoIterator<Item = (&'a str, Value)>) -> Answer {
    let mut answer = calls(list).deltas_of(3);
    answer.style.calls = CallStyle::WithoutIndex;
    answer
}

/// Arguments as a JSON object instead of a string.
pub fn arguments_as_object<'a>(list: impl IntoIterator<Item = (&'a str, Value)>) -> Answer {
    let mut answer = calls(list);
    answer.style.calls = CallStyle::AsObject;
    answer
}

/// No token counts at the end.
pub fn without_usage(text: &str) -> Answer {
    say(text).no_usage()
}

/// The answer of `/v1/embeddings`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Embedding {
    /// Vectors of this length, deterministic for a text.
    Dimension(usize),
    /// Vectors with `NaN`, which is not valid JSON either.
    NotANumber,
    /// Vectors of length 0.
    Empty,
    /// No vectors at all.
    Missing,
}

impl Default for Embedding {
    fn default() -> Self {
        Self::Dimension(8)
    }
}

impl Embedding {
    pub(super) fn body(self, request: &Request) -> String {
        let input = request.json()["input"].clone();
        let texts = input.as_array().cloned().unwrap_or_else(|| vec![input]);
        let mut data = String::new();
        for (index, text) in texts.iter().enumerate() {
            let vector = match self {
                Self::Dimension(length) => vector(&text.to_string(), length),
                Self::NotANumber => "NaN,0.5".to_owned(),
                Self::Empty => String::new(),
                Self::Missing => break,
            };
            let comma = if index > 0 { "," } else { "" };
            let _ = write!(
                data,
                r#"{comma}{{"object":"embedding","index":{index},"embedding":[{vector}]}}"#
            );
        }
        format!(
            r#"{{"object":"list","data":[{data}],"model":"scripted","usage":{{"prompt_tokens":1,"total_tokens":1}}}}"#
        )
    }
}

/// Numbers that depend only on the text (FNV-1a, one step per number).
fn vector(text: &str, length: usize) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let mut hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    let numbers: Vec<String> = (0..length)
        .map(|_| {
            hash = step(hash, 1);
            let unit = f64::from(u32::try_from(hash >> 40).unwrap_or(0)) / f64::from(1 << 24);
            format!("{:.6}", unit * 2.0 - 1.0)
        })
        .collect();
    numbers.join(",")
}
