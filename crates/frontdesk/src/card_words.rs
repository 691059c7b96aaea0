//! The words of cards in the page's six languages, for the terminal and for answers that people type.
//! The tables are the page's own.

use std::collections::HashMap;
use std::sync::LazyLock;

use frontdesk_core::approval::{ApprovalCard, Decision};
use frontdesk_core::form;
use frontdesk_core::origin::OriginSource;
use frontdesk_core::preview::{Fact, Preview};
use frontdesk_offline::ShortReply;
use serde_json::Value;

/// A language of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageLanguage {
    English,
    Russian,
    Swedish,
    Danish,
    Norwegian,
    German,
}

type Table = HashMap<String, String>;

macro_rules! tables {
    ($($language:ident $code:literal),*) => {
        impl PageLanguage {
            pub const ALL: &[Self] = &[$(Self::$language),*];

            fn code(self) -> &'static str {
                match self { $(Self::$language => $code),* }
            }
        }

        /// The files of each language, in the order of [`PageLanguage::ALL`].
        const FILES: &[[&str; 2]] = &[$([
            include_str!(concat!("../../../web/src/i18n/server/", $code, ".json")),
            include_str!(concat!("../../../web/src/i18n/approval/", $code, ".json")),
        ]),*];
    };
}

tables!(English "en", Russian "ru", Swedish "sv", Danish "da", Norwegian "no", German "de");

/// Phrases that only the terminal has, by language.
const TERMINAL: &str = include_str!("card_words/terminal.json");

static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    // Tests read every file; one that cannot be read leaves English words.
    let mut terminal: HashMap<String, Table> = serde_json::from_str(TERMINAL).unwrap_or_default();
    let of = |(language, files): (&PageLanguage, &[&str; 2])| {
        let mut table = terminal.remove(language.code()).unwrap_or_default();
        for file in files {
            table.extend(serde_json::from_str::<Table>(file).unwrap_or_default());
        }
        table
    };
    PageLanguage::ALL.iter().zip(FILES).map(of).collect()
});

impl PageLanguage {
    /// The language of a locale such as `ru_RU.UTF-8`; English where it is none of the six.
    pub fn of_locale(locale: &str) -> Self {
        let base = locale.split(['_', '-', '.', '@']).next();
        let base = match base.unwrap_or_default().to_lowercase().as_str() {
            "nb" | "nn" => "no".to_owned(),
            base => base.to_owned(),
        };
        let mut all = Self::ALL.iter();
        let known = all.find(|language| language.code() == base);
        known.copied().unwrap_or(Self::English)
    }

