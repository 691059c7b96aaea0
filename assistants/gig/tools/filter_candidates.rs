//! Candidates by conditions, in an order: exact counts, whatever the size of the pool.

use frontdesk_core::access::Role;
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Desk, Told, words};
use crate::domain::candidate::CandidateContext;
use crate::domain::candidate_summary::CandidateSummary;
use crate::domain::kinds::{GigRecommendation, GigResponseStatus, Kind};
use crate::domain::pool::{Filter, Order, Pool};
use crate::domain::tongue::Tongue;

pub(super) struct FilterCandidates(pub(super) Desk);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Цена не выше, в рублях.
    #[serde(default)]
    #[schemars(range(min = 0))]
    max_price: Option<i64>,
    /// Срок не больше, в днях.
    #[serde(default)]
    #[schemars(range(min = 1))]
    max_days: Option<i64>,
    /// Статус отклика: NEW (новый), EVALUATED (оценён), INTERVIEW (на интервью), NEGOTIATION (переговоры), COMPLETED (завершён), SKIPPED (пропущен).
    #[serde(default)]
    status: Option<GigResponseStatus>,
    /// Рекомендация рейтинга: RECOMMENDED (рекомендован), HIGHLY_RECOMMENDED (настоятельно рекомендован), NEUTRAL (нейтрально), NOT_RECOMMENDED (не рекомендован).
    #[serde(default)]
    recommendation: Option<GigRecommendation>,
    /// Только те, чья цена в бюджете задания (within budget).
    #[serde(default)]
    within_budget: bool,
    /// Навык, который есть (has skill, with skill).
    #[serde(default)]
    #[schemars(length(max = 100))]
    with_skill: Option<String>,
    /// Навык, которого нет (missing skill, lacks skill, without skill).
    #[serde(default)]
    #[schemars(length(max = 100))]
    without_skill: Option<String>,
    /// Порядок: price (сначала дешёвые, cheapest), delivery (сначала быстрые, fastest), screening (по скринингу), interview (по интервью), rating (по рейтингу).
    #[serde(default)]
    order: Option<OrderName>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum OrderName {
    Rating,
    Price,
    Delivery,
    Screening,
    Interview,
}

impl From<OrderName> for Order {
    fn from(name: OrderName) -> Self {
        match name {
            OrderName::Rating => Self::Rating,
            OrderName::Price => Self::Price,
            OrderName::Delivery => Self::Delivery,
            OrderName::Screening => Self::Screening,
            OrderName::Interview => Self::Interview,
        }
    }
}

const SHOWN: usize = 10;

impl Tool for FilterCandidates {
    const NAME: &'static str = "filter_candidates";
    type Args = Args;
    type Output = Told;

