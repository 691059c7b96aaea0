//! Text answers: choices, questions about missing values, and reasons why a tool cannot be used.

use frontdesk_core::access::Role;
use frontdesk_core::form;
use frontdesk_core::phase::Phase;
use frontdesk_core::toolbox::Bar;
use serde_json::{Map, Value};

use super::{Decider, Decision};
use crate::catalog::{Intent, Tool};
use crate::language::Language;
use crate::say::{plain, question_opening};
use crate::schema::{Kind, Param};

/// Maximum number of tools to choose from.
const CHOICES: usize = 3;
/// Maximum number of missing values per question.
const ASKED_AT_ONCE: usize = 2;
/// Maximum number of values shown as buttons.
const MOST_VALUES: usize = 6;

impl Decider<'_> {
    /// A phrase with the best matching tools as buttons.
    pub(super) fn choices(&self, key: &str, message: &str) -> Decision {
        Decision::say(self.phrase(key), self.likely_titles(message))
    }

    fn likely_titles(&self, message: &str) -> Vec<String> {
        let ranked = self.catalog.intents(message).into_iter();
        let best = ranked.filter_map(|(intent, _)| match intent {
            Intent::Tool(place) => Some(self.catalog.tools[place].title.clone()),
            Intent::Elsewhere(_) | Intent::Nothing => None,
        });
        best.take(CHOICES).collect()
    }

    /// Lists all tools, the first of them as buttons.
    pub(super) fn help(&self) -> Decision {
        let titles: Vec<String> = self
            .catalog
            .tools
            .iter()
            .map(|tool| tool.title.clone())
            .collect();
        let text = format!("{}\n- {}", self.phrase("can_do"), titles.join("\n- "));
        Decision::say(text, titles.into_iter().take(CHOICES).collect())
    }

    /// Asks for one or two of the missing values.
    pub(super) fn question(&self, tool: &Tool, missing: &[&Param]) -> Decision {
        let asked = &missing[..missing.len().min(ASKED_AT_ONCE)];
        let labels: Vec<&str> = asked.iter().map(|param| param.label.as_str()).collect();
        let opening = question_opening(self.language, &tool.title);
        let choices = match asked {
            [only] => self.values_of(only),
            _ => Vec::new(),
        };
        Decision::say(format!("{opening}\n- {}", labels.join("\n- ")), choices)
    }

    /// Says which words a read would ignore, and offers it without them: the values that were understood. If there
    /// are none, it offers the likely tools.
    pub(super) fn doubtful(
        &self,
        place: usize,
        arguments: &Map<String, Value>,
        unused: &[String],
        message: &str,
    ) -> Decision {
        let tool = &self.catalog.tools[place];
        let quoted: Vec<String> = unused.iter().map(|word| format!("“{word}”")).collect();
        let mut lines = vec![format!("{} {}.", self.phrase("unused"), quoted.join(", "))];
        if arguments.is_empty() {
            lines.push(self.phrase("which").to_owned());
            return Decision::say(lines.join("\n"), self.likely_titles(message));
        }
        let values = tool.params.iter().filter_map(|param| {
            let value = arguments.get(&param.name)?;
            Some(format!(
                "- {}: {}",
                param.label,
                plain(value, self.language)
            ))
        });
        let values: Vec<String> = values.collect();
        if !values.is_empty() {
            lines.push(self.phrase("understood").replace("{title}", &tool.title));
            lines.extend(values);
        }
        Decision::say(lines.join("\n"), vec![tool.title.clone()])
    }

    fn values_of(&self, param: &Param) -> Vec<String> {
        if matches!(param.kind, Kind::Boolean) {
            return vec![self.phrase("yes").to_owned(), self.phrase("no").to_owned()];
        }
        let Kind::Choice(values) = &param.kind else {
            return Vec::new();
        };
        let shown = values.iter().map(|value| form::words(&form::shown(value)));
        shown.filter(|_| values.len() <= MOST_VALUES).collect()
    }

    /// Explains why the person cannot use a tool, and how to reach it if possible.
    pub(super) fn barred(&self, other: usize) -> Decision {
        let other = &self.catalog.elsewhere[other];
        let phase = other.tool.spec.phases.first().map(Phase::as_str);
        match phase.filter(|_| other.bar == Bar::Phase) {
            Some(phase) => {
                let text = self
                    .phrase("other_phase")
                    .replace("{title}", &other.tool.title());
                let text = text.replace("{phase}", &form::words(phase));
                Decision::say(text, self.way_to(phase).into_iter().collect())
            }
            None => Decision::say(self.only_for(&other.tool.title()), Vec::new()),
        }
    }

    /// "Only HR can create a gate pass."
    fn only_for(&self, title: &str) -> String {
        let same = self.catalog.elsewhere.iter();
        let same = same.filter(|other| other.bar == Bar::Role && other.tool.title() == title);
        let roles = same.flat_map(|other| &other.tool.spec.roles);
        // People call the role `HR_User` "HR".
        let words = |role: &Role| role.as_str().trim_end_matches("_User").replace('_', " ");
        let mut roles: Vec<String> = roles.map(words).collect();
        roles.sort_unstable();
        roles.dedup();
        let roles = roles.join(&format!(" {} ", self.phrase("or")));
        let inside = self.language == Language::English;
        let first = if inside {
            char::to_ascii_lowercase
        } else {
            |c: &char| *c
        };
        let title = with_first(title, first);
        self.phrase("other_role")
            .replace("{roles}", &roles)
            .replace("{title}", &title)
    }

    /// A sentence that moves the conversation to a phase: an example or phrasing of an offered tool
    /// that takes the phase as a value.
    fn way_to(&self, phase: &str) -> Option<String> {
        let sentence = self.catalog.tools.iter().find_map(|tool| {
            let goes = |param: &&Param| matches!(&param.kind, Kind::Choice(values) if values.iter().any(|value| value == phase));
            let param = tool.params.iter().find(goes)?;
            let mut examples = tool.examples.iter();
            let example = examples.find(|example| example.arguments[&param.name] == phase);
            let mut groups = self.catalog.phrasings.groups.iter();
            let group = groups.find(|group| {
                let value = group.values.iter().find(|(name, _)| *name == param.name);
                group.tools.contains(&tool.name) && value.is_some_and(|(_, value)| value == phase)
            });
            let phrasing = || group.and_then(|group| group.sentences.first().cloned());
            example.map(|example| example.say.to_string()).or_else(phrasing)
        })?;
        Some(with_first(&sentence, char::to_ascii_uppercase))
    }
}

fn with_first(text: &str, change: fn(&char) -> char) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| change(&first));
    first.into_iter().chain(chars).collect()
}
