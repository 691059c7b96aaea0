//! Answers in words: choices, questions for missing values, and why a tool cannot be used here.

use frontdesk_core::form;
use frontdesk_core::toolbox::Bar;

use super::{Decider, Decision};
use crate::catalog::{Barred, Intent, Tool};
use crate::language::Language;
use crate::say::question_opening;
use crate::schema::{Kind, Param};

/// Tools that are offered to choose from.
const CHOICES: usize = 3;
/// Missing values that one question asks for.
const ASKED_AT_ONCE: usize = 2;
/// Values that fit on buttons.
const MOST_VALUES: usize = 6;

impl Decider<'_> {
    /// A sentence, and the tools that fit the message best as buttons.
    pub(super) fn choices(&self, sentence: &str, message: &str) -> Decision {
        let ranked = self.catalog.intents(message).into_iter();
        let best = ranked.filter_map(|(intent, _)| match intent {
            Intent::Tool(place) => Some(self.catalog.tools[place].title.clone()),
            Intent::Elsewhere(_) | Intent::Nothing => None,
        });
        Decision::say(sentence).with_choices(best.take(CHOICES).collect())
    }

    /// What can be done here: all tools, the first of them as buttons.
    pub(super) fn help(&self) -> Decision {
        let titles: Vec<String> = self
            .catalog
            .tools
            .iter()
            .map(|tool| tool.title.clone())
            .collect();
        let list: Vec<String> = titles.iter().map(|title| format!("- {title}")).collect();
        let text = format!("{}\n{}", self.phrases().can_do, list.join("\n"));
        Decision::say(text).with_choices(titles.into_iter().take(CHOICES).collect())
    }

    /// Asks for one or two of the missing values.
    pub(super) fn question(&self, tool: &Tool, missing: &[&Param]) -> Decision {
        let asked = &missing[..missing.len().min(ASKED_AT_ONCE)];
        let lines: Vec<String> = asked
            .iter()
            .map(|param| format!("- {}", param.label))
            .collect();
        let text = format!(
            "{}\n{}",
            question_opening(self.language, &tool.title),
            lines.join("\n")
        );
        let choices = match asked {
            [only] => self.values_of(only),
            _ => Vec::new(),
        };
        Decision::say(text).with_choices(choices)
    }

    fn values_of(&self, param: &Param) -> Vec<String> {
        let phrases = self.phrases();
        match &param.kind {
            Kind::Boolean => vec![phrases.yes.to_owned(), phrases.no.to_owned()],
            Kind::Choice(values) if values.len() <= MOST_VALUES => values
                .iter()
                .map(|value| form::words(&form::shown(value)))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Why the person cannot use a tool, and the way to it where there is one.
    pub(super) fn barred(&self, other: usize) -> Decision {
        let barred = &self.catalog.barred[other];
        match (barred.bar, barred.phases.first()) {
            (Bar::Phase, Some(phase)) => {
                let text = self.phrases().other_phase;
                let text = text.replace("{title}", &barred.title);
                let text = text.replace("{phase}", &form::words(phase));
                Decision::say(text).with_choices(self.way_to(phase).into_iter().collect())
            }
            (Bar::Role | Bar::Phase, _) => Decision::say(self.only_for(barred)),
        }
    }

    /// "Only HR can create a gate pass."
    fn only_for(&self, barred: &Barred) -> String {
        let same = self
            .catalog
            .barred
            .iter()
            .filter(|other| other.title == barred.title);
        let roles = same
            .filter(|other| other.bar == Bar::Role)
            .flat_map(|other| &other.roles);
        let mut roles: Vec<String> = roles.map(|role| role_in_words(role)).collect();
        roles.sort_unstable();
        roles.dedup();
        let joined = roles.join(&format!(" {} ", self.phrases().or));
        let title = match self.language {
            Language::English => uncapitalized(&barred.title),
            Language::Swedish
            | Language::Danish
            | Language::Norwegian
            | Language::German
            | Language::Russian => barred.title.clone(),
        };
        let text = self.phrases().other_role.replace("{roles}", &joined);
        text.replace("{title}", &title)
    }

    /// A sentence that takes the conversation to a phase: from the examples and phrasings of a tool
    /// that is here and takes the phase as a value.
    fn way_to(&self, phase: &str) -> Option<String> {
        self.catalog.tools.iter().find_map(|tool| {
            let takes = |param: &&Param| match &param.kind {
                Kind::Choice(values) => values.iter().any(|value| value == phase),
                _ => false,
            };
            let param = tool.params.iter().find(takes)?;
            let example = tool
                .examples
                .iter()
                .find(|example| example.arguments[&param.name] == phase);
            let phrasing = || {
                let mut groups = self.catalog.phrasings.groups.iter();
                let group = groups.find(|group| {
                    let values = group.values.iter();
                    let goes = values
                        .into_iter()
                        .any(|(name, value)| *name == param.name && value == phase);
                    goes && group.tools.contains(&tool.name)
                })?;
                group.sentences.first().cloned()
            };
            let sentence = example
                .map(|example| example.say.to_string())
                .or_else(phrasing)?;
            Some(capitalized(&sentence))
        })
    }
}

/// `HR_User` as people say it: "HR".
fn role_in_words(role: &str) -> String {
    let bare = role.strip_suffix("_User").unwrap_or(role);
    bare.replace('_', " ")
}

fn uncapitalized(title: &str) -> String {
    let mut chars = title.chars();
    let first = chars.next().into_iter().flat_map(char::to_lowercase);
    let second_is_capital = title.chars().nth(1).is_some_and(char::is_uppercase);
    if second_is_capital {
        return title.to_owned();
    }
    first.chain(chars).collect()
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).collect()
}
