//! The best of the ranking, or the last of it, and why.

use frontdesk_core::access::Role;
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Desk, Told, words};
use crate::domain::candidate::CandidateContext;

pub(super) struct BestCandidates(pub(super) Desk);

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
    type Output = Told;

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

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<Told, ToolError> {
        let (pool, tongue) = self.0.pool(ctx).await?;
        let shown = args.limit.unwrap_or(SHOWN);
        let ranked = pool.candidates.iter().filter(|one| one.place().is_some());
        let best: Vec<&CandidateContext> = match args.weakest {
            true => ranked.rev().take(shown).collect(),
            false => ranked.take(shown).collect(),
        };
        let Some(first) = best.first() else {
            let words = if pool.candidates.is_empty() {
                words::empty(tongue)
            } else {
                tongue.pick(
                    "Пока нет данных, по которым можно сравнить кандидатов.",
                    "Nothing is known yet by which the candidates could be compared.",
                )
            };
            return Ok(Told {
                data: json!({ "candidates": [], "total": pool.stats.total }),
                words: words.to_owned(),
            });
        };
        ctx.suggest(words::next(first, &pool, tongue));
        let mut lines = vec![format!(
            "{} {}",
            match args.weakest {
                true => tongue.pick("Последний в рейтинге", "The last of the ranking is"),
                false => tongue.pick("Лучший кандидат", "The best candidate is"),
            },
            words::reason(first, &pool.gig, tongue)
        )];
        if best.len() > 1 {
            // A list that does not begin with one needs a line of its own before it.
            lines.push(String::new());
        }
        for other in best.iter().skip(1) {
            lines.push(format!(
                "{}. {}",
                other.place().unwrap_or_default(),
                words::reason(other, &pool.gig, tongue)
            ));
        }
        let all: Vec<Value> = best
            .iter()
            .map(|one| words::data(one, &pool.gig, tongue))
            .collect();
        Ok(Told {
            data: json!({ "candidates": all, "total": pool.stats.total }),
            words: lines.join("\n"),
        })
    }

    fn summary(told: &Told) -> String {
        told.words.clone()
    }
}
