//! What has been said, read from a prompt: the person's words apart from what they
//! pasted and attached, this turn apart from earlier ones. Only the end of a long
//! history is looked at, so a reply costs the same however long the conversation is.

use frontdesk_core::handle::LongBlock;
use frontdesk_core::message::{Message, ToolCall};
use frontdesk_core::model::Prompt;
use frontdesk_core::transcript::parse_joined;
use serde_json::{Map, Value};

use super::values::when::Clock;

pub(super) struct Dialogue {
    pub(super) clock: Option<Clock>,
    /// What the server told beside the instructions, newest last.
    pub(super) context: Vec<String>,
    /// What came before the newest message of the person, oldest first.
    pub(super) before: Vec<Entry>,
    pub(super) said: Option<Said>,
    /// The calls of this turn.
    pub(super) done: Vec<Done>,
}

#[derive(Clone, Debug)]
pub(super) enum Entry {
    Person(Said),
    Answer(String),
    Call(Done),
}

/// A message of the person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    /// Their words; what was pasted or attached is left out.
    pub(super) text: String,
    pub(super) texts: Vec<u32>,
    /// What stands right before each of these, on the same line or the one above.
    pub(super) leads: Vec<String>,
    pub(super) files: Vec<u32>,
    /// A text that was pasted below the words and is too short to have a handle.
    pub(super) block: Option<String>,
}

/// A call that was made and what came of it.
#[derive(Clone, Debug)]
pub(super) struct Done {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: Map<String, Value>,
    /// `None` while there is no answer.
    pub(super) result: Option<String>,
}

impl Done {
    /// The result, unless it is an error.
    pub(super) fn success(&self) -> Option<&str> {
        self.result.as_deref().filter(|text| !is_error(text))
    }
}

pub(super) fn is_error(result: &str) -> bool {
    result.starts_with(ERROR)
}

/// How the engine begins what it tells of a call that failed or was refused.
pub(super) const ERROR: &str = "Error: ";

impl Dialogue {
    pub(super) fn read(prompt: &Prompt<'_>, recent_messages: usize) -> Self {
        let mut dialogue = Self {
            said: None,
            ..Self::of_message(Said::default())
        };
        // The first system message is instructions: what stands there is no fact.
        let fixed = second(prompt.system).map_or(&[][..], |at| &prompt.system[at..]);
        for message in parse_joined(fixed) {
            dialogue.take(message);
        }
        for part in [ending(prompt.history, recent_messages), prompt.tail] {
            for message in parse_joined(part) {
                dialogue.take(message);
            }
        }
        let clock = dialogue.context.iter().rev();
        dialogue.clock = clock.flat_map(|text| text.lines()).find_map(Clock::read);
        dialogue
    }

    /// Parts what people wrote from what they pasted below it. Only where some tool takes
    /// such texts: elsewhere a second line is as much a request as the first.
    pub(super) fn part_blocks(mut self, is_order: &dyn Fn(&str) -> bool) -> Self {
        let before = self.before.iter_mut().filter_map(|entry| match entry {
            Entry::Person(said) => Some(said),
            Entry::Answer(_) | Entry::Call(_) => None,
        });
        for said in before.chain(&mut self.said) {
            said.part_block(is_order);
        }
        self
    }

    /// A conversation that begins with this message.
    pub(super) fn of_message(said: Said) -> Self {
        Self {
            clock: None,
            context: Vec::new(),
            before: Vec::new(),
            said: Some(said),
            done: Vec::new(),
        }
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::System { content } => self.context.push(content),
            Message::User { content, .. } => {
                if let Some(earlier) = self.said.replace(Said::read(&content)) {
                    self.before.push(Entry::Person(earlier));
                }
                self.before.extend(self.done.drain(..).map(Entry::Call));
            }
            Message::Assistant {
                content,
                tool_calls,
            } => {
                if !tool_calls.is_empty() {
                    self.done.extend(tool_calls.into_iter().map(Done::started));
                } else if let Some(text) = content {
                    self.before.extend(self.said.take().map(Entry::Person));
                    self.before.extend(self.done.drain(..).map(Entry::Call));
                    self.before.push(Entry::Answer(text));
                }
            }
            Message::Tool {
                tool_call_id,
                content,
                ..
            } => {
                let open = |done: &&mut Done| done.id == tool_call_id && done.result.is_none();
                if let Some(done) = self.done.iter_mut().find(open) {
                    done.result = Some(content);
                }
            }
        }
    }

    /// The dialogue as it was when this entry was the newest message, with the calls
    /// that its turn made.
    pub(super) fn until(&self, entry: usize) -> Dialogue {
        let calls = self
            .before
            .iter()
            .skip(entry + 1)
            .map_while(|entry| match entry {
                Entry::Call(done) => Some(done.clone()),
                Entry::Person(_) | Entry::Answer(_) => None,
            });
        Dialogue {
            clock: self.clock,
            context: self.context.clone(),
            before: self.before[..entry.min(self.before.len())].to_vec(),
            said: None,
            done: calls.collect(),
        }
    }
}

