//! Imports gigs and responses from CSV and JSON files. Each row is checked by itself; a known candidate is
//! updated by `candidate_id`.

mod csv;

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, Utc};
use frontdesk_core::access::Principal;
use serde_json::{Map, Value};
use uuid::Uuid;

use frontdesk_bundle::{BoxError, Import, ImportReport, ImportRow};

use super::domain::gig_fields::GigFields;
use super::domain::kinds::{GigHrSelectionStatus, GigResponseStatus, ImportSource, Kind};
use super::domain::language::Language;
use super::store::{Assessment, GigCard, Gigs, ImportOutcome, NewResponse};

const MOST_ROWS: usize = 20_000;

pub(super) struct Responses {
    pub(super) gigs: Arc<Gigs>,
}

#[async_trait]
impl Import for Responses {
    fn about(&self) -> &'static str {
        "responses to a gig, from .csv (with a line of headings) or .json (a list of objects, or an object with `gig` and `responses` that creates or updates the gig); --into names the gig"
    }

    async fn import(
        &self,
        who: &Principal,
        into: Option<&str>,
        name: &str,
        bytes: &[u8],
    ) -> Result<ImportReport, BoxError> {
        let file = read_file(name, bytes)?;
        let mut report = ImportReport::default();
        let gig = match file.gig {
            Some(fields) => {
                let (gig, outcome) = self.gig(who, into, fields).await?;
                report.count(outcome);
                gig
            }
            None => self.target(who, into).await?,
        };
        let mut good = Vec::new();
        for (index, row) in file.rows.into_iter().enumerate() {
            match row.and_then(|row| response(&row)) {
                Ok(response) => good.push(response),
                Err(problem) => report.refused.push(ImportRow {
                    row: index + 1,
                    problem,
                }),
            }
        }
        for outcome in self.gigs.respond(who, gig, good).await? {
            report.count(outcome);
        }
        Ok(report)
    }
}

/// Counts an outcome in a report.
trait Count {
    fn count(&mut self, outcome: ImportOutcome);
}

impl Count for ImportReport {
    fn count(&mut self, outcome: ImportOutcome) {
        match outcome {
            ImportOutcome::New => self.new += 1,
            ImportOutcome::Changed => self.changed += 1,
            ImportOutcome::Unchanged => self.unchanged += 1,
        }
    }
}

impl Responses {
    /// Updates the gig that `into` or the title names, or creates one.
    async fn gig(
        &self,
        who: &Principal,
        into: Option<&str>,
        mut fields: Fields,
    ) -> Result<(Uuid, ImportOutcome), BoxError> {
        let workspace = match fields.remove("workspaceId") {
            Some(Value::String(id)) => Some(id.parse()?),
            Some(_) | None => None,
        };
        let title = fields.get("title").and_then(Value::as_str);
        let known = match into {
            Some(_) => Some(self.target(who, into).await?),
            None => {
                let gigs = self.gigs.list(who).await?;
                let same = |gig: &&GigCard| Some(gig.title.as_str()) == title;
                gigs.iter().find(same).map(|gig| gig.id)
            }
        };
        if let Some(gig) = known {
            return Ok(match self.gigs.edit(who, gig, fields).await? {
                true => (gig, ImportOutcome::Changed),
                false => (gig, ImportOutcome::Unchanged),
            });
        }
        let fields =
            GigFields::read(None, fields).map_err(|problem| problem.words(Language::English))?;
        let gig = self.gigs.create(who, None, workspace, fields).await?.id;
        Ok((gig, ImportOutcome::New))
    }

    /// The gig that is named, by its id or its title, or the only one there is.
    async fn target(&self, who: &Principal, into: Option<&str>) -> Result<Uuid, BoxError> {
        let gigs = self.gigs.list(who).await?;
        let listed = || {
            let each: Vec<String> = gigs
                .iter()
                .map(|gig| format!("{} {}", gig.id, gig.title))
                .collect();
            each.join("\n")
        };
        match (into, gigs.as_slice()) {
            (Some(into), gigs) => {
                let named =
                    |gig: &&GigCard| gig.id.to_string() == into || gig.title == into;
                let found = gigs.iter().find(named).map(|gig| gig.id);
                found.ok_or_else(|| {
                    format!("there is no gig {into}; there are\n{}", listed()).into()
                })
            }
            (None, [only]) => Ok(only.id),
            (None, []) => Err("there is no gig to import responses into; create one in the page, or import a .json file with `gig`".into()),
            (None, [_, _, ..]) => {
                Err(format!("say which gig with --into; there are\n{}", listed()).into())
            }
        }
    }
}

type Fields = Map<String, Value>;

/// The content of a file.
struct ImportFile {
    /// A gig to create or update.
    gig: Option<Fields>,
    /// A row that cannot be read is refused by itself.
    rows: Vec<Result<Fields, String>>,
}

