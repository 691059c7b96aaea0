//! The pool in figures: how many by status and recommendation, prices, deadlines, scores, skills and gaps.

use frontdesk_core::access::Role;
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Desk, Told, words};
use crate::domain::kinds::Kind;
use crate::domain::pool::Pool;
use crate::domain::tongue::Tongue;

pub(super) struct PoolStatistics(pub(super) Desk);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {}

impl Tool for PoolStatistics {
    const NAME: &'static str = "pool_statistics";
    type Args = Args;
    type Output = Told;

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

    async fn call(&self, ctx: &ToolContext, _: Args) -> Result<Told, ToolError> {
        let (pool, tongue) = self.0.pool(ctx).await?;
        ctx.suggest([
            tongue.pick("Кто лучший?", "Who is the best?").to_owned(),
            tongue
                .pick(
                    "Кто самый дешёвый в рамках бюджета?",
                    "Who is the cheapest within budget?",
                )
                .to_owned(),
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
    let label = |russian, english| tongue.pick(russian, english);
    let statuses = stats.by_status.iter();
    let recommended = stats.by_recommendation.iter();
    let mut lines = vec![
        format!(
            "{}: {}",
            label("Всего откликов", "Responses in all"),
            stats.total
        ),
        format!(
            "- {}: {}",
            label("По статусам", "By status"),
            counted(statuses.map(|(kind, count)| (kind.label(tongue), *count)))
        ),
        format!(
            "- {}: {}",
            label("По рекомендациям", "By recommendation"),
            counted(recommended.map(|(kind, count)| (kind.label(tongue), *count)))
        ),
    ];
    lines.extend(money_and_time(pool, tongue));
    lines.extend(skills(pool, tongue));
    lines.join("\n")
}

fn counted(pairs: impl Iterator<Item = (&'static str, usize)>) -> String {
    let shown: Vec<String> = pairs
        .map(|(label, count)| format!("{label}: {count}"))
        .collect();
    shown.join(", ")
}

fn known(value: Option<i64>, tongue: Tongue) -> String {
    match value {
        Some(value) => value.to_string(),
        None => tongue.pick("нет данных", "not known").to_owned(),
    }
}

fn money_and_time(pool: &Pool, tongue: Tongue) -> Vec<String> {
    let (stats, figures) = (&pool.stats, pool.figures());
    let label = |russian, english| tongue.pick(russian, english);
    let known = |value| known(value, tongue);
    let mut lines = vec![format!(
        "- {}: {} {} ({} {}–{}, {} {})",
        label("Средняя цена", "Average price"),
        known(stats.avg_price),
        pool.gig.budget_currency,
        label("разброс", "range"),
        known(figures.min_price),
        known(figures.max_price),
        label("медиана", "median"),
        known(figures.median_price)
    )];
    if let Some(within) = figures.within_budget {
        let budget = pool.gig.budget(tongue);
        lines.push(format!(
            "- {} ({budget}): {within}",
            label("В бюджете", "Within budget")
        ));
    }
    lines.push(format!(
        "- {}: {}",
        label("Средний срок, дней", "Average delivery, days"),
        known(stats.avg_delivery_days)
    ));
    lines.push(format!(
        "- {}: {}; {}: {} ({}: {})",
        label("Средний скрининг из 100", "Average screening of 100"),
        known(stats.avg_screening_score),
        label("среднее интервью из 100", "average interview of 100"),
        known(stats.avg_interview_score),
        label("проведено", "held"),
        figures.interviews_held
    ));
    lines
}

fn skills(pool: &Pool, tongue: Tongue) -> Vec<String> {
    let figures = pool.figures();
    let mut lines = Vec::new();
    let had = figures.required_skills.iter();
    let had: Vec<String> = had
        .map(|one| format!("{} {}", one.skill, one.people))
        .collect();
    if !had.is_empty() {
        let label = tongue.pick("Обязательные навыки", "Required skills");
        lines.push(format!("- {label}: {}", had.join(", ")));
    }
    if !figures.missing_skills.is_empty() {
        let label = tongue.pick("Ни у кого нет", "Nobody has");
        lines.push(format!("- {label}: {}", figures.missing_skills.join(", ")));
    }
    lines
}
