//! The ways in which providers fail, one constructor for each.
//!
//! Statuses are in [`super::status`]; here is what a status cannot say.

use std::fmt::Write;
use std::net::{Ipv4Addr, SocketAddr};

use serde_json::{Value, json};
use tokio::net::TcpSocket;

use super::answer::{Act, Answer, CallStyle, calls, say, status};
use super::gate::Gate;
use super::request::Request;

/// A base URL that refuses connections for as long as this value lives: the port is taken, and nobody listens.
pub struct Refusing {
    address: SocketAddr,
    _socket: TcpSocket,
}

impl Refusing {
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

/// A base URL whose host cannot be resolved. The label is longer than DNS allows, so that
/// no name server needs to be asked.
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

/// Resets the connection after a text, once the gate is open: data that the client has
/// not read yet may be lost with a reset.
pub fn reset_after(text: &str, read: &Gate) -> Answer {
    say(text).then_wait(read).then_reset()
}

/// Ends the body properly after a text, without a finish and `[DONE]`.
pub fn end_after(text: &str) -> Answer {
    say(text).then_end()
}

/// An event that is not JSON.
pub fn bad_json_after(text: &str) -> Answer {
    say(text).then_event(r#"{"choices":[{"delta":{"content":"#)
}

/// Every byte of the body in a write of its own, characters torn apart.
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

/// After a text, one line of so many bytes.
pub fn long_line_after(text: &str, bytes: usize) -> Answer {
    say(text).then(Act::Flood(bytes))
}

/// A success that is a page for people.
pub fn html() -> Answer {
    status(200)
        .header("Content-Type", "text/html; charset=utf-8")
        .body("<!DOCTYPE html><html><body><h1>Welcome</h1></body></html>")
}

/// An error inside a successful stream.
pub fn error_event_after(text: &str, error: Value) -> Answer {
    say(text).then_event(json!({ "error": error }).to_string())
}

/// Cut at the token limit.
pub fn cut_at_length(text: &str) -> Answer {
    say(text).finish("length")
}

pub fn content_filtered(text: &str) -> Answer {
    say(text).finish("content_filter")
}

/// Fragments of several calls in turns.
pub fn interleaved_calls<'a>(list: impl IntoIterator<Item = (&'a str, Value)>) -> Answer {
    let mut answer = calls(list).deltas_of(3);
    answer.style.calls = CallStyle::Interleaved;
    answer
}

/// Fragments that do not say which call they belong to, except by the id of its first.
pub fn calls_without_index<'a>(list: impl IntoIterator<Item = (&'a str, Value)>) -> Answer {
    let mut answer = calls(list).deltas_of(3);
    answer.style.calls = CallStyle::WithoutIndex;
    answer
}

/// Arguments as a JSON object instead of its text.
pub fn arguments_as_object<'a>(list: impl IntoIterator<Item = (&'a str, Value)>) -> Answer {
    let mut answer = calls(list);
    answer.style.calls = CallStyle::AsObject;
    answer
}

/// No figures at the end.
pub fn without_usage(text: &str) -> Answer {
    say(text).no_usage()
}

/// How `/v1/embeddings` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Embedding {
    /// Vectors of this length, the same for the same text.
    Dimension(usize),
    /// Vectors with `NaN` in them, which is not JSON either.
    NotANumber,
    /// Vectors of no length.
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

/// Numbers that depend on the text alone (FNV-1a, stepped once for each number).
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
