//! The first of the ranking, or the last, with reasons.

use frontdesk_core::access::Role;
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{GigReader, ToolAnswer, candidate_card, words};
use crate::domain::candidate::CandidateContext;

pub(super) struct BestCandidates(pub(super) GigReader);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Сколько показать.
    #[serde(default)]
    #[schemars(range(min = 1, max = 20))]
    limit: Option<usize>,
    /// С конца рейтинга: худшие, самые слабые (worst, weakest).
    #[serde(default)]
    weakest: bool,
}

const SHOWN: usize = 3;

impl Tool for BestCandidates {
    const NAME: &'static str = "best_candidates";
    type Args = Args;
    type Output = ToolAnswer;

    fn spec() -> ToolSpec {
        ToolSpec::read("Показать лучших кандидатов по рейтингу, или самых слабых.")
            .title("Лучшие кандидаты")
            .roles([Role::RECRUITER])
            .example("who should we hire?", json!({}))
            .example("Кто лучший?", json!({}))
            .example("who is the best candidate and why?", json!({}))
            .example("топ 3 кандидата", json!({ "limit": 3 }))
            .example("кого посоветуешь?", json!({}))
            .example("whom do you recommend?", json!({}))
            .example("кто худший?", json!({ "weakest": true }))
            .example("who is the weakest candidate?", json!({ "weakest": true }))
            .example("кто фаворит?", json!({}))
            .example("who is the favourite?", json!({}))
            .example("your top 2", json!({ "limit": 2 }))
            .example("кто в конце рейтинга?", json!({ "weakest": true }))
            .example("кто не тянет?", json!({ "weakest": true }))
            .example("трое худших", json!({ "limit": 3, "weakest": true }))
            .example("bottom 3", json!({ "limit": 3, "weakest": true }))
            .example("кто аутсайдер?", json!({ "weakest": true }))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<ToolAnswer, ToolError> {
        let (pool, language) = self.0.pool(ctx).await?;
        let shown = args.limit.unwrap_or(SHOWN);
        let ranked = pool.candidates.iter().filter(|one| one.place().is_some());
        let best: Vec<&CandidateContext> = match args.weakest {
            true => ranked.rev().take(shown).collect(),
            false => ranked.take(shown).collect(),
        };
        let Some(first) = best.first() else {
            let words = if pool.candidates.is_empty() {
                words::empty(language)
            } else {
                language.pick(
                    "Пока нет данных, по которым можно сравнить кандидатов.",
                    "There is no data yet to compare the candidates by.",
                )
            };
            let data = json!({ "candidates": [], "total": pool.stats.total });
            return Ok(ToolAnswer::about(&pool, language, data, words));
        };
        ctx.suggest(words::next(first, &pool, language));
        let mut lines = vec![format!(
            "{} {}",
            match args.weakest {
                true => language.pick("Последний в рейтинге", "Last in the ranking is"),
                false => language.pick("Лучший кандидат", "The best candidate is"),
            },
            words::reason(first, &pool, language)
        )];
        if best.len() > 1 {
            // A list that does not begin with one needs a line of its own before it.
            lines.push(String::new());
        }
        for other in best.iter().skip(1) {
            lines.push(format!(
                "{}. {}",
                other.place().unwrap_or_default(),
                words::reason(other, &pool, language)
            ));
        }
        for one in &best {
            ctx.show(candidate_card(one, &pool, language));
        }
        let all: Vec<Value> = best
            .iter()
            .map(|one| words::data(one, &pool, language))
            .collect();
        let data = json!({ "candidates": all, "total": pool.stats.total });
        Ok(ToolAnswer::about(&pool, language, data, &lines.join("\n")))
    }

    fn summary(answer: &ToolAnswer) -> String {
        answer.words.clone()
    }
}