fn read_file(name: &str, bytes: &[u8]) -> Result<ImportFile, BoxError> {
    let text =
        std::str::from_utf8(bytes).map_err(|_| "the file is not UTF-8 text; save it as UTF-8")?;
    let text = text.trim_start_matches('\u{feff}');
    let is_json =
        name.to_ascii_lowercase().ends_with(".json") || text.trim_start().starts_with(['[', '{']);
    let file = if is_json {
        read_json(text)?
    } else {
        ImportFile {
            gig: None,
            rows: csv::rows(text)?,
        }
    };
    if file.rows.len() > MOST_ROWS {
        return Err(format!(
            "the file has {} rows; import at most {MOST_ROWS} at a time",
            file.rows.len()
        )
        .into());
    }
    Ok(file)
}

/// A list of responses, or an object with `responses`, `gig` or both.
fn read_json(text: &str) -> Result<ImportFile, BoxError> {
    const EXPECTED: &str =
        "the file must be a list of responses, or an object with `gig`, `responses` or both";
    let content: Value =
        serde_json::from_str(text).map_err(|error| format!("the file is not JSON: {error}"))?;
    let (gig, rows) = match content {
        Value::Array(list) => (None, list),
        Value::Object(mut fields) => {
            let gig = match fields.remove("gig") {
                None => None,
                Some(Value::Object(gig)) => Some(gig),
                Some(_) => return Err(EXPECTED.into()),
            };
            let rows = match fields.remove("responses") {
                Some(Value::Array(list)) => list,
                None if gig.is_some() => Vec::new(),
                Some(_) | None => return Err(EXPECTED.into()),
            };
            (gig, rows)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            return Err(EXPECTED.into());
        }
    };
    let fields = |value: Value| match value {
        Value::Object(fields) => Ok(fields
            .into_iter()
            .map(|(name, value)| (heading(&name), value))
            .collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Err("the row is not an object".to_owned())
        }
    };
    Ok(ImportFile {
        gig,
        rows: rows.into_iter().map(fields).collect(),
    })
}

/// `candidateName`, `Candidate name` and `candidate_name` are the same heading.
pub(super) fn heading(name: &str) -> String {
    let mut plain = String::new();
    let mut before = ' ';
    for c in name.trim().chars() {
        if c.is_uppercase() && before.is_lowercase() {
            plain.push('_');
        }
        before = c;
        if c.is_alphanumeric() {
            plain.extend(c.to_lowercase());
        } else if !plain.ends_with('_') {
            plain.push('_');
        }
    }
    plain
}

const KNOWN: [&str; 26] = [
    "candidate_id",
    "candidate_name",
    "profile_url",
    "telegram_username",
    "phone",
    "email",
    "resume_language",
    "proposed_price",
    "proposed_currency",
    "proposed_delivery_days",
    "cover_letter",
    "portfolio_links",
    "experience",
    "skills",
    "rating",
    "status",
    "hr_selection_status",
    "import_source",
    "responded_at",
    "experience_score",
    "screening_score",
    "screening_detailed_score",
    "screening_analysis",
    "interview_score",
    "interview_rating",
    "interview_analysis",
];

fn response(row: &Fields) -> Result<NewResponse, String> {
    if let Some(unknown) = row.keys().find(|name| !KNOWN.contains(&name.as_str())) {
        return Err(format!(
            "`{unknown}` is not a column of a response; the columns are {}",
            KNOWN.join(", ")
        ));
    }
    let read = Reader(row);
    let candidate_id = read
        .text("candidate_id", 100)?
        .ok_or("`candidate_id` is missing: it tells candidates apart")?;
    Ok(NewResponse {
        candidate_id,
        candidate_name: read.text("candidate_name", 500)?,
        profile_url: read.text("profile_url", 2_000)?,
        telegram_username: read.text("telegram_username", 100)?,
        phone: read.text("phone", 50)?,
        email: read.text("email", 320)?,
        resume_language: read.text("resume_language", 20)?,
        proposed_price: read.whole("proposed_price")?,
        proposed_currency: read.currency("proposed_currency")?,
        proposed_delivery_days: read.whole("proposed_delivery_days")?,
        cover_letter: read.text("cover_letter", 20_000)?,
        portfolio_links: read.list("portfolio_links")?.unwrap_or_default(),
        experience: read.text("experience", 20_000)?,
        skills: read.list("skills")?,
        rating: read.text("rating", 20)?,
        status: read.kind(
            "status",
            GigResponseStatus::named,
            GigResponseStatus::ALL.iter().map(|kind| kind.as_str()),
        )?,
        hr_selection_status: read.kind(
            "hr_selection_status",
            GigHrSelectionStatus::named,
            GigHrSelectionStatus::ALL.iter().map(|kind| kind.as_str()),
        )?,
        import_source: read.kind(
            "import_source",
            ImportSource::named,
            ImportSource::ALL.iter().map(|kind| kind.as_str()),
        )?,
        responded_at: read.time("responded_at")?,
        experience_score: read.number("experience_score", 100.0)?,
        screening: read.assessment(
            ("screening_score", 5.0),
            ("screening_detailed_score", 100.0),
            "screening_analysis",
        )?,
        interview: read.assessment(
            ("interview_score", 100.0),
            ("interview_rating", 5.0),
            "interview_analysis",
        )?,
    })
}

