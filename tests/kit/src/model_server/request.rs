//! A captured request, with accessors for assertions.

use bytes::Bytes;
use frontdesk_core::message::Message;
use serde_json::Value;

#[derive(Clone, Debug)]
pub struct Request {
    head: Bytes,
    body: Bytes,
}

impl Request {
    pub(super) fn new(head: Bytes, body: Bytes) -> Self {
        Self { head, body }
    }

    pub fn method(&self) -> &str {
        self.first_line().split(' ').next().unwrap_or_default()
    }

    pub fn path(&self) -> &str {
        self.first_line().split(' ').nth(1).unwrap_or_default()
    }

    fn first_line(&self) -> &str {
        self.lines().next().unwrap_or_default()
    }

    fn lines(&self) -> std::str::Split<'_, &'static str> {
        std::str::from_utf8(&self.head)
            .unwrap_or_default()
            .split("\r\n")
    }

    /// The value of a header; the name is case-insensitive.
    pub fn header(&self, name: &str) -> Option<&str> {
        header(std::str::from_utf8(&self.head).unwrap_or_default(), name)
    }

    /// The raw body.
    pub fn body(&self) -> &Bytes {
        &self.body
    }

    /// The body as JSON; `null` if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// A top-level parameter such as `temperature`.
    pub fn parameter(&self, name: &str) -> Option<Value> {
        self.json().get(name).cloned()
    }

    /// The messages of the request.
    #[expect(clippy::expect_used, reason = "the test is about what was sent")]
    pub fn messages(&self) -> Vec<Message> {
        let json = self.json();
        let messages = json["messages"].as_array().cloned().unwrap_or_default();
        messages
            .iter()
            .map(|message| Message::from_openai_format(message).expect("a message"))
            .collect()
    }

    /// The text of the first system message.
    pub fn system(&self) -> Option<String> {
        self.messages()
            .into_iter()
            .find_map(|message| match message {
                Message::System { content } => Some(content),
                Message::User { .. } | Message::Assistant { .. } | Message::Tool { .. } => None,
            })
    }

    /// The text of the last user message.
    pub fn last_user(&self) -> Option<String> {
        let mut messages = self.messages();
        messages.reverse();
        messages.into_iter().find_map(|message| match message {
            Message::User { content, .. } => Some(content),
            Message::System { .. } | Message::Assistant { .. } | Message::Tool { .. } => None,
        })
    }

    /// The names of the offered tools, in order.
    pub fn tools(&self) -> Vec<String> {
        let json = self.json();
        let tools = json["tools"].as_array().cloned().unwrap_or_default();
        tools
            .iter()
            .filter_map(|tool| tool["function"]["name"].as_str().map(str::to_owned))
            .collect()
    }

    /// The result of a call, as sent to the model.
    pub fn tool_result(&self, call_id: &str) -> Option<String> {
        self.messages()
            .into_iter()
            .find_map(|message| match message {
                Message::Tool {
                    tool_call_id,
                    content,
                    ..
                } if tool_call_id == call_id => Some(content),
                Message::Tool { .. }
                | Message::System { .. }
                | Message::User { .. }
                | Message::Assistant { .. } => None,
            })
    }

    /// True if the last message is a tool result. Reads only the last role, which is cheap
    /// enough for benchmarks.
    pub fn ends_with_tool_result(&self) -> bool {
        const ROLE: &[u8] = br#""role":""#;
        let last = self.body.windows(ROLE.len()).rposition(|w| w == ROLE);
        last.is_some_and(|at| self.body[at + ROLE.len()..].starts_with(b"tool\""))
    }

    /// True if the client asked for a stream.
    pub(super) fn wants_stream(&self) -> bool {
        self.asks(br#""stream":true"#, &["stream"])
    }

    /// True if the client asked for token counts at the end of a stream.
    pub(super) fn wants_usage(&self) -> bool {
        self.asks(
            br#""include_usage":true"#,
            &["stream_options", "include_usage"],
        )
    }

    /// Searches the compact spelling first: quotes inside a string are escaped, so it
    /// cannot occur there, and a benchmark does not pay for parsing the body.
    fn asks(&self, compact: &[u8], path: &[&str]) -> bool {
        if self.body.windows(compact.len()).any(|w| w == compact) {
            return true;
        }
        let spaced = self.body.windows(2).any(|w| w == b": ");
        spaced && {
            let json = self.json();
            let value = path.iter().fold(&json, |value, key| &value[*key]);
            *value == Value::Bool(true)
        }
    }

    pub(super) fn last_message_summary(&self) -> String {
        let json = self.json();
        let last = json["messages"].as_array().and_then(|all| all.last());
        let text = last.map(Value::to_string).unwrap_or_default();
        text.chars().take(200).collect()
    }
}

/// Finds a header in a request's head.
pub(super) fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.split("\r\n").skip(1).find_map(|line| {
        let (key, value) = line.split_once(':')?;
        key.trim().eq_ignore_ascii_case(name).then(|| value.trim())
    })
}