    fn text(self, key: &str) -> Option<&'static str> {
        let place = Self::ALL.iter().position(|one| *one == self)?;
        Some(TABLES.get(place)?.get(key)?.as_str())
    }

    /// A phrase with its values; English where this language has none.
    pub fn phrase(self, key: &str, values: &[(&str, &str)]) -> String {
        let found = self.text(key).or_else(|| Self::English.text(key));
        let mut phrase = found.unwrap_or(key).to_owned();
        for (name, value) in values {
            phrase = phrase.replace(&format!("{{{name}}}"), value);
        }
        phrase
    }

    /// The subject of the decision, with its object and the person that it is for.
    pub fn title(self, card: &ApprovalCard, preview: Option<&Preview>) -> String {
        let template = self.text(&format!("card.{}", card.tool));
        let named = template.and_then(|template| filled(template, &card.arguments));
        let tool = || self.text(&format!("tool.{}", card.tool)).map(str::to_owned);
        let Some(title) = named.or_else(tool) else {
            // The server's title names the drafts already.
            return match preview {
                Some(preview) => preview.title.clone(),
                None => card.title.clone(),
            };
        };
        if let Some(subject) = preview.and_then(|preview| preview.subject.as_deref()) {
            return self.phrase("approval.for", &[("title", &title), ("subject", subject)]);
        }
        let drafts = card.confirms.iter();
        let drafts: Vec<String> = drafts
            .map(|draft| self.name("artifact", &draft.kind, &draft.words))
            .collect();
        match drafts.is_empty() {
            true => title,
            false => {
                let drafts = drafts.join(", ");
                self.phrase(
                    "approval.confirms",
                    &[("drafts", &drafts), ("title", &title)],
                )
            }
        }
    }

    /// The words of the button that approves.
    pub fn confirm(self, card: &ApprovalCard) -> String {
        match self.text(&format!("confirm.{}", card.tool)) {
            Some(words) => words.to_owned(),
            None if self == Self::English && !card.confirm.is_empty() => card.confirm.clone(),
            None => match self.text(&format!("tool.{}", card.tool)) {
                Some(tool) => tool.to_owned(),
                None => self.phrase("approval.approve", &[]),
            },
        }
    }

    /// The words of the button that turns it down.
    pub fn decline(self, card: &ApprovalCard) -> String {
        match self.text(&format!("decline.{}", card.tool)) {
            Some(words) => words.to_owned(),
            None if self == Self::English && !card.decline.is_empty() => card.decline.clone(),
            None => self.phrase("approval.decline", &[]),
        }
    }

    /// The effect of an approval; empty if the tool declares none.
    pub fn consequence(self, card: &ApprovalCard) -> String {
        self.name("consequence", &card.tool, &card.consequence)
    }

    /// The verb of a button's words: "Reject the pass", "Passierschein ablehnen".
    fn verb(self, words: &str) -> Option<&str> {
        let mut words = words.split_whitespace();
        match self == Self::German {
            true => words.next_back(),
            false => words.next(),
        }
    }

    /// The name that people know a field or a tool by; `otherwise` where the table has none.
    pub fn name(self, kind: &str, name: &str, otherwise: &str) -> String {
        let found = self.text(&format!("{kind}.{name}"));
        found.unwrap_or(otherwise).to_owned()
    }

    pub fn fact(self, fact: &Fact) -> String {
        let label = self.name("field", &fact.name, &fact.label);
        let value = self.name(&format!("choice.{}", fact.name), &fact.value, &fact.value);
        format!("{label}: {value}")
    }

    /// The origin of a value in words.
    pub fn origin(self, source: &OriginSource) -> String {
        match source {
            OriginSource::EarlierMessage => self.phrase("approval.fromMessage", &[]),
            OriginSource::Text => self.phrase("approval.fromText", &[]),
            OriginSource::Result {
                field: Some(field),
                of: Some(object),
                ..
            } => {
                let field = self.name("field", field, &form::words(field));
                let field = match self == Self::English {
                    true => field.to_lowercase(),
                    false => field,
                };
                let values = [("field", field.as_str()), ("object", object.as_str())];
                self.phrase("approval.fromField", &values)
            }
            OriginSource::Result { tool, title, .. } => {
                let tool = self.name("tool", tool, title);
                self.phrase("approval.fromResult", &[("tool", &tool)])
            }
            OriginSource::Model => self.phrase("approval.fromModel", &[]),
        }
    }

    /// The outcome of a card: the decider, and the state of its object if nothing was done.
    pub fn outcome(
        self,
        card: &ApprovalCard,
        decision: Decision,
        by: Option<&str>,
        state: Option<&str>,
    ) -> String {
        let name = [("name", by.unwrap_or_default())];
        match decision {
            Decision::Expired => return format!("{}.", self.phrase("approval.nobody", &[])),
            Decision::Approved if by == Some(card.requester.as_str()) => {
                return format!("{}.", self.phrase("approval.confirmedBy", &name));
            }
            Decision::Approved => {
                return format!("{}.", self.phrase("approval.approvedBy", &name));
            }
            Decision::Rejected => {}
        }
        let who = match by {
            Some(_) => self.phrase("approval.cancelledBy", &name),
            None => self.phrase("approval.cancelled", &[]),
        };
        // Only an object that can be loaded exists already.
        let object = card.target.as_ref().filter(|_| card.preview);
        let stands = match (object, state) {
            (Some(object), Some(state)) => {
                let state = self.name("choice.status", state, state).to_lowercase();
                let values = [("object", object.value.as_str()), ("state", &state)];
                self.phrase("approval.still", &values)
            }
            (Some(object), None) => self.phrase("approval.unchanged", &[("object", &object.value)]),
            (None, _) => self.phrase("approval.nothing", &[]),
        };
        format!("{who} {stands}")
    }
}

/// A template with the arguments in it; none while one of them is missing.
fn filled(template: &str, arguments: &Value) -> Option<String> {
    let mut title = String::new();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        let (argument, after) = behind.split_once('}')?;
        title.push_str(before);
        match arguments.get(argument)? {
            Value::String(text) => title.push_str(text),
            Value::Number(number) => title.push_str(&number.to_string()),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
        }
        rest = after;
    }
    title.push_str(rest);
    Some(title)
}

/// The decision that a whole message stands for: yes, no, or the words of a button, in any of the
/// languages. A verb that also means no decides nothing.
pub fn parse_decision(message: &str, card: &ApprovalCard) -> Option<Decision> {
    let message = plain(message);
    let mut all = PageLanguage::ALL.iter();
    let declines = |language: &PageLanguage| plain(&language.decline(card)) == message;
    let own_decline = plain(&card.decline) == message;
    if !message.is_empty() && (own_decline || all.clone().any(declines)) {
        return Some(Decision::Rejected);
    }
    let is_verb_of = |language: PageLanguage, words: &str| {
        let words = plain(words);
        words == message || language.verb(&words) == Some(&message)
    };
    let is_verb = is_verb_of(PageLanguage::English, &card.confirm)
        || all.any(|language| is_verb_of(*language, &language.confirm(card)));
    match (ShortReply::of(&message), is_verb) {
        (Some(ShortReply::Yes), _) | (None, true) => Some(Decision::Approved),
        (Some(ShortReply::No | ShortReply::Cancel), false) => Some(Decision::Rejected),
        (Some(_), _) | (None, false) => None,
    }
}

fn plain(words: &str) -> String {
    let words = words.trim().trim_end_matches(['.', '!']);
    words.to_lowercase().replace('’', "'")
}

#[cfg(test)]
#[path = "card_words_tests.rs"]
mod card_words_tests;
