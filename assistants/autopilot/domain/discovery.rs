//! The facts of discovery, each with its quote. A new answer replaces a contradicting one, and the earlier one is kept
//! beside it.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use frontdesk_core::artifact::Author;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::catalogue::{Mode, Surface};
use super::keys::{AFTERWARDS, AnswerForm, ENOUGH, Group, Key, REQUIRED};
use super::quantity::{
    Every, MONTH_DAYS, area, area_as_stated, cleanings_a_month, courts, courts_count,
    dollars_a_month, duration, hours_a_month, period_of_hours, window_hours,
};
use super::reading::facility::{Facility, capitalised, methods, surfaces};
use super::roi::{Confidence, Source};
use super::span::Span;

/// The most characters of an answer that are kept.
pub(crate) const LONGEST_VALUE: usize = 300;
/// Earlier answers to one question that are kept.
const MOST_EARLIER: usize = 10;
/// Questions at a time.
const QUESTIONS: usize = 2;

/// An answer with its source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DiscoveryFact")]
pub(crate) struct Fact {
    pub(crate) question_id: String,
    pub(crate) key: Key,
    pub(crate) label: String,
    pub(crate) value: String,
    pub(crate) group: Group,
    /// The person's own words.
    pub(crate) quote: String,
    pub(crate) confidence: Confidence,
    pub(crate) at: DateTime<Utc>,
    /// The author under the name at that time; unknown for old facts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) said_by: Option<Author>,
    /// Earlier answers, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) earlier: Vec<Earlier>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "EarlierFact")]
pub(crate) struct Earlier {
    pub(crate) value: String,
    pub(crate) quote: String,
    pub(crate) at: DateTime<Utc>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) said_by: Option<Author>,
}

/// An answer before it is kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FactDraft {
    pub(crate) key: Key,
    pub(crate) value: String,
    pub(crate) quote: String,
    pub(crate) confidence: Confidence,
}

/// A stated wage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct LaborRate {
    pub(crate) dollars_an_hour: f64,
    pub(crate) quote: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) said_by: Option<Author>,
}

/// The facts and the open questions of a conversation; stored in its metadata.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Discovery {
    pub(crate) facts: Vec<Fact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) labor_rate: Option<LaborRate>,
    /// Questions that the person left open; they are not asked again.
    pub(crate) skipped: Vec<Key>,
    /// The questions that were asked last.
    pub(crate) asked: Vec<Key>,
}

/// The effect of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FactChange {
    New(Fact),
    /// It contradicts the earlier answer.
    Changed {
        before: String,
        now: Fact,
    },
    /// It repeats the earlier answer.
    Same,
}

/// The progress, for the page and for the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DiscoveryState")]
pub(crate) struct State {
    pub(crate) ready_for_roi: bool,
    pub(crate) answered_keys: Vec<Key>,
    /// Those of the required six that are missing.
    pub(crate) missing_keys: Vec<Key>,
    /// Of the required six.
    pub(crate) progress_percent: u32,
}

impl Fact {
    pub(crate) fn source(&self) -> Source {
        Source::Said {
            by: self.said_by.as_ref().map(|author| author.name.clone()),
            quote: self.quote.clone(),
        }
    }
}

/// The stored form of an answer, or what would be a valid one.
pub(crate) fn checked(key: Key, value: &str) -> Result<String, String> {
    let value: String = value.split_whitespace().collect::<Vec<_>>().join(" ");
    if value.is_empty() {
        return Err("is empty; leave out what was not said".to_owned());
    }
    if value.chars().count() > LONGEST_VALUE {
        return Err(format!(
            "is longer than {LONGEST_VALUE} characters; keep the gist"
        ));
    }
    match key.about().answer {
        AnswerForm::Name if Facility::is_bare(&value) => Err(format!(
            "\"{value}\" is a kind of building, not a name; it belongs to the kind of facility"
        )),
        AnswerForm::Building => {
            let known = Facility::named(&value).map(|facility| facility.name.to_owned());
            Ok(known.unwrap_or_else(|| capitalised(&value)))
        }
        AnswerForm::Courts => courts(&value),
        AnswerForm::Area => area_as_stated(&value),
        AnswerForm::Hours => duration(&value),
        AnswerForm::Dollars => dollars_a_month(&value).map(|_| value),
        AnswerForm::Methods => Ok(method_named(&value)),
        AnswerForm::Budget => super::quantity::other_currency(&value).map(|()| value),
        AnswerForm::Name | AnswerForm::Floors | AnswerForm::Words => Ok(value),
    }
}