    fn spec() -> ToolSpec {
        ToolSpec::read("Отобрать кандидатов по цене, бюджету, сроку, статусу, рекомендации и навыкам: сколько их и кто они.")
            .title("Отобрать кандидатов")
            .roles([Role::RECRUITER])
            .example("Кто укладывается в 50 000 рублей?", json!({ "max_price": 50000 }))
            .example("кто сделает за 5 дней", json!({ "max_days": 5 }))
            .example("покажи новые отклики", json!({ "status": "NEW" }))
            .example("кто самый дешёвый в рамках бюджета?", json!({ "within_budget": true, "order": "price" }))
            .example("who is the cheapest within budget?", json!({ "within_budget": true, "order": "price" }))
            .example("кто самый быстрый?", json!({ "order": "delivery" }))
            .example("у кого нет навыка SEO?", json!({ "without_skill": "SEO" }))
            .example("кто знает навык React?", json!({ "with_skill": "React" }))
            .example("who has skill React?", json!({ "with_skill": "React" }))
            .example("who is missing skill SEO?", json!({ "without_skill": "SEO" }))
            .example("кто знает Python?", json!({ "with_skill": "Python" }))
            .example("who knows Python?", json!({ "with_skill": "Python" }))
            .example("у кого лучше прошло интервью?", json!({ "order": "interview" }))
            .example("who can deliver within 5 days?", json!({ "max_days": 5 }))
            .example("кто не рекомендован?", json!({ "recommendation": "NOT_RECOMMENDED" }))
            .example("who is not recommended?", json!({ "recommendation": "NOT_RECOMMENDED" }))
            .example("нужны люди с Python, но без SEO", json!({ "with_skill": "Python", "without_skill": "SEO" }))
            .example("нужны люди с Python", json!({ "with_skill": "Python" }))
            .example("I need people with Python", json!({ "with_skill": "Python" }))
            .example("есть кто-нибудь до 40000?", json!({ "max_price": 40000 }))
            .example("anyone below 25000?", json!({ "max_price": 25000 }))
            .example("кто самый дешёвый?", json!({ "order": "price" }))
            .example("who is the cheapest?", json!({ "order": "price" }))
            .example("у кого есть Python, но нет SEO?", json!({ "with_skill": "Python", "without_skill": "SEO" }))
            .example("кто на интервью?", json!({ "status": "INTERVIEW" }))
            .example("кого уже оценили?", json!({ "status": "EVALUATED" }))
            .example("who can finish in 5 days?", json!({ "max_days": 5 }))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<Told, ToolError> {
        let (pool, tongue) = self.0.pool(ctx).await?;
        let named = |skill: Option<String>| skill.filter(|skill| !skill.trim().is_empty());
        let filter = Filter {
            max_price: args.max_price,
            max_days: args.max_days,
            within_budget: args.within_budget,
            status: args.status,
            hr_status: None,
            recommendation: args.recommendation,
            with_skill: named(args.with_skill),
            without_skill: named(args.without_skill),
            order: args.order.map_or(Order::Rating, Order::from),
        };
        if filter.within_budget && pool.gig.budget_max.is_none() {
            return Err(ToolError::refused(
                tongue.pick("У задания не указан бюджет", "The gig has no budget"),
            ));
        }
        let found = pool.filter(&filter);
        if let Some(first) = found.first() {
            ctx.suggest(words::next(first, &pool, tongue));
        }
        let shown: Vec<Value> = found
            .iter()
            .take(SHOWN)
            .map(|one| words::data(one, &pool.gig, tongue))
            .collect();
        Ok(Told {
            data: json!({ "matching": found.len(), "of": pool.stats.total, "candidates": shown }),
            words: listed(&found, &filter, &pool, tongue),
        })
    }

    fn summary(told: &Told) -> String {
        told.words.clone()
    }
}

/// What was looked for, so that people see how they were understood.
fn conditions(filter: &Filter, currency: &str, tongue: Tongue) -> String {
    let say = |russian, english| tongue.pick(russian, english);
    let mut told: Vec<String> = Vec::new();
    if filter.within_budget {
        told.push(say("в бюджете", "within budget").to_owned());
    }
    if let Some(price) = filter.max_price {
        told.push(format!(
            "{} {price} {currency}",
            say("цена до", "price up to")
        ));
    }
    if let Some(days) = filter.max_days {
        told.push(format!("{} {days}", say("срок до, дней:", "days at most:")));
    }
    if let Some(status) = filter.status {
        told.push(format!(
            "{}: {}",
            say("статус", "status"),
            status.label(tongue)
        ));
    }
    if let Some(kind) = filter.recommendation {
        let label = say("рекомендация", "recommendation");
        told.push(format!("{label}: {}", kind.label(tongue)));
    }
    if let Some(skill) = &filter.with_skill {
        told.push(format!(
            "{}: {}",
            say("навык", "skill"),
            words::plain(skill)
        ));
    }
    if let Some(skill) = &filter.without_skill {
        told.push(format!(
            "{}: {}",
            say("нет навыка", "without skill"),
            words::plain(skill)
        ));
    }
    let order = match filter.order {
        Order::Rating => None,
        Order::Price => Some(say("сначала дешёвые", "cheapest first")),
        Order::Delivery => Some(say("сначала быстрые", "fastest first")),
        Order::Screening => Some(say("по скринингу", "by screening")),
        Order::Interview => Some(say("по интервью", "by interview")),
    };
    told.extend(order.map(str::to_owned));
    if told.is_empty() {
        return say("без условий", "no conditions").to_owned();
    }
    told.join("; ")
}

fn listed(found: &[&CandidateContext], filter: &Filter, pool: &Pool, tongue: Tongue) -> String {
    let total = pool.stats.total;
    let conditions = conditions(filter, &pool.gig.budget_currency, tongue);
    let mut lines = vec![match tongue {
        Tongue::Russian => format!("Подходят ({conditions}): {} из {total}.", found.len()),
        Tongue::English => format!("Matching ({conditions}): {} of {total}.", found.len()),
    }];
    if total == 0 {
        lines.push(words::empty(tongue).to_owned());
    }
    for one in found.iter().take(SHOWN) {
        let summary = CandidateSummary::of(one, tongue);
        lines.push(format!(
            "- **{}**: {}, {}, {} {}, {}",
            words::plain(&summary.name),
            summary.price,
            summary.delivery,
            tongue.pick("рейтинг", "score"),
            summary.composite_score,
            summary.status
        ));
    }
    if found.len() > SHOWN {
        let rest = found.len() - SHOWN;
        // Without it, this would belong to the last entry of the list.
        lines.push(String::new());
        lines.push(match tongue {
            Tongue::Russian => format!("… и ещё {rest}"),
            Tongue::English => format!("… and {rest} more"),
        });
    }
    lines.join("\n")
}