impl Done {
    fn started(call: ToolCall) -> Self {
        let arguments = call.parse_arguments().unwrap_or_default();
        Self {
            id: call.id,
            name: call.name,
            arguments,
            result: None,
        }
    }
}

/// Messages are joined as `{…},{…}`, with the content or the role first. Inside a text
/// every quote is escaped, and nothing inside a message begins with these keys, so such
/// bytes stand between two messages and nowhere else.
fn begins_message(joined: &[u8], at: usize) -> bool {
    let rest = joined[at..].strip_prefix(b"},{\"");
    rest.is_some_and(|rest| rest.starts_with(b"content\":") || rest.starts_with(b"role\":"))
}

/// Where the second message begins.
fn second(joined: &[u8]) -> Option<usize> {
    (0..joined.len())
        .find(|at| begins_message(joined, *at))
        .map(|at| at + 2)
}

/// The last messages of a history, without reading what comes before them.
fn ending(joined: &[u8], messages: usize) -> &[u8] {
    if messages == 0 {
        return &[];
    }
    let starts = (0..joined.len())
        .rev()
        .filter(|at| begins_message(joined, *at));
    match starts.take(messages).nth(messages - 1) {
        Some(at) => &joined[at + 2..],
        None => joined,
    }
}

/// Longer than this without a handle, and with no words of its own before it, a message
/// is a paste: it is not searched for requests.
const LONGEST_SAID: usize = 4_000;

/// What stands below the first line is a text of its own from this length on.
const SHORTEST_BLOCK: usize = 20;

impl Said {
    /// Whether a text was pasted, long or short.
    pub(super) fn has_text(&self) -> bool {
        !self.texts.is_empty() || self.block.is_some()
    }

    fn part_block(&mut self, is_order: &dyn Fn(&str) -> bool) {
        let Some((lead, below)) = self.text.split_once('\n') else {
            return;
        };
        let (lead, below) = (lead.trim(), below.trim());
        let long = below.chars().count() >= SHORTEST_BLOCK;
        let first = below.lines().next().unwrap_or_default();
        if lead.is_empty() || !long || !self.texts.is_empty() || is_order(first) {
            return;
        }
        self.block = Some(below.to_owned());
        self.text = lead.to_owned();
    }

    fn read(content: &str) -> Said {
        let mut said = Said::default();
        let mut rest = content;
        while let Some((before, handle, after)) = next_handle(rest) {
            said.text.push_str(before);
            match handle {
                Handle::Text(number) => {
                    said.texts.push(number);
                    let lead = before.trim().lines().next_back().unwrap_or_default();
                    said.leads.push(lead.to_owned());
                    // The first and last lines of the block follow, to the end, unless another handle does.
                    if after.starts_with('\n') && !leads_to_handle(after) {
                        rest = "";
                        continue;
                    }
                }
                Handle::File(number) => said.files.push(number),
            }
            said.text.push(' ');
            rest = after;
        }
        said.text.push_str(rest);
        if said.text.len() > LONGEST_SAID {
            let lead = LongBlock::find(&said.text).map(|block| block.lead.to_owned());
            said.text = lead.unwrap_or_default();
        }
        said.text = said.text.trim().to_owned();
        said
    }
}

/// Whether nothing stands before the next handle but a line that introduces it ("and last year's ad:").
fn leads_to_handle(text: &str) -> bool {
    let opens = |text: &str| text.starts_with("[text:") || text.starts_with("[file:");
    let next = text.trim_start();
    let (line, rest) = next.split_once('\n').unwrap_or((next, ""));
    opens(next) || line.trim_end().ends_with(':') && opens(rest.trim_start())
}

enum Handle {
    Text(u32),
    File(u32),
}

/// The first `[text:1, …]`, `[file:1 …]` or bare `file:1`, with what is around it.
fn next_handle(text: &str) -> Option<(&str, Handle, &str)> {
    let mut from = 0;
    while let Some(found) = text[from..].find(':') {
        let colon = from + found;
        from = colon + 1;
        let name = ["text", "file"]
            .into_iter()
            .find(|name| text[..colon].ends_with(name));
        let Some(name) = name else { continue };
        let digits = text[from..].bytes().take_while(u8::is_ascii_digit).count();
        let Ok(number) = text[from..from + digits].parse() else {
            continue;
        };
        let start = colon - name.len();
        let bracket = text[..start].ends_with('[');
        let end = match (bracket, text[from..].find(']')) {
            (true, Some(close)) => from + close + 1,
            (true, None) | (false, _) => from + digits,
        };
        let handle = match name {
            "text" => Handle::Text(number),
            _ => Handle::File(number),
        };
        return Some((&text[..start - usize::from(bracket)], handle, &text[end..]));
    }
    None
}

#[cfg(test)]
#[path = "dialogue_tests.rs"]
mod dialogue_tests;