/// "vacuuming and mopping" as "Vacuum, Mop"; any other answer is "Other" with its words.
fn method_named(value: &str) -> String {
    match methods(value).as_slice() {
        [] if value.eq_ignore_ascii_case("other") => "Other".to_owned(),
        [] => format!("Other: {value}"),
        found => found.join(", "),
    }
}

impl Discovery {
    /// A sports club, for the examples of the API reference.
    pub(crate) fn example() -> Discovery {
        let facts = [
            (Key::CompanyType, "Pickleball Club"),
            (Key::CourtsCount, "6"),
            (Key::Method, "Vacuum"),
            (Key::MonthlySpend, "$3,500"),
        ];
        let mut discovery = Discovery::default();
        for (key, value) in facts {
            let draft = FactDraft {
                key,
                value: value.to_owned(),
                quote: value.to_owned(),
                confidence: Confidence::High,
            };
            discovery.take(draft, DateTime::UNIX_EPOCH, None);
        }
        discovery
    }

    pub(crate) fn fact(&self, key: Key) -> Option<&Fact> {
        self.facts.iter().find(|fact| fact.key == key)
    }

    fn value(&self, key: Key) -> Option<&str> {
        self.fact(key).map(|fact| fact.value.as_str())
    }

    /// Every stated value, as one text.
    pub(crate) fn values(&self) -> String {
        let rate = self.labor_rate.iter();
        let rate = rate.map(|rate| rate.dollars_an_hour.to_string());
        let values = self.facts.iter().map(|fact| fact.value.clone()).chain(rate);
        values.collect::<Vec<_>>().join(" ; ")
    }