/// Reads the fields of a row, and names one that is wrong.
struct Reader<'a>(&'a Fields);

impl Reader<'_> {
    /// A text or a number as text; empty is absent.
    fn raw(&self, name: &str) -> Result<Option<String>, String> {
        let text = match self.0.get(name) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::String(text)) => text.trim().to_owned(),
            Some(Value::Number(number)) => number.to_string(),
            Some(Value::Bool(_) | Value::Array(_) | Value::Object(_)) => {
                return Err(format!("`{name}` must be a text"));
            }
        };
        if text.contains('\0') {
            return Err(format!("`{name}` contains a NUL character"));
        }
        Ok((!text.is_empty()).then_some(text))
    }

    fn text(&self, name: &str, most: usize) -> Result<Option<String>, String> {
        let text = self.raw(name)?;
        if text
            .as_ref()
            .is_some_and(|text| text.chars().count() > most)
        {
            return Err(format!("`{name}` is longer than {most} characters"));
        }
        Ok(text)
    }

    /// Three letters, in any case.
    fn currency(&self, name: &str) -> Result<Option<String>, String> {
        let Some(text) = self.raw(name)? else {
            return Ok(None);
        };
        let code = text.to_ascii_uppercase();
        let fits = code.len() == 3 && code.bytes().all(|b| b.is_ascii_uppercase());
        fits.then_some(Some(code))
            .ok_or_else(|| format!("`{name}` must be a currency code such as RUB, not {text:?}"))
    }

    fn whole(&self, name: &str) -> Result<Option<i64>, String> {
        let Some(text) = self.raw(name)? else {
            return Ok(None);
        };
        let digits: String = text
            .chars()
            .filter(|c| !c.is_whitespace() && *c != '\u{a0}')
            .collect();
        let number = digits
            .parse::<i64>()
            .ok()
            .filter(|number| (0..=1_000_000_000_000).contains(number));
        number
            .map(Some)
            .ok_or_else(|| format!("`{name}` must be a whole number from 0 on, not {text:?}"))
    }

    fn number(&self, name: &str, most: f64) -> Result<Option<f64>, String> {
        let Some(text) = self.raw(name)? else {
            return Ok(None);
        };
        let number = text.replace(',', ".").parse::<f64>().ok();
        let number = number.filter(|number| (0.0..=most).contains(number));
        number
            .map(Some)
            .ok_or_else(|| format!("`{name}` must be a number from 0 to {most}, not {text:?}"))
    }

    /// A list, or a text with commas or semicolons between its parts.
    fn list(&self, name: &str) -> Result<Option<Vec<String>>, String> {
        let parts: Vec<String> = match self.0.get(name) {
            Some(Value::Array(items)) => items
                .iter()
                .map(|item| {
                    item.as_str()
                        .map(str::to_owned)
                        .ok_or_else(|| format!("`{name}` must be a list of texts"))
                })
                .collect::<Result<_, _>>()?,
            Some(
                Value::Null
                | Value::Bool(_)
                | Value::Number(_)
                | Value::String(_)
                | Value::Object(_),
            )
            | None => match self.raw(name)? {
                Some(text) => text.split([';', ',']).map(str::to_owned).collect(),
                None => return Ok(None),
            },
        };
        let parts = parts
            .iter()
            .map(|part| part.trim().to_owned())
            .filter(|part| !part.is_empty());
        Ok(Some(parts.take(100).collect()))
    }

    fn kind<T>(
        &self,
        name: &str,
        named: fn(&str) -> Option<T>,
        all: impl Iterator<Item = &'static str>,
    ) -> Result<Option<T>, String> {
        let Some(text) = self.raw(name)? else {
            return Ok(None);
        };
        let known: Vec<&str> = all.collect();
        named(&text.to_uppercase())
            .map(Some)
            .ok_or_else(|| format!("`{name}` must be one of {}, not {text:?}", known.join(", ")))
    }

    fn time(&self, name: &str) -> Result<Option<DateTime<Utc>>, String> {
        let Some(text) = self.raw(name)? else {
            return Ok(None);
        };
        let day = || {
            text.parse::<NaiveDate>()
                .ok()?
                .and_hms_opt(0, 0, 0)
                .map(|time| time.and_utc())
        };
        let time = text.parse::<DateTime<Utc>>().ok().or_else(day);
        time.map(Some).ok_or_else(|| format!("`{name}` must be a day like 2026-11-16 or a time like 2026-11-16T09:00:00Z, not {text:?}"))
    }

    fn assessment(
        &self,
        (score, most): (&str, f64),
        (detailed, detailed_most): (&str, f64),
        analysis: &str,
    ) -> Result<Option<Assessment>, String> {
        let given = Assessment {
            score: self.number(score, most)?,
            detailed: self.number(detailed, detailed_most)?,
            analysis: self.text(analysis, 20_000)?,
        };
        Ok((given != Assessment::default()).then_some(given))
    }
}

#[cfg(test)]
#[path = "import_tests.rs"]
mod import_tests;
