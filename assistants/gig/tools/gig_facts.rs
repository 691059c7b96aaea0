//! The gig's own facts: budget, deadline, duration and demands.

use frontdesk_core::access::Role;
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{GigReader, ToolAnswer, words};
use crate::domain::kinds::Kind;
use crate::domain::language::Language;
use crate::domain::pool::Pool;

pub(super) struct GigFacts(pub(super) GigReader);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {}

impl Tool for GigFacts {
    const NAME: &'static str = "gig_facts";
    type Args = Args;
    type Output = ToolAnswer;

    fn spec() -> ToolSpec {
        ToolSpec::read("Показать само задание: бюджет, дедлайн, длительность, тип, описание, требования и нужные навыки.")
            .title("О задании")
            .roles([Role::RECRUITER])
            .example("Какой дедлайн у задания?", json!({}))
            .example("какой бюджет?", json!({}))
            .example("what is the deadline?", json!({}))
            .example("what is the budget of this gig?", json!({}))
            .example("какие навыки требуются?", json!({}))
            .example("what does the gig ask for?", json!({}))
            .example("сколько дней осталось до дедлайна?", json!({}))
    }

    async fn call(&self, ctx: &ToolContext, _: Args) -> Result<ToolAnswer, ToolError> {
        let (pool, language) = self.0.pool(ctx).await?;
        let gig = &pool.gig;
        let data = json!({
            "type": gig.r#type, "description": gig.description, "budgetMin": gig.budget_min,
            "budgetMax": gig.budget_max, "budgetCurrency": gig.budget_currency, "deadline": gig.deadline,
            "daysLeft": pool.days_left(), "estimatedDuration": gig.estimated_duration,
            "requirements": gig.requirements, "responses": pool.stats.total,
        });
        Ok(ToolAnswer::about(
            &pool,
            language,
            data,
            &lines(&pool, language),
        ))
    }

    fn summary(answer: &ToolAnswer) -> String {
        answer.words.clone()
    }
}

fn lines(pool: &Pool, language: Language) -> String {
    let gig = &pool.gig;
    let say = |russian, english| language.pick(russian, english);
    let none = || say("не указан", "not given").to_owned();
    let deadline = match (gig.deadline, pool.days_left()) {
        (Some(deadline), Some(left)) => {
            let day = deadline.format("%Y-%m-%d");
            match left {
                0.. => format!(
                    "{day} ({} {})",
                    say("осталось", "left:"),
                    language.days(left)
                ),
                _ => format!("{day} ({})", say("прошёл", "over")),
            }
        }
        (_, None) | (None, _) => none(),
    };
    let mut facts = vec![
        (say("Бюджет", "Budget"), gig.budget(language)),
        (say("Дедлайн", "Deadline"), deadline),
        (
            say("Длительность", "Duration"),
            gig.estimated_duration.clone().unwrap_or_else(none),
        ),
        (say("Тип", "Kind"), gig.r#type.label(language).to_owned()),
    ];
    if let Some(needs) = &gig.requirements {
        facts.extend([
            (
                say("Обязательные навыки", "Required skills"),
                needs.required_skills.join(", "),
            ),
            (
                say("Желательные навыки", "Desired skills"),
                needs.nice_to_have_skills.join(", "),
            ),
            (say("Уровень", "Level"), needs.experience_level.clone()),
            (
                say("Результаты", "Deliverables"),
                needs.deliverables.join("; "),
            ),
        ]);
    }
    facts.push((
        say("Описание", "Description"),
        gig.description.clone().unwrap_or_default(),
    ));
    let shown = facts.into_iter().filter(|(_, value)| !value.is_empty());
    let lines = shown.map(|(label, value)| format!("- {label}: {}", words::plain(&value)));
    format!("\n{}", lines.collect::<Vec<_>>().join("\n"))
}
