//! An assistant's `phrasings.txt`: example messages by tool.

use serde_json::Value;

/// Sentences with one meaning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Group {
    /// The tools for it, one per role; empty if the sentences ask for nothing.
    pub(crate) tools: Vec<String>,
    /// Parameter values that every sentence of the group expresses.
    pub(crate) values: Vec<(String, Value)>,
    pub(crate) sentences: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Phrasings {
    pub(crate) groups: Vec<Group>,
}

/// The heading of sentences that ask for nothing.
const NOTHING: &str = "nothing";

impl Phrasings {
    /// Parses a list: `[tool]` or `[tool, tool]` above its sentences, one per line; `[tool:
    /// parameter=value]` above those that also express a value; `[nothing]` above those without a
    /// tool. `#` starts a comment.
    pub(crate) fn parse(list: &str) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        let lines = list.lines().map(str::trim);
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let heading = line
                .strip_prefix('[')
                .and_then(|rest| rest.strip_suffix(']'));
            match (heading, groups.last_mut()) {
                (Some(heading), _) => groups.push(group(heading)),
                (None, Some(group)) => group.sentences.push(line.to_owned()),
                (None, None) => {}
            }
        }
        Self { groups }
    }
}

fn group(heading: &str) -> Group {
    let (tools, values) = heading.split_once(':').unwrap_or((heading, ""));
    let tools = tools.split(',').map(str::trim);
    Group {
        tools: tools
            .filter(|tool| *tool != NOTHING)
            .map(str::to_owned)
            .collect(),
        values: values.split(',').filter_map(value).collect(),
        sentences: Vec::new(),
    }
}

/// `parameter=value`: a number or a boolean if it parses as one, otherwise a text.
fn value(pair: &str) -> Option<(String, Value)> {
    let (name, text) = pair.split_once('=')?;
    let text = text.trim();
    let value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    Some((name.trim().to_owned(), value))
}

#[cfg(test)]
#[path = "phrasings_tests.rs"]
mod phrasings_tests;
