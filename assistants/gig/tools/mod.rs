//! The assistant's tools, one file each. They read and change candidates of the conversation's gig only.

mod best_candidates;
mod compare_candidates;
mod filter_candidates;
mod find_candidate;
mod gig_facts;
mod pool_statistics;
mod set_hr_status;
mod words;

use std::sync::Arc;

use frontdesk_core::tool::{CardField, CardValue, ObjectCard, ToolContext, ToolError};
use frontdesk_core::toolbox::{Toolbox, ToolboxError};
use serde::Serialize;
use serde_json::{Value, json};

use super::domain::candidate::CandidateContext;
use super::domain::kinds::Kind;
use super::domain::language::Language;
use super::domain::pool::{NameMatch, Pool};
use super::store::{GigError, Gigs};

pub(super) fn toolbox(gigs: &Arc<Gigs>) -> Result<Toolbox, ToolboxError> {
    let reader = || GigReader {
        gigs: Arc::clone(gigs),
    };
    Toolbox::builder()
        .phrasings(include_str!("../phrasings.txt"))
        .tool(find_candidate::FindCandidate(reader()))
        .tool(compare_candidates::CompareCandidates(reader()))
        .tool(best_candidates::BestCandidates(reader()))
        .tool(filter_candidates::FilterCandidates(reader()))
        .tool(pool_statistics::PoolStatistics(reader()))
        .tool(gig_facts::GigFacts(reader()))
        .tool(set_hr_status::SetHrStatus(reader()))
        .build()
}

/// Loads the conversation's gig for a tool.
struct GigReader {
    gigs: Arc<Gigs>,
}

/// A result as data for a model, and in words for people.
#[derive(Serialize)]
struct ToolAnswer {
    #[serde(flatten)]
    data: Value,
    #[serde(skip)]
    words: String,
}

impl ToolAnswer {
    /// Both name the gig: a conversation may have been begun without naming one.
    fn about(pool: &Pool, language: Language, mut data: Value, words: &str) -> Self {
        let title = words::plain(&pool.gig.title);
        if let Value::Object(fields) = &mut data {
            fields.insert("gig".to_owned(), json!(pool.gig.title));
        }
        // Lists and tables begin on a line of their own.
        let space = if words.starts_with('\n') { "" } else { " " };
        let words = match language {
            Language::Russian => format!("Задание «{title}».{space}{words}"),
            Language::English => format!("Gig “{title}”.{space}{words}"),
        };
        Self { data, words }
    }
}

impl GigReader {
    /// The gig's candidates, and the language of the question.
    async fn pool(&self, ctx: &ToolContext) -> Result<(Arc<Pool>, Language), ToolError> {
        let language = Language::of(ctx.said());
        let loaded = self.gigs.of(ctx.principal(), ctx.conversation()).await;
        let loaded = loaded.map_err(|error| refusal(error, language))?;
        Ok((loaded.pool, language))
    }
}

/// A candidate as an object, in the language of the question.
fn candidate_card(candidate: &CandidateContext, pool: &Pool, language: Language) -> ObjectCard {
    let number = |name, label, value: Option<f64>| {
        Some(CardField::new(name, label, CardValue::Number(value?)))
    };
    let price = candidate.proposed_price.map(|price| {
        let value = CardValue::Money {
            amount: price as f64,
            currency: candidate.proposed_currency.clone(),
        };
        CardField::new("price", "Price", value)
    });
    let days = candidate.proposed_delivery_days.map(|days| days as f64);
    let fields = [
        number("score", "Score", candidate.composite_score.map(f64::from)),
        price,
        number("delivery_days", "Days", days),
        number("screening", "Screening", candidate.screening()),
        number("interview", "Interview", candidate.interview()),
    ];
    ObjectCard {
        kind: "candidate".to_owned(),
        id: candidate.id.to_string(),
        title: candidate.name(),
        status: Some(candidate.status.label(language).to_owned()),
        fields: fields.into_iter().flatten().collect(),
        path: Some(format!("/gigs/{}", pool.gig.id)),
        actions: Vec::new(),
    }
}

fn refusal(error: GigError, language: Language) -> ToolError {
    match error {
        GigError::NotFound => {
            ToolError::refused(language.pick("Задание не найдено", "Gig not found"))
        }
        GigError::Forbidden => ToolError::refused(language.pick(
            "Нет доступа к этому заданию",
            "You have no access to this gig",
        )),
        GigError::Db(cause) => ToolError::failed(cause),
    }
}

/// The only candidate with this name; otherwise a refusal that lists similar names.
fn one<'a>(
    pool: &'a Pool,
    asked: &str,
    language: Language,
) -> Result<&'a CandidateContext, ToolError> {
    match pool.find(asked) {
        NameMatch::One(candidate) => Ok(candidate),
        NameMatch::Several(several) => Err(ToolError::refused(format!(
            "{}: {}",
            language.pick(
                "Таких кандидатов несколько, уточните, о ком речь",
                "Several candidates have this name, please say whom you mean"
            ),
            names(&several)
        ))),
        NameMatch::Nobody(near) => Err(ToolError::refused(nobody(pool, asked, &near, language))),
    }
}

/// Says that nobody has this name, and lists similar names or some of the candidates.
fn nobody(pool: &Pool, asked: &str, near: &[&CandidateContext], language: Language) -> String {
    const LISTED: usize = 5;
    let asked: String = asked.chars().take(100).collect();
    let missing = match language {
        Language::Russian => format!("Кандидата «{asked}» в этом задании нет"),
        Language::English => format!("There is no candidate \"{asked}\" in this gig"),
    };
    if pool.candidates.is_empty() {
        return format!("{missing}. {}", words::empty(language));
    }
    if near.is_empty() {
        let some: Vec<&CandidateContext> = pool.candidates.iter().take(LISTED).collect();
        let label = language.pick("Есть, например", "There are, for example");
        return format!("{missing}. {label}: {}", names(&some));
    }
    let label = language.pick("Похожие имена", "Similar names");
    format!("{missing}. {label}: {}", names(near))
}

fn names(candidates: &[&CandidateContext]) -> String {
    let names: Vec<String> = candidates.iter().take(10).map(|one| one.name()).collect();
    names.join(", ")
}
