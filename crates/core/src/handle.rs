//! Handles for long texts and files. The store keeps the content byte for byte, the model sees an
//! announcement (`text:1`, `file:1`), and a tool gets the content in place of the handle. In a
//! text's own turn the model also reads it in full, within a limit ([`full_text`]).

mod full_text;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::id::AttachmentId;
use crate::message::ToolCall;

pub(crate) use full_text::is_full_texts;
pub use full_text::{FullTexts, full_texts};

/// A longer pasted block is stored behind a handle.
pub const LONG_TEXT_CHARS: usize = 1_500;

/// The schema keyword of a parameter that accepts a handle.
pub const SCHEMA_KEYWORD: &str = "x-handle";

/// Prefixes of the announcements of texts and files.
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

/// An attached file and its number in the conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileHandle {
    pub number: u32,
    pub attachment: AttachmentId,
    pub name: String,
    pub media_type: String,
    pub bytes: u64,
}

/// All handles of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handles {
    pub texts: Vec<TextHandle>,
    pub files: Vec<FileHandle>,
}

/// An argument names a handle that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{parameter}` names {handle}, but this conversation has no such {what}")]
pub struct UnknownHandle {
    pub parameter: String,
    pub handle: String,
    pub what: &'static str,
}

/// A message with a long pasted block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongBlock<'a> {
    /// The person's words before the block; may be empty.
    pub lead: &'a str,
    pub block: &'a str,
}

impl<'a> LongBlock<'a> {
    /// Finds a block that is long enough for a handle.
    pub fn find(content: &'a str) -> Option<Self> {
        if content.chars().count() <= LONG_TEXT_CHARS {
            return None;
        }
        let (lead, block) = split_lead(content);
        Some(Self { lead, block })
    }

    /// The message as the model sees it.
    pub fn shown(&self, number: u32) -> String {
        let preview = announce(number, "", self.block);
        if self.lead.is_empty() {
            preview
        } else {
            format!("{}\n\n{preview}", self.lead)
        }
    }
}

/// Announces the text of an attached file.
pub fn shown_text_of_file(number: u32, file: u32, text: &str) -> String {
    let from = format!(", from file:{file}");
    announce(number, &from, text)
}

/// The numbers of the texts that a message announces.
pub fn announced_texts(shown: &str) -> Vec<u32> {
    announced(shown, TEXT_OPENING).collect()
}

/// The numbers of the files that a message announces.
pub fn announced_files(shown: &str) -> Vec<u32> {
    announced(shown, FILE_OPENING).collect()
}

fn announced<'s>(shown: &'s str, opening: &'s str) -> impl Iterator<Item = u32> + 's {
    shown
        .lines()
        .filter_map(move |line| announced_number(line, opening))
}

/// An announcement is a whole line. Within a line the same characters are words of the person.
fn announced_number(line: &str, opening: &str) -> Option<u32> {
    let inner = line.strip_prefix(opening)?.strip_suffix(']')?;
    inner.split_once(',')?.0.parse().ok()
}

/// The person's own words: the lines of a shown message before pasted texts and file names.
pub fn lead_of(shown: &str) -> &str {
    let announces = |line: &str| {
        let mut openings = [TEXT_OPENING, FILE_OPENING].into_iter();
        openings.any(|opening| announced_number(line, opening).is_some())
    };
    let own = shown.split_inclusive('\n');
    let own = own.take_while(|line| !announces(line.trim_end()));
    &shown[..own.map(str::len).sum()]
}

/// The numbers of the texts that this call names in handle parameters, whether or not they exist.
pub fn mentioned_texts(parameters: &Value, call: &ToolCall) -> Vec<u32> {
    // Most calls name none; this avoids parsing long arguments twice.
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
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.files.is_empty()
    }

    /// Replaces handles by contents in arguments whose schema accepts a handle.
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

fn takes(parameters: &Value, parameter: &str) -> Option<&'static str> {
    let keyword = parameters
        .get("properties")?
        .get(parameter)?
        .get(SCHEMA_KEYWORD)?;
    ["text", "file"].into_iter().find(|kind| keyword == kind)
}

/// Parses a handle's number, also from an announcement: `[text:1, …]`.
fn handle_number(given: &str, kind: &str) -> Option<u32> {
    let given = given.trim();
    let bare = match given.strip_prefix('[').and_then(|g| g.strip_suffix(']')) {
        Some(shown) => shown.split_once(',').map_or(shown, |(handle, _)| handle),
        None => given,
    };
    bare.strip_prefix(kind)?.strip_prefix(':')?.parse().ok()
}

/// People write a request, then paste: a short first paragraph before a blank line (or a first line
/// that ends in a colon) is the lead, the rest is the block.
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
