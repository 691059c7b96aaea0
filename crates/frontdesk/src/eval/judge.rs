//! Pass criteria: compares the calls, the answer and its sources with the expectations of a suite.

use frontdesk_core::model::Usage;
use frontdesk_core::toolbox::Offer;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::document::{self, SavedDocument};
use super::suite::{Expected, Matcher, Turn};

#[derive(Clone, Debug, Default)]
pub struct MessageResult {
    pub calls: Vec<(String, Value)>,
    pub text: String,
    pub cited: Vec<String>,
    pub documents: Vec<SavedDocument>,
    /// Text that the person has written, pasted and attached so far.
    pub material: Vec<String>,
    pub usage: Usage,
    pub seconds: f64,
    pub lines: Vec<Line>,
    /// The reason for a missing answer.
    pub failure: Option<String>,
}

/// A line of a transcript.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    pub who: Speaker,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    Person,
    Assistant,
    Call,
    Result,
}

impl Line {
    pub fn new(who: Speaker, text: impl Into<String>) -> Self {
        Self {
            who,
            text: text.into(),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// Exactly the expected tools were called, or none and the expected question was asked.
    pub tools: bool,
    /// All arguments match as well.
    pub arguments: bool,
    pub asked_for_calls: bool,
    pub wrong_writes: usize,
    /// An unexpected tool was called.
    pub wrong_call: bool,
    /// The message resembles a declared example of a tool.
    pub like_example: bool,
    pub problems: Vec<String>,
}

#[derive(Clone, Copy)]
pub struct JudgeContext<'a> {
    pub offer: &'a Offer,
    /// False if every write becomes a form for the person to decide, so no write can be wrong.
    pub may_write: bool,
    /// The following message. If it completes a write, an incomplete form of that tool counts as
    /// the expected question.
    pub next: Option<&'a Turn>,
}

impl JudgeContext<'_> {
    /// True for a form with gaps, if the suite expects a question or the next message fills the
    /// gaps.
    fn is_question(&self, turn: &Turn, (name, arguments): &(String, Value)) -> bool {
        let next = self.next.and_then(|turn| turn.calls.first());
        let tool = self.offer.tools.iter().find(|tool| tool.name == *name);
        let gaps = tool.is_some_and(|tool| {
            let required = tool.parameters["required"].as_array();
            let own = tool.spec.own_name.as_deref();
            let mut required = required.into_iter().flatten().filter_map(Value::as_str);
            required.any(|field| own != Some(field) && arguments.get(field).is_none())
        });
        let asked = next.is_some_and(|next| next.tool == *name) || (gaps && !turn.asks.is_empty());
        let writes = tool.is_some_and(|tool| tool.spec.effect.writes());
        let given = |(name, value): (&String, &Value)| {
            let wanted = next.and_then(|next| next.with.get(name));
            wanted.is_none_or(|wanted| folded(wanted) == folded(value))
        };
        let right = arguments
            .as_object()
            .is_none_or(|own| own.iter().all(given));
        !self.may_write && asked && writes && right
    }
}

pub fn judge(turn: &Turn, rules: JudgeContext<'_>, result: &MessageResult) -> Judgement {
    let offer = rules.offer;
    let form = turn.calls.is_empty()
        && matches!(result.calls.as_slice(), [one] if rules.is_question(turn, one));
    let none = Vec::new();
    let calls = if form { &none } else { &result.calls };
    let same_tools = calls.len() == turn.calls.len()
        && calls
            .iter()
            .zip(&turn.calls)
            .all(|(call, expected)| call.0 == expected.tool);
    let tools = same_tools && (form || !calls.is_empty() || result.text.contains(&turn.asks));
    let arguments = tools
        && calls
            .iter()
            .zip(&turn.calls)
            .all(|(call, expected)| fits(&call.1, expected));
    let writes = |name: &str| {
        let mut tools = offer.tools.iter();
        tools.any(|tool| tool.name == name && tool.spec.effect.writes())
    };
    let unasked = |call: &&(String, Value)| {
        let meant = |expected: &Expected| call.0 == expected.tool && is_harmless(&call.1, expected);
        rules.may_write && writes(&call.0) && !turn.calls.iter().any(meant)
    };
    let mut judgement = Judgement {
        tools,
        arguments,
        asked_for_calls: !turn.calls.is_empty(),
        wrong_writes: calls.iter().filter(unasked).count(),
        wrong_call: calls
            .iter()
            .any(|call| !turn.calls.iter().any(|meant| meant.tool == call.0)),
        like_example: is_like_example(&turn.say, offer),
        problems: Vec::new(),
    };
    judgement.problems = problems(turn, result, &judgement);
    judgement
}

