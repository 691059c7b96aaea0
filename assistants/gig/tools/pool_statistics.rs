//! The pool in figures: counts by status, recommendation and decision, prices, days, scores, skills and gaps.

use frontdesk_core::access::Role;
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{GigReader, ToolAnswer, words};
use crate::domain::pool_summary;

pub(super) struct PoolStatistics(pub(super) GigReader);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {}

impl Tool for PoolStatistics {
    const NAME: &'static str = "pool_statistics";
    type Args = Args;
    type Output = ToolAnswer;

    fn spec() -> ToolSpec {
        ToolSpec::read("Статистика и сводка по откликам: сколько откликов всего и по статусам, средняя цена, срок, оценки, навыки, чего не хватает.")
            .title("Статистика откликов")
            .roles([Role::RECRUITER])
            .example("Сколько всего откликов?", json!({}))
            .example("сколько кандидатов в каждом статусе?", json!({}))
            .example("how many candidates are there by status?", json!({}))
            .example("какая средняя цена", json!({}))
            .example("what is the average price?", json!({}))
            .example("каких навыков не хватает?", json!({}))
            .example("how many interviews were held?", json!({}))
    }

    async fn call(&self, ctx: &ToolContext, _: Args) -> Result<ToolAnswer, ToolError> {
        let (pool, language) = self.0.pool(ctx).await?;
        ctx.suggest([
            language.pick("Кто лучший?", "Who is the best?").to_owned(),
            language
                .pick(
                    "Кто самый дешёвый в рамках бюджета?",
                    "Who is the cheapest within budget?",
                )
                .to_owned(),
        ]);
        let figures = pool.figures();
        let mut data = json!(pool.stats);
        if let (Value::Object(fields), Value::Object(more)) = (&mut data, json!(figures)) {
            fields.insert("currency".to_owned(), json!(pool.gig.budget_currency));
            fields.extend(more);
        }
        let text = match pool.stats.total {
            0 => words::empty(language).to_owned(),
            _ => pool_summary::lines(&pool, &figures, language),
        };
        Ok(ToolAnswer::about(&pool, language, data, &text))
    }

    fn summary(answer: &ToolAnswer) -> String {
        answer.words.clone()
    }
}
