//! Answers any question for candidates by conditions: who and how many, exactly, for a pool of any size.

mod wording;

use frontdesk_core::access::Role;
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use serde_json::{Value, json};

use super::{GigReader, ToolAnswer, candidate_card, words};
use crate::domain::candidate::CandidateContext;
use crate::domain::language::Language;
use crate::domain::pool::Pool;
use crate::domain::query::Query;
use crate::domain::statistics::{Figures, Statistics};

pub(super) struct FilterCandidates(pub(super) GigReader);

/// Candidates that are listed unless the call says how many.
const LISTED: usize = 10;

impl Tool for FilterCandidates {
    const NAME: &'static str = "filter_candidates";
    type Args = Query;
    type Output = ToolAnswer;

    fn spec() -> ToolSpec {
        let spec = ToolSpec::read("Отобрать и упорядочить кандидатов по цене, бюджету, сроку, дедлайну, оценкам, статусу, решению, рекомендации и навыкам: сколько их и кто они.")
            .title("Отобрать кандидатов")
            .roles([Role::RECRUITER]);
        examples().fold(spec, |spec, (say, arguments)| spec.example(say, arguments))
    }

    async fn call(&self, ctx: &ToolContext, mut query: Query) -> Result<ToolAnswer, ToolError> {
        let (pool, language) = self.0.pool(ctx).await?;
        let limit = query.limit.take().unwrap_or(LISTED);
        for list in [
            &mut query.with_skills,
            &mut query.any_skills,
            &mut query.without_skills,
        ] {
            list.retain(|skill| !skill.trim().is_empty());
        }
        query.text = query.text.filter(|text| !text.trim().is_empty());
        if query == Query::default() {
            return Err(ToolError::refused(language.pick(
                "Непонятно, по какому условию отбирать. Назовите цену, срок, навыки, статус, решение, оценку или порядок",
                "It is not clear what to select by. Name a price, days, skills, a status, a decision, a score or an order",
            )));
        }
        check_against(&pool, &query, language)?;
        let found = pool.query(&query);
        if let Some(first) = found.first() {
            ctx.suggest(words::next(first, &pool, language));
        }
        for one in found.iter().take(limit) {
            ctx.show(candidate_card(one, &pool, language));
        }
        let shown: Vec<Value> = found
            .iter()
            .take(limit)
            .map(|one| words::data(one, &pool, language))
            .collect();
        let conditions = wording::conditions(&query, &pool, language);
        let order = wording::order(&query, language);
        let data = json!({
            "matching": found.len(), "of": pool.stats.total, "conditions": conditions, "order": order,
            "figuresOfMatching": figures(&pool, &found), "shown": shown.len(), "candidates": shown,
        });
        let text = wording::answer(&found, &query, &pool, limit, language);
        Ok(ToolAnswer::about(&pool, language, data, &text))
    }

    fn summary(answer: &ToolAnswer) -> String {
        answer.words.clone()
    }
}

/// Requests with their arguments, one on each line.
fn examples() -> impl Iterator<Item = (&'static str, Value)> {
    let lines = include_str!("filter_candidates/examples.txt").lines();
    lines.filter_map(|line| {
        let (say, arguments) = line.split_at(line.find('{')?);
        Some((say.trim_end(), serde_json::from_str(arguments).ok()?))
    })
}

/// Conditions that refer to a budget or deadline need one.
fn check_against(pool: &Pool, query: &Query, language: Language) -> Result<(), ToolError> {
    let problem = if query.within_budget.is_some() && pool.gig.budget_max.is_none() {
        language.pick("У задания не указан бюджет", "The gig has no budget")
    } else if query.before_deadline.is_some() && pool.gig.deadline.is_none() {
        language.pick("У задания не указан дедлайн", "The gig has no deadline")
    } else {
        return Ok(());
    };
    Err(ToolError::refused(problem))
}

/// Averages and limits over the whole match, not only over those who are listed.
fn figures(pool: &Pool, found: &[&CandidateContext]) -> Value {
    let all: Vec<CandidateContext> = found.iter().map(|one| (*one).clone()).collect();
    let (stats, figures) = (Statistics::of(&all), Figures::of(&pool.gig, &all));
    json!({
        "currency": pool.gig.budget_currency, "avgPrice": stats.avg_price, "minPrice": figures.min_price,
        "maxPrice": figures.max_price, "medianPrice": figures.median_price, "withoutPrice": figures.without_price,
        "otherCurrencies": figures.other_currencies, "avgDeliveryDays": stats.avg_delivery_days,
        "avgScreeningScore": stats.avg_screening_score, "avgInterviewScore": stats.avg_interview_score,
    })
}

#[cfg(test)]
#[path = "filter_candidates_tests.rs"]
mod filter_candidates_tests;