    fn facility(&self) -> Option<&'static Facility> {
        self.value(Key::CompanyType).and_then(Facility::named)
    }

    /// The question for the size: courts for a sports club, unless they were asked in vain.
    pub(crate) fn size_key(&self) -> Key {
        let has_courts = self.facility().is_some_and(|kind| kind.court_m2.is_some());
        let in_vain = self.skipped.contains(&Key::CourtsCount)
            || (self.fact(Key::CourtsCount).is_some() && self.area().is_none());
        match has_courts && !in_vain && self.fact(Key::Sqft).is_none() {
            true => Key::CourtsCount,
            false => Key::Sqft,
        }
    }

    /// The six questions that count for this building.
    pub(crate) fn required(&self) -> [Key; 6] {
        REQUIRED.map(|key| match key == Key::Sqft {
            true => self.size_key(),
            false => key,
        })
    }

    pub(crate) fn take(
        &mut self,
        found: FactDraft,
        at: DateTime<Utc>,
        said_by: Option<Author>,
    ) -> FactChange {
        self.skipped.retain(|key| *key != found.key);
        let about = found.key.about();
        let mut fact = Fact {
            question_id: about.name.to_owned(),
            key: found.key,
            label: about.label.to_owned(),
            value: found.value,
            group: about.group,
            quote: found.quote,
            confidence: found.confidence,
            at,
            said_by,
            earlier: Vec::new(),
        };
        let Some(known) = self.facts.iter_mut().find(|known| known.key == fact.key) else {
            self.facts.push(fact.clone());
            self.facts.sort_by_key(|fact| fact.key);
            return FactChange::New(fact);
        };
        let (old, new) = (known.value.to_lowercase(), fact.value.to_lowercase());
        // "the contractor" after "two contractors" mentions the same people.
        if old == new || (fact.key == Key::Responsibility && old.contains(&new)) {
            return FactChange::Same;
        }
        let before = known.value.clone();
        fact.earlier = std::mem::take(&mut known.earlier);
        fact.earlier.push(Earlier {
            value: before.clone(),
            quote: known.quote.clone(),
            at: known.at,
            said_by: known.said_by.take(),
        });
        let surplus = fact.earlier.len().saturating_sub(MOST_EARLIER);
        fact.earlier.drain(..surplus);
        *known = fact.clone();
        FactChange::Changed { before, now: fact }
    }

    /// Leaves a question open.
    pub(crate) fn skip(&mut self, key: Key) {
        if self.fact(key).is_none() && !self.skipped.contains(&key) {
            self.skipped.push(key);
        }
    }

    pub(crate) fn state(&self) -> State {
        let required = self.required();
        let missing_keys: Vec<Key> = required
            .into_iter()
            .filter(|key| self.fact(*key).is_none())
            .collect();
        let answered = required.len() - missing_keys.len();
        State {
            ready_for_roi: answered >= ENOUGH && self.area().is_some() && !self.modes().is_empty(),
            answered_keys: self.facts.iter().map(|fact| fact.key).collect(),
            progress_percent: u32::try_from(answered * 100 / required.len()).unwrap_or(100),
            missing_keys,
        }
    }

    /// One or two questions to ask next; never one that was answered or skipped.
    pub(crate) fn next_questions(&self) -> Vec<Key> {
        let open = |key: &Key| self.fact(*key).is_none() && !self.skipped.contains(key);
        let required = self.required().into_iter().filter(open);
        let more = AFTERWARDS.into_iter().filter(open);
        let mut next: Vec<Key> = Vec::new();
        for key in required.chain(more) {
            if next.len() < QUESTIONS && !next.contains(&key) {
                next.push(key);
            }
        }
        next
    }

    pub(crate) fn company_name(&self) -> Option<&str> {
        self.value(Key::CompanyName)
    }

    pub(crate) fn modes(&self) -> Vec<Mode> {
        let named = |name: &str| {
            Mode::ALL
                .into_iter()
                .find(|mode| mode.name().eq_ignore_ascii_case(name))
        };
        let said = self.value(Key::Method).map(methods).unwrap_or_default();
        said.into_iter().filter_map(named).collect()
    }

    pub(crate) fn surfaces(&self) -> Vec<Surface> {
        self.value(Key::Surfaces).map(surfaces).unwrap_or_default()
    }

    /// Square metres as stated, or by the courts of a sports club.
    pub(crate) fn area(&self) -> Option<(Span, Source)> {
        if let Some(fact) = self.fact(Key::Sqft) {
            return Some((area(&fact.value).ok()?, fact.source()));
        }
        let court = self.facility()?.court_m2?;
        let count = courts_count(self.value(Key::CourtsCount)?)?;
        Some((count.map(|count| count * court), Source::Default))
    }

    pub(crate) fn spend(&self) -> Option<Span> {
        dollars_a_month(self.value(Key::MonthlySpend)?).ok()
    }

    pub(crate) fn cleanings(&self) -> Option<f64> {
        cleanings_a_month(self.value(Key::Frequency)?)
    }

    /// Hours of cleaning a month; a day's hours count for each day on which it is cleaned, those of a cleaning
    /// for each cleaning.
    pub(crate) fn hours(&self) -> Option<Span> {
        let value = self.value(Key::Duration)?;
        let times = self.cleanings().unwrap_or(MONTH_DAYS);
        let by_cleaning = ["time", "cleaning"].iter().any(|word| value.contains(word));
        let days = if by_cleaning {
            times
        } else {
            times.min(MONTH_DAYS)
        };
        hours_a_month(value, days)
    }

    pub(crate) fn hours_are_by_day(&self) -> bool {
        let period = self.value(Key::Duration).map(period_of_hours);
        period == Some(Every::Day)
    }

    /// Hours in which a cleaning must be done, where the times of day were stated.
    pub(crate) fn window(&self) -> Option<f64> {
        window_hours(self.value(Key::Timing)?)
    }

    /// US dollars a month that may be spent, where that was stated.
    pub(crate) fn monthly_budget(&self) -> Option<f64> {
        let said = self.value(Key::BudgetExists)?;
        let amount = said
            .chars()
            .any(|c| c.is_ascii_digit())
            .then(|| dollars_a_month(said));
        Some(amount?.ok()?.high).filter(|amount| *amount > 0.0)
    }

    /// The facts by group, for people.
    pub(crate) fn by_group(&self) -> BTreeMap<Group, Vec<&Fact>> {
        let mut groups: BTreeMap<Group, Vec<&Fact>> = BTreeMap::new();
        for fact in &self.facts {
            groups.entry(fact.group).or_default().push(fact);
        }
        groups
    }
}

#[cfg(test)]
#[path = "discovery_tests.rs"]
mod discovery_tests;
