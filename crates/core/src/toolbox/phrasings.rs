//! What people say to an assistant, by the tools they mean by it: teaching for the offline model. No other
//! model is sent any of it.

use serde_json::Value;

use crate::tool::ToolDef;

/// Everything that was written down, in groups that mean the same tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phrasings {
    pub groups: Vec<Group>,
}

/// Sentences with one meaning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// The tool that is meant; more than one where each role has its own. None: nothing is asked for.
    pub tools: Vec<String>,
    /// What its sentences say of the tool's choices, named or not, by parameter.
    pub values: Vec<(String, Value)>,
    pub said: Vec<String>,
}

/// The heading of what asks for nothing.
const NOTHING: &str = "nothing";

impl Phrasings {
    /// Reads a list: `[tool]` or `[tool, tool]` above the sentences that mean it, one on each line,
    /// `[tool: parameter=value]` above those that also say which of its choices is meant, `[nothing]`
    /// above those that mean none; `#` begins a comment.
    pub fn parse(list: &str) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        let lines = list.lines().map(str::trim);
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let heading = line
                .strip_prefix('[')
                .and_then(|rest| rest.strip_suffix(']'));
            match (heading, groups.last_mut()) {
                (Some(heading), _) => {
                    let (tools, values) = heading.split_once(':').unwrap_or((heading, ""));
                    let tools = tools.split(',').map(str::trim);
                    let tools = tools.filter(|tool| *tool != NOTHING);
                    groups.push(Group {
                        tools: tools.map(str::to_owned).collect(),
                        values: values.split(',').filter_map(value).collect(),
                        said: Vec::new(),
                    });
                }
                (None, Some(group)) => group.said.push(line.to_owned()),
                (None, None) => {}
            }
        }
        Self { groups }
    }

    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// A tool that a heading names and that is none of these.
    pub(super) fn unknown_tool<'a>(&'a self, names: &[&str]) -> Option<&'a str> {
        let mut named = self.groups.iter().flat_map(|group| &group.tools);
        let unknown = named.find(|name| !names.contains(&name.as_str()));
        unknown.map(String::as_str)
    }

    /// What a tool declares as its examples is said, too.
    pub(super) fn with_examples<'a>(mut self, defs: impl Iterator<Item = &'a ToolDef>) -> Self {
        if self.groups.is_empty() {
            return self;
        }
        for def in defs {
            for example in &def.spec.examples {
                let arguments = &example.arguments;
                let own = |group: &&mut Group| {
                    let mut tools = group.tools.iter();
                    let given =
                        |(name, value): &(String, Value)| arguments.get(name) == Some(value);
                    tools.any(|tool| *tool == def.name) && group.values.iter().all(given)
                };
                let groups = self.groups.iter_mut().filter(own);
                // Where a group is for its very choice, that one.
                match groups.max_by_key(|group| group.values.len()) {
                    Some(group) => group.said.push(example.say.to_string()),
                    None => self.groups.push(Group {
                        tools: vec![def.name.to_string()],
                        values: Vec::new(),
                        said: vec![example.say.to_string()],
                    }),
                }
            }
        }
        self
    }
}

/// `parameter=value`: a number, `true` or `false` is what it says, all else a text.
fn value(pair: &str) -> Option<(String, Value)> {
    let (name, value) = pair.split_once('=')?;
    let text = value.trim();
    let value = serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()));
    Some((name.trim().to_owned(), value))
}

#[cfg(test)]
#[path = "phrasings_tests.rs"]
mod phrasings_tests;
