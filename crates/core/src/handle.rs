//! Long texts and files travel by handle: kept byte for byte, shown to the model as
//! `text:1` or `file:1`, and put in place of the handle before a tool sees its arguments.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::id::AttachmentId;

/// A pasted block longer than this is kept behind a handle.
pub const LONG_TEXT_CHARS: usize = 1_500;

/// The schema keyword by which a parameter says that it takes a handle.
pub const SCHEMA_KEYWORD: &str = "x-handle";

const SHOWN_LINES: usize = 3;
const SHOWN_LINE_CHARS: usize = 160;
const LONGEST_LEAD_CHARS: usize = 600;

/// A pasted block and its number in the conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextHandle {
    pub number: u32,
    pub text: String,
}

/// A file a person attached and its number in the conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileHandle {
    pub number: u32,
    pub attachment: AttachmentId,
    pub name: String,
    pub media_type: String,
    pub bytes: u64,
}

/// Everything in a conversation that can be named by handle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handles {
    pub texts: Vec<TextHandle>,
    pub files: Vec<FileHandle>,
}

/// Why an argument's handle leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{parameter}` names {handle}, but this conversation has no such {what}")]
pub struct UnknownHandle {
    pub parameter: String,
    pub handle: String,
    pub what: &'static str,
}

/// A message that carries a long pasted block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongBlock<'a> {
    /// What the person wrote before the block; may be empty.
    pub lead: &'a str,
    pub block: &'a str,
}

impl<'a> LongBlock<'a> {
    /// The block in this message, if it is long enough to be kept behind a handle.
    pub fn find(content: &'a str) -> Option<Self> {
        if content.chars().count() <= LONG_TEXT_CHARS {
            return None;
        }
        let (lead, block) = split_lead(content);
        Some(Self { lead, block })
    }

    /// What the model is shown instead of the message.
    pub fn shown(&self, number: u32) -> String {
        let preview = preview(number, self.block);
        if self.lead.is_empty() {
            preview
        } else {
            format!("{}\n\n{preview}", self.lead)
        }
    }
}

/// The numbers of the texts that these raw arguments mention, whether or not they exist.
pub fn mentioned_texts(arguments: &str) -> Vec<u32> {
    arguments
        .match_indices("\"text:")
        .filter_map(|(at, found)| {
            let rest = &arguments[at + found.len()..];
            rest.split_once('"')?.0.trim().parse().ok()
        })
        .collect()
}

impl Handles {
    /// Puts contents in place of handles in those arguments whose schema takes one.
    pub fn resolve(
        &self,
        parameters: &Value,
        mut arguments: Map<String, Value>,
    ) -> Result<Map<String, Value>, UnknownHandle> {
        let Some(properties) = parameters.get("properties").and_then(Value::as_object) else {
            return Ok(arguments);
        };
        for (parameter, schema) in properties {
            let takes = schema.get(SCHEMA_KEYWORD).and_then(Value::as_str);
            let Some(value) = arguments.get_mut(parameter) else {
                continue;
            };
            let Some(given) = value.as_str().map(str::trim) else {
                continue;
            };
            if takes == Some("text") {
                if let Some(number) = handle_number(given, "text") {
                    *value = Value::String(self.text(parameter, given, number)?);
                }
            } else if takes == Some("file")
                && let Some(number) = handle_number(given, "file")
            {
                *value = Value::String(self.file(parameter, given, number)?);
            }
        }
        Ok(arguments)
    }

    fn text(&self, parameter: &str, handle: &str, number: u32) -> Result<String, UnknownHandle> {
        self.texts
            .iter()
            .find(|text| text.number == number)
            .map(|text| text.text.clone())
            .ok_or_else(|| unknown(parameter, handle, "text"))
    }

    fn file(&self, parameter: &str, handle: &str, number: u32) -> Result<String, UnknownHandle> {
        self.files
            .iter()
            .find(|file| file.number == number)
            .map(|file| file.attachment.to_string())
            .ok_or_else(|| unknown(parameter, handle, "file"))
    }
}

fn unknown(parameter: &str, handle: &str, what: &'static str) -> UnknownHandle {
    UnknownHandle {
        parameter: parameter.to_owned(),
        handle: handle.to_owned(),
        what,
    }
}

fn handle_number(given: &str, kind: &str) -> Option<u32> {
    given.strip_prefix(kind)?.strip_prefix(':')?.parse().ok()
}

/// People write what they want, then paste: a short first paragraph followed by a blank
/// line (or a first line that ends in a colon) is theirs, the rest is the block.
fn split_lead(content: &str) -> (&str, &str) {
    let by_paragraph = content.split_once("\n\n");
    let by_colon = content
        .split_once('\n')
        .filter(|(first, _)| first.trim_end().ends_with(':'));
    for (lead, block) in by_colon.into_iter().chain(by_paragraph) {
        if lead.chars().count() <= LONGEST_LEAD_CHARS && block.chars().count() > LONG_TEXT_CHARS / 2
        {
            return (lead, block);
        }
    }
    ("", content)
}

fn preview(number: u32, block: &str) -> String {
    let lines: Vec<&str> = block.lines().filter(|l| !l.trim().is_empty()).collect();
    let shown = |lines: &[&str]| {
        lines
            .iter()
            .map(|line| match line.char_indices().nth(SHOWN_LINE_CHARS) {
                Some((end, _)) => format!("{}…", &line[..end]),
                None => (*line).to_owned(),
            })
            .collect::<Vec<_>>()
            .join("\n")
    };
    let characters = block.chars().count();
    let head = shown(&lines[..lines.len().min(SHOWN_LINES)]);
    if lines.len() <= SHOWN_LINES {
        return format!("[text:{number}, {characters} characters]\n{head}");
    }
    let tail = shown(&lines[lines.len().saturating_sub(SHOWN_LINES).max(SHOWN_LINES)..]);
    format!("[text:{number}, {characters} characters]\n{head}\n[…]\n{tail}")
}

#[cfg(test)]
#[path = "handle_tests.rs"]
mod handle_tests;
