//! The pool in figures: how many by status and recommendation, prices, deadlines, scores, skills and gaps.

use frontdesk_core::access::Role;
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Desk, Told, words};
use crate::gig::domain::pool::Pool;
use crate::gig::domain::tongue::Tongue;

pub(super) struct PoolStatistics(pub(super) Desk);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {}

impl Tool for PoolStatistics {
    const NAME: &'static str = "pool_statistics";
    type Args = Args;
    type Output = Told;

    fn spec() -> ToolSpec {
        ToolSpec::read("Статистика по откликам: сколько откликов всего и по статусам, средняя цена, срок, оценки, навыки, чего не хватает.")
            .title("Статистика откликов")
            .roles([Role::RECRUITER])
            .example("Сколько всего откликов?", json!({}))
            .example("сколько кандидатов в каждом статусе?", json!({}))
            .example("how many candidates are there by status?", json!({}))
            .example("какая средняя цена", json!({}))
    }

    async fn call(&self, ctx: &ToolContext, _: Args) -> Result<Told, ToolError> {
        let (pool, tongue) = self.0.pool(ctx).await?;
        ctx.suggest([
            tongue.pick("Кто лучший?", "Who is the best?").to_owned(),
            tongue.pick("Кто самый дешёвый в рамках бюджета?", "Who is the cheapest within budget?").to_owned(),
        ]);
        let mut data = json!(pool.stats);
        if let (Value::Object(fields), Value::Object(more)) = (&mut data, json!(pool.figures())) {
            fields.extend(more);
        }
        Ok(Told {
            data,
            words: told(&pool, tongue),
        })
    }

    fn summary(told: &Told) -> String {
        told.words.clone()
    }
}

fn told(pool: &Pool, tongue: Tongue) -> String {
    let stats = &pool.stats;
    if stats.total == 0 {
        return words::empty(tongue).to_owned();
    }
    let figures = pool.figures();
    let label = |russian, english| tongue.pick(russian, english);
    let known = |value: Option<i64>| value.map_or_else(|| label("нет данных", "not known").to_owned(), |value| value.to_string());
    let counted = |pairs: Vec<(&'static str, usize)>| {
        let shown: Vec<String> = pairs.into_iter().map(|(label, count)| format!("{label}: {count}")).collect();
        shown.join(", ")
    };
    let statuses = stats.by_status.iter().map(|(kind, count)| (kind.label(tongue), *count));
    let recommended = stats.by_recommendation.iter().map(|(kind, count)| (kind.label(tongue), *count));
    let mut lines = vec![
        format!("{}: {}", label("Всего откликов", "Responses in all"), stats.total),
        format!("- {}: {}", label("По статусам", "By status"), counted(statuses.collect())),
        format!("- {}: {}", label("По рекомендациям", "By recommendation"), counted(recommended.collect())),
        format!(
            "- {}: {} {} ({} {}–{}, {} {})",
            label("Средняя цена", "Average price"),
            known(stats.avg_price),
            pool.gig.budget_currency,
            label("разброс", "range"),
            known(figures.min_price),
            known(figures.max_price),
            label("медиана", "median"),
            known(figures.median_price)
        ),
    ];
    if let Some(within) = figures.within_budget {
        lines.push(format!("- {} ({}): {within}", label("В бюджете", "Within budget"), pool.gig.budget(tongue)));
    }
    lines.push(format!("- {}: {}", label("Средний срок, дней", "Average delivery, days"), known(stats.avg_delivery_days)));
    lines.push(format!(
        "- {}: {}; {}: {} ({}: {})",
        label("Средний скрининг из 100", "Average screening of 100"),
        known(stats.avg_screening_score),
        label("среднее интервью из 100", "average interview of 100"),
        known(stats.avg_interview_score),
        label("проведено", "held"),
        figures.interviews_held
    ));
    let skills: Vec<String> = figures.required_skills.iter().map(|one| format!("{} {}", one.skill, one.people)).collect();
    if !skills.is_empty() {
        lines.push(format!("- {}: {}", label("Обязательные навыки", "Required skills"), skills.join(", ")));
    }
    if !figures.missing_skills.is_empty() {
        lines.push(format!("- {}: {}", label("Ни у кого нет", "Nobody has"), figures.missing_skills.join(", ")));
    }
    lines.join("\n")
}
