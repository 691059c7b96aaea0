//! A gig with the fields that the assistant uses.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::kinds::GigType;
use super::language::Language;

/// The demands of the task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct GigRequirements {
    pub title: String,
    pub summary: String,
    pub deliverables: Vec<String>,
    pub required_skills: Vec<String>,
    pub nice_to_have_skills: Vec<String>,
    pub tech_stack: Vec<String>,
    pub experience_level: String,
    pub languages: Vec<LanguageLevel>,
    pub keywords_for_matching: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LanguageLevel {
    pub language: String,
    pub level: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GigContext {
    pub id: Uuid,
    pub title: String,
    pub description: Option<String>,
    pub requirements: Option<GigRequirements>,
    pub r#type: GigType,
    pub budget_min: Option<i64>,
    pub budget_max: Option<i64>,
    pub budget_currency: String,
    pub deadline: Option<DateTime<Utc>>,
    pub estimated_duration: Option<String>,
    pub custom_bot_instructions: Option<String>,
}

impl GigContext {
    pub fn required_skills(&self) -> &[String] {
        self.requirements
            .as_ref()
            .map_or(&[], |requirements| &requirements.required_skills)
    }

    pub fn nice_to_have_skills(&self) -> &[String] {
        self.requirements
            .as_ref()
            .map_or(&[], |requirements| &requirements.nice_to_have_skills)
    }

    /// Whether a price in the gig's currency is within the budget. `None` when one of the two is not known.
    pub fn affords(&self, price: Option<i64>) -> Option<bool> {
        Some(price? <= self.budget_max?)
    }

    /// "до 20000 RUB": a cheaper offer than the least of the budget is within it.
    pub fn budget_limit(&self, language: Language) -> String {
        match self.budget_max {
            Some(max) => format!(
                "{} {max} {}",
                language.pick("до", "up to"),
                self.budget_currency
            ),
            None => self.budget(language),
        }
    }

    /// "10000–20000 RUB", "до 20000 RUB", "не указан".
    pub fn budget(&self, language: Language) -> String {
        let currency = &self.budget_currency;
        match (self.budget_min, self.budget_max) {
            (Some(min), Some(max)) => format!("{min}–{max} {currency}"),
            (None, Some(_)) => self.budget_limit(language),
            (Some(min), None) => format!("{} {min} {currency}", language.pick("от", "from")),
            (None, None) => language.pick("не указан", "not given").to_owned(),
        }
    }
}
