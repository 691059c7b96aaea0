//! The fields of a gig that people create and edit.

use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::gig_context::GigRequirements;
use super::kinds::GigType;
use super::language::Language;

/// Only the title is required. Lengths are counted in characters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GigFields {
    /// 1–500 characters.
    pub title: String,
    #[serde(default)]
    pub description: Option<String>,
    #[serde(default)]
    pub requirements: Option<GigRequirements>,
    #[serde(default = "other")]
    pub r#type: GigType,
    #[serde(default)]
    pub budget_min: Option<i64>,
    #[serde(default)]
    pub budget_max: Option<i64>,
    /// Three capital letters.
    #[serde(default = "roubles")]
    pub budget_currency: String,
    #[serde(default)]
    pub deadline: Option<DateTime<Utc>>,
    /// Up to 100 characters.
    #[serde(default)]
    pub estimated_duration: Option<String>,
    /// Up to 5000 characters.
    #[serde(default)]
    pub custom_bot_instructions: Option<String>,
    #[serde(default = "active")]
    pub is_active: bool,
}

fn other() -> GigType {
    GigType::Other
}

fn roubles() -> String {
    "RUB".to_owned()
}

fn active() -> bool {
    true
}

/// A field that cannot be stored, and the way to correct it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldProblem {
    pub field: String,
    russian: String,
    english: String,
}

impl FieldProblem {
    pub fn words(&self, language: Language) -> String {
        language.pick(&self.russian, &self.english).clone()
    }
}

const LARGEST_AMOUNT: i64 = 1_000_000_000_000;

impl GigFields {
    /// Reads a whole gig, or these fields changed by `edit`: absent keys stay, `null` clears.
    pub fn read(current: Option<&Self>, edit: Map<String, Value>) -> Result<Self, FieldProblem> {
        let mut fields = match current.map(serde_json::to_value) {
            Some(Ok(Value::Object(fields))) => fields,
            Some(_) | None => Map::new(),
        };
        fields.extend(edit);
        if !fields.get("title").is_some_and(Value::is_string) {
            return Err(problem("title", "нужен текст", "a text is required"));
        }
        if let Some(Value::String(deadline)) = fields.get_mut("deadline") {
            *deadline = whole_day(deadline)?;
        }
        check_requirements(fields.get("requirements"))?;
        let read: Result<Self, _> = serde_path_to_error::deserialize(Value::Object(fields));
        let read = read.map_err(|error| {
            let (field, reason) = (error.path().to_string(), error.inner().to_string());
            problem(&field, &reason, &reason)
        })?;
        read.check()?;
        Ok(read)
    }

    fn check(&self) -> Result<(), FieldProblem> {
        let long = |text: &Option<String>, most: usize| {
            text.as_ref()
                .is_some_and(|text| text.chars().count() > most)
        };
        let texts = [
            ("description", &self.description, 20_000),
            ("estimatedDuration", &self.estimated_duration, 100),
            (
                "customBotInstructions",
                &self.custom_bot_instructions,
                5_000,
            ),
        ];
        if self.title.trim().is_empty() || self.title.chars().count() > 500 {
            let (russian, english) = (
                "нужно от 1 до 500 символов",
                "1 to 500 characters are required",
            );
            return Err(problem("title", russian, english));
        }
        if let Some((field, _, most)) = texts.into_iter().find(|(_, text, most)| long(text, *most))
        {
            let (russian, english) = (
                format!("не больше {most} символов"),
                format!("{most} characters at most"),
            );
            return Err(problem(field, &russian, &english));
        }
        for (field, amount) in [
            ("budgetMin", self.budget_min),
            ("budgetMax", self.budget_max),
        ] {
            if amount.is_some_and(|amount| !(0..=LARGEST_AMOUNT).contains(&amount)) {
                let (russian, english) = (
                    "нужно целое число от 0",
                    "a whole number from 0 is required",
                );
                return Err(problem(field, russian, english));
            }
        }
        if self
            .budget_min
            .zip(self.budget_max)
            .is_some_and(|(min, max)| min > max)
        {
            let (russian, english) = ("не меньше budgetMin", "at least budgetMin is required");
            return Err(problem("budgetMax", russian, english));
        }
        let code = &self.budget_currency;
        if code.len() != 3 || !code.bytes().all(|b| b.is_ascii_uppercase()) {
            let (russian, english) = (
                "нужны три заглавные буквы, например RUB",
                "three capital letters such as RUB are required",
            );
            return Err(problem("budgetCurrency", russian, english));
        }
        let nul = |text: &Option<String>| text.as_ref().is_some_and(|text| text.contains('\0'));
        if self.title.contains('\0') || nul(&self.description) || nul(&self.custom_bot_instructions)
        {
            return Err(problem(
                "gig",
                "есть символ NUL",
                "there is a NUL character",
            ));
        }
        Ok(())
    }
}

/// Refuses an unknown requirement instead of dropping it.
fn check_requirements(given: Option<&Value>) -> Result<(), FieldProblem> {
    let Some(Value::Object(given)) = given else {
        return Ok(());
    };
    let known = json!(GigRequirements::default());
    let Some(unknown) = given.keys().find(|key| known.get(key.as_str()).is_none()) else {
        return Ok(());
    };
    let names: Vec<&String> = known.as_object().into_iter().flat_map(Map::keys).collect();
    let names = names
        .into_iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ");
    Err(problem(
        &format!("requirements.{unknown}"),
        &format!("такого поля нет; есть {names}"),
        &format!("there is no such field; use {names}"),
    ))
}

fn problem(field: &str, russian: &str, english: &str) -> FieldProblem {
    FieldProblem {
        field: field.to_owned(),
        russian: format!("{field}: {russian}"),
        english: format!("{field}: {english}"),
    }
}

/// The moment of a deadline; a date alone means the end of that day (UTC).
fn whole_day(deadline: &str) -> Result<String, FieldProblem> {
    if deadline.parse::<NaiveDate>().is_ok() {
        return Ok(format!("{deadline}T23:59:59Z"));
    }
    if DateTime::parse_from_rfc3339(deadline).is_ok() {
        return Ok(deadline.to_owned());
    }
    Err(problem(
        "deadline",
        "нужна дата, например 2026-12-05",
        "a date such as 2026-12-05 is required",
    ))
}

#[cfg(test)]
#[path = "gig_fields_tests.rs"]
mod gig_fields_tests;
