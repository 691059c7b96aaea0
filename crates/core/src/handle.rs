//! Long texts and files travel by handle: kept byte for byte, announced to the model as
//! `text:1` or `file:1`, and put in place of the handle before a tool sees its arguments.
//! The turn that brings a text shows it to the model in full, as far as it fits
//! ([`full_text`]); later turns keep the announcement.

mod full_text;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::id::AttachmentId;
use crate::message::ToolCall;

pub(crate) use full_text::is_full_texts;
pub use full_text::{FullTexts, full_texts};

/// A pasted block longer than this is kept behind a handle.
pub const LONG_TEXT_CHARS: usize = 1_500;

/// The schema keyword by which a parameter says that it takes a handle.
pub const SCHEMA_KEYWORD: &str = "x-handle";

/// How a pasted block and a file are announced to the model.
const TEXT_OPENING: &str = "[text:";
const FILE_OPENING: &str = "[file:";

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
        let preview = announce(number, "", self.block);
        if self.lead.is_empty() {
            preview
        } else {
            format!("{}\n\n{preview}", self.lead)
        }
    }
}

/// The text of a file, as a message that brings the file announces it.
pub fn shown_text_of_file(number: u32, file: u32, text: &str) -> String {
    let from = format!(", from file:{file}");
    announce(number, &from, text)
}

/// The numbers of the texts that a message, as the model is shown it, announces.
pub fn announced_texts(shown: &str) -> Vec<u32> {
    shown
        .lines()
        .filter_map(|line| {
            let rest = line.strip_prefix(TEXT_OPENING)?;
            rest.split_once(',')?.0.parse().ok()
        })
        .collect()
}

/// What the person wrote themselves of a message as the model is shown it: what stands
/// before pasted texts and the names of files.
pub fn lead_of(shown: &str) -> &str {
    let openings = [TEXT_OPENING, FILE_OPENING].into_iter();
    let end = openings.filter_map(|opening| shown.find(opening)).min();
    &shown[..end.unwrap_or(shown.len())]
}

/// The numbers of the texts that this call names where its schema takes one, whether or
/// not they exist.
pub fn mentioned_texts(parameters: &Value, call: &ToolCall) -> Vec<u32> {
    // Most calls name none, and long arguments are not read twice for nothing.
    if !call.arguments.contains("text:") {
        return Vec::new();
    }
    let arguments = call.parse_arguments().unwrap_or_default();
    let named = |(parameter, value): (&String, &Value)| match takes(parameters, parameter)? {
        "text" => handle_number(value.as_str()?, "text"),
        _ => None,
    };
    arguments.iter().filter_map(named).collect()
}

impl Handles {
    /// Whether nothing was pasted or attached.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.files.is_empty()
    }

    /// Puts contents in place of handles in those arguments whose schema takes one.
    pub fn resolve(
        &self,
        parameters: &Value,
        mut arguments: Map<String, Value>,
    ) -> Result<Map<String, Value>, UnknownHandle> {
        for (parameter, value) in &mut arguments {
            let Some(kind) = takes(parameters, parameter) else {
                continue;
            };
            let Some(number) = value.as_str().and_then(|given| handle_number(given, kind)) else {
                continue;
            };
            let content = if kind == "text" {
                self.text(number)
            } else {
                self.file(number)
            };
            *value = Value::String(content.ok_or_else(|| UnknownHandle {
                parameter: parameter.clone(),
                handle: format!("{kind}:{number}"),
                what: kind,
            })?);
        }
        Ok(arguments)
    }

    fn text(&self, number: u32) -> Option<String> {
        let text = self.texts.iter().find(|text| text.number == number)?;
        Some(text.text.clone())
    }

    fn file(&self, number: u32) -> Option<String> {
        let file = self.files.iter().find(|file| file.number == number)?;
        Some(file.attachment.to_string())
    }
}

/// The kind of handle that a parameter takes.
fn takes(parameters: &Value, parameter: &str) -> Option<&'static str> {
    let keyword = parameters
        .get("properties")?
        .get(parameter)?
        .get(SCHEMA_KEYWORD)?;
    ["text", "file"].into_iter().find(|kind| keyword == kind)
}

/// The number of a handle, also as it stands in the message: `[text:1, …]`.
fn handle_number(given: &str, kind: &str) -> Option<u32> {
    let given = given.trim();
    let bare = match given.strip_prefix('[').and_then(|g| g.strip_suffix(']')) {
        Some(shown) => shown.split_once(',').map_or(shown, |(handle, _)| handle),
        None => given,
    };
    bare.strip_prefix(kind)?.strip_prefix(':')?.parse().ok()
}

/// People write what they want, then paste: a short first paragraph followed by a blank
/// line (or a first line that ends in a colon) is theirs, the rest is the block.
fn split_lead(content: &str) -> (&str, &str) {
    let by_colon = content
        .split_once('\n')
        .filter(|(first, _)| first.trim_end().ends_with(':'));
    let by_paragraph = content.split_once("\n\n");
    let by_windows_paragraph = content.split_once("\r\n\r\n");
    for (lead, block) in [by_colon, by_paragraph, by_windows_paragraph]
        .into_iter()
        .flatten()
    {
        if lead.chars().count() <= LONGEST_LEAD_CHARS && block.chars().count() > LONG_TEXT_CHARS / 2
        {
            return (lead, block);
        }
    }
    ("", content)
}

/// The handle of a text with its first and last lines.
fn announce(number: u32, from: &str, block: &str) -> String {
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
        return format!("{TEXT_OPENING}{number}, {characters} characters{from}]\n{head}");
    }
    let tail = shown(&lines[lines.len().saturating_sub(SHOWN_LINES).max(SHOWN_LINES)..]);
    format!("{TEXT_OPENING}{number}, {characters} characters{from}]\n{head}\n[…]\n{tail}")
}

#[cfg(test)]
#[path = "handle_tests.rs"]
mod handle_tests;
