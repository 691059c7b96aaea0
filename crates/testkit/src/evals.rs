//! Evaluation suites (`evals/*.toml` of an assistant): what people say, and the calls that
//! must follow. Judges a model by its decisions alone; no tool is run.
//!
//! ```toml
//! [[case]]
//! as = "hr"
//! say = "Create a gate pass for Ali Khan"
//! asks = "Purpose"              # part of the words that must come, without any call
//! [[case.then]]                 # the same conversation goes on
//! say = "bank visit, he will be back"
//! calls = [{ tool = "create_gate_pass", with = { person_name = "Ali Khan" } }]
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use frontdesk_core::handle::LongBlock;
use frontdesk_core::message::{Message, ToolCall};
use frontdesk_core::model::{Ask, DeltaSink, Model, ModelSettings, Prompt};
use frontdesk_core::toolbox::Offer;
use serde::Deserialize;
use serde_json::{Value, json};

/// A file of cases.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    #[serde(rename = "case")]
    pub cases: Vec<Case>,
}

/// One conversation.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The persona who speaks.
    #[serde(rename = "as")]
    pub persona: String,
    /// The phase of the conversation; the first one unless given.
    pub phase: Option<String>,
    /// What the assistant tells the model about the moment, line by line.
    #[serde(default)]
    pub context: Vec<String>,
    pub say: String,
    #[serde(default)]
    pub files: Vec<String>,
    /// A long text that is pasted after the words.
    pub paste: Option<String>,
    #[serde(default)]
    pub calls: Vec<Expected>,
    #[serde(default)]
    pub asks: String,
    /// What tools bring, by name; else their arguments come back.
    #[serde(default)]
    pub returns: BTreeMap<String, String>,
    #[serde(default)]
    pub then: Vec<Turn>,
}

/// One message of a conversation.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    pub say: String,
    #[serde(default)]
    pub files: Vec<String>,
    pub paste: Option<String>,
    #[serde(default)]
    pub calls: Vec<Expected>,
    #[serde(default)]
    pub asks: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    pub tool: String,
    #[serde(default)]
    pub with: serde_json::Map<String, Value>,
}

/// How a suite went.
#[derive(Debug, Default)]
pub struct Score {
    pub messages: usize,
    /// Messages that say it as a declared example does.
    pub like_examples: usize,
    pub right_tool: usize,
    pub with_calls: usize,
    pub right_arguments: usize,
    pub wrong_writes: usize,
    /// Messages after which a tool was called that was not meant, where asking was due.
    pub wrong_calls: usize,
    pub failures: Vec<String>,
}

impl Score {
    /// Share of messages after which exactly the right tools were called, or none.
    pub fn tools(&self) -> f64 {
        percent(self.right_tool, self.messages)
    }

    /// Share of messages that call for tools where all arguments were right, too.
    pub fn arguments(&self) -> f64 {
        percent(self.right_arguments, self.with_calls)
    }

    pub fn summary(&self) -> String {
        format!(
            "{} messages ({} like an example): {:.1} % right tool, {:.1} % all arguments, {} wrong writes",
            self.messages,
            self.like_examples,
            self.tools(),
            self.arguments(),
            self.wrong_writes
        )
    }
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

impl Suite {
    pub fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| error.to_string())
    }

    /// Lets a model answer every case. `offer` are the tools of a persona in a phase.
    pub async fn run(
        &self,
        model: &dyn Model,
        offer: impl Fn(&str, Option<&str>) -> Arc<Offer>,
    ) -> Score {
        let mut score = Score::default();
        for case in &self.cases {
            let offer = offer(&case.persona, case.phase.as_deref());
            let mut talk = Talk {
                model,
                offer: &offer,
                returns: &case.returns,
                context: &case.context,
                history: Vec::new(),
                files: 0,
                texts: 0,
            };
            let first = Turn {
                say: case.say.clone(),
                files: case.files.clone(),
                paste: case.paste.clone(),
                calls: case.calls.clone(),
                asks: case.asks.clone(),
            };
            for turn in std::iter::once(&first).chain(&case.then) {
                let (calls, text) = talk.say(turn).await;
                score.judge(&case.persona, &offer, turn, &calls, &text);
            }
        }
        score
    }
}