fn problems(turn: &Turn, result: &MessageResult, judged: &Judgement) -> Vec<String> {
    let mut problems = Vec::new();
    problems.extend(result.failure.iter().map(|why| format!("no answer: {why}")));
    if judged.wrong_writes > 0 {
        problems.push("WRONG WRITE".to_owned());
    }
    if !judged.arguments {
        let wanted: Vec<String> = turn.calls.iter().map(wanted).collect();
        let got = result.calls.iter();
        let got: Vec<String> = got.map(|(name, with)| format!("{name} {with}")).collect();
        problems.push(match (turn.calls.is_empty(), result.calls.is_empty()) {
            (true, true) => format!("did not ask {:?}", turn.asks),
            _ => format!("wanted {wanted:?}, got {got:?}"),
        });
    }
    for name in &turn.never {
        if result.calls.iter().any(|call| call.0 == *name) {
            problems.push(format!("called {name}, which is forbidden here"));
        }
    }
    let said = result.text.to_lowercase();
    let is_said = |fact: &str| {
        let mut ways = fact.split('|');
        ways.any(|way| said.contains(&way.trim().to_lowercase()))
    };
    let facts = turn.says.iter();
    for fact in facts.filter(|fact| !is_said(fact)) {
        problems.push(format!("did not say {fact:?}"));
    }
    for fact in turn.says_not.iter().filter(|fact| is_said(fact)) {
        problems.push(format!("said {fact:?}"));
    }
    for source in &turn.cites {
        if !result.cited.iter().any(|cited| is_source(cited, source)) {
            problems.push(format!("did not cite {source}"));
        }
    }
    let found = document::problems(&turn.documents, &result.documents, &result.material);
    problems.extend(found);
    problems
}

/// Compares the end of the address, without its anchor.
fn is_source(cited: &str, wanted: &str) -> bool {
    let page = cited.split('#').next().unwrap_or(cited);
    page.ends_with(wanted)
}

fn wanted(expected: &Expected) -> String {
    let with = json!(expected.with);
    match expected.like.is_empty() {
        true => format!("{} {with}", expected.tool),
        false => format!("{} {with} and {:?}", expected.tool, expected.like),
    }
}

fn fits(arguments: &Value, expected: &Expected) -> bool {
    let Some(got) = arguments.as_object() else {
        return false;
    };
    let rest: serde_json::Map<String, Value> = got
        .iter()
        .filter(|(name, _)| !expected.like.contains_key(*name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let wanted = Value::Object(expected.with.clone());
    let mut matchers = expected.like.iter();
    folded(&Value::Object(rest)) == folded(&wanted)
        && matchers.all(|(name, matcher)| matcher.fits(got.get(name)))
}

impl Matcher {
    fn fits(&self, value: Option<&Value>) -> bool {
        match self {
            Matcher::Contains(part) => value.is_some_and(|value| {
                let text = match value {
                    Value::String(text) => text.clone(),
                    Value::Null
                    | Value::Bool(_)
                    | Value::Number(_)
                    | Value::Array(_)
                    | Value::Object(_) => value.to_string(),
                };
                text.to_lowercase().contains(&part.to_lowercase())
            }),
            Matcher::OneOf(values) => value.is_some_and(|value| {
                let mut values = values.iter();
                values.any(|one| folded(one) == folded(value))
            }),
            Matcher::Any(needed) => value.is_some() || !needed,
        }
    }
}

/// Normalises letter case and removes a leading article.
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

/// True if the call matches the expected one, where one of two longer texts may contain the other.
fn is_harmless(arguments: &Value, expected: &Expected) -> bool {
    let Some(got) = arguments.as_object() else {
        return false;
    };
    let wanted = &expected.with;
    let same = |(name, value): (&String, &Value)| match (value.as_str(), wanted.get(name)) {
        (_, None) => expected
            .like
            .get(name)
            .is_some_and(|matcher| matcher.fits(Some(value))),
        (Some(text), Some(wanted)) => wanted.as_str().is_some_and(|wanted| {
            let (text, wanted) = (text.to_lowercase(), wanted.to_lowercase());
            let several = wanted.contains(' ') && text.contains(' ');
            text == wanted || (several && (text.contains(&wanted) || wanted.contains(&text)))
        }),
        (None, Some(wanted)) => value == wanted,
    };
    wanted.keys().all(|name| got.contains_key(name)) && got.iter().all(same)
}

/// True if most words occur in one example, apart from the values.
fn is_like_example(say: &str, offer: &Offer) -> bool {
    const MIN_SHARE: f64 = 0.6;
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
        all > 0 && super::report::share(shared, all) >= MIN_SHARE
    })
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod judge_tests;