impl Score {
    fn judge(
        &mut self,
        persona: &str,
        offer: &Offer,
        turn: &Turn,
        calls: &[(String, Value)],
        text: &str,
    ) {
        let alike = |(name, arguments): &(String, Value), expected: &Expected| {
            let wanted = Value::Object(expected.with.clone());
            *name == expected.tool && folded(arguments) == folded(&wanted)
        };
        let same_tools = calls.len() == turn.calls.len()
            && calls
                .iter()
                .zip(&turn.calls)
                .all(|(call, expected)| call.0 == expected.tool);
        let tools = same_tools && (!calls.is_empty() || text.contains(&turn.asks));
        let arguments = tools
            && calls
                .iter()
                .zip(&turn.calls)
                .all(|(call, expected)| alike(call, expected));
        let writes = |name: &str| {
            let mut tools = offer.tools.iter();
            tools.any(|tool| tool.name == name && tool.spec.effect.writes())
        };
        let wrong = calls
            .iter()
            .filter(|call| {
                let meant = |expected: &Expected| {
                    let wanted = Value::Object(expected.with.clone());
                    call.0 == expected.tool && is_harmless(&call.1, &wanted)
                };
                writes(&call.0) && !turn.calls.iter().any(meant)
            })
            .count();
        self.messages += 1;
        self.like_examples += usize::from(is_like_example(&turn.say, offer));
        self.right_tool += usize::from(tools);
        self.with_calls += usize::from(!turn.calls.is_empty());
        self.right_arguments += usize::from(arguments && !turn.calls.is_empty());
        self.wrong_writes += wrong;
        let named = |name: &str| turn.calls.iter().any(|expected| expected.tool == name);
        self.wrong_calls += usize::from(calls.iter().any(|call| !named(&call.0)));
        if !arguments || wrong > 0 {
            let mark = if wrong > 0 { "WRONG WRITE " } else { "" };
            let wanted: Vec<String> = turn
                .calls
                .iter()
                .map(|e| format!("{} {}", e.tool, json!(e.with)))
                .collect();
            let got: Vec<String> = calls.iter().map(|(n, a)| format!("{n} {a}")).collect();
            self.failures.push(format!(
                "{mark}[{persona}] {}\n    wanted {wanted:?} {}\n    got    {got:?} {}",
                turn.say,
                turn.asks,
                text.replace('\n', " / ")
            ));
        }
    }
}

/// Neither the case of letters nor an article before a text makes a difference.
fn folded(value: &Value) -> Value {
    if let Some(fields) = value.as_object() {
        let fields = fields
            .iter()
            .map(|(name, value)| (name.clone(), folded(value)));
        return Value::Object(fields.collect());
    }
    let Some(text) = value.as_str() else {
        return value.clone();
    };
    let text = text.trim_end_matches('.').to_lowercase();
    let articles = ["a ", "an ", "the "].iter();
    let rest = articles
        .into_iter()
        .find_map(|article| text.strip_prefix(article));
    Value::from(rest.unwrap_or(&text))
}

/// Whether a call does what was asked, although a text in it may be longer or shorter.
fn is_harmless(arguments: &Value, wanted: &Value) -> bool {
    let (Some(got), Some(wanted)) = (arguments.as_object(), wanted.as_object()) else {
        return false;
    };
    let same = |(name, value): (&String, &Value)| match (value.as_str(), wanted.get(name)) {
        (_, None) => false,
        (Some(text), Some(wanted)) => wanted.as_str().is_some_and(|wanted| {
            let (text, wanted) = (text.to_lowercase(), wanted.to_lowercase());
            let several = wanted.contains(' ') && text.contains(' ');
            text == wanted || (several && (text.contains(&wanted) || wanted.contains(&text)))
        }),
        (None, Some(wanted)) => value == wanted,
    };
    got.len() == wanted.len() && got.iter().all(same)
}

/// Whether most words are those of one example, whatever the values.
fn is_like_example(say: &str, offer: &Offer) -> bool {
    const LIKE: f64 = 0.6;
    let words = |text: &str| -> Vec<String> {
        text.to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty() && !word.contains(|c: char| c.is_ascii_digit()))
            .map(str::to_owned)
            .collect()
    };
    let said = words(say);
    let examples = offer.tools.iter().flat_map(|tool| &tool.spec.examples);
    examples.into_iter().any(|example| {
        let example = words(&example.say);
        let shared = said.iter().filter(|word| example.contains(word)).count();
        let all = said.len() + example.len() - shared.min(example.len());
        all > 0 && shared as f64 / all as f64 >= LIKE
    })
}

struct Talk<'a> {
    model: &'a dyn Model,
    offer: &'a Offer,
    returns: &'a BTreeMap<String, String>,
    context: &'a [String],
    history: Vec<Message>,
    files: usize,
    texts: u32,
}

/// More rounds than a turn may have.
const MOST_ROUNDS: usize = 8;

/// The clock of every case, so that "tomorrow" means something.
const NOW: &str = "Now: 2026-11-15T20:40:00+00:00, a Sunday.";

impl Talk<'_> {
    async fn say(&mut self, turn: &Turn) -> (Vec<(String, Value)>, String) {
        let mut tail = vec![Message::system(NOW)];
        tail.extend(self.context.iter().map(Message::system));
        let mut words = turn.say.clone();
        for name in &turn.files {
            self.files += 1;
            words.push_str(&format!(
                "\n[file:{}, {name}, image/jpeg, 40000 bytes]",
                self.files
            ));
        }
        if let Some(paste) = &turn.paste {
            self.texts += 1;
            let block = LongBlock {
                lead: &words,
                block: paste,
            };
            words = block.shown(self.texts);
        }
        tail.push(Message::user(words));
        let mut calls = Vec::new();
        for _ in 0..MOST_ROUNDS {
            let reply = self.reply(&tail).await;
            if reply.1.is_empty() {
                tail.push(Message::assistant(reply.0.clone()));
                self.history.append(&mut tail);
                return (calls, reply.0);
            }
            tail.push(Message::calls(None, reply.1.clone()));
            for call in reply.1 {
                let arguments = serde_json::from_str(&call.arguments).unwrap_or_default();
                let result = self.returns.get(&call.name).unwrap_or(&call.arguments);
                tail.push(Message::tool(&call.id, &call.name, result));
                calls.push((call.name, arguments));
            }
        }
        (calls, "no end of rounds".to_owned())
    }

    async fn reply(&self, tail: &[Message]) -> (String, Vec<ToolCall>) {
        let joined = |messages: &[Message]| {
            let wires: Vec<String> = messages
                .iter()
                .map(|message| message.to_openai_format().to_string())
                .collect();
            wires.join(",")
        };
        let system = Bytes::from(joined(&[Message::system("You help.")]));
        let history = Bytes::from(joined(&self.history));
        let settings = ModelSettings {
            model: "evaluated".to_owned(),
            temperature: None,
            max_tokens: None,
        };
        let tail = joined(tail);
        let ask = Ask {
            assistant: "evaluated",
            prompt: Prompt {
                system: &system,
                history: &history,
                tail: tail.as_bytes(),
            },
            offer: self.offer,
            settings: &settings,
            reply_schema: None,
            summaries: &[],
        };
        match self.model.reply(ask, &mut Unheard).await {
            Ok(reply) => (reply.text, reply.calls),
            Err(error) => (format!("no reply: {error}"), Vec::new()),
        }
    }
}

/// Nobody listens while a suite runs.
struct Unheard;

impl DeltaSink for Unheard {
    fn text(&mut self, _: &str) {}
}

#[cfg(test)]
#[path = "evals_tests.rs"]
mod evals_tests;
