//! The arguments of the query: every one of them narrows the match, `sort` and `direction` order it.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::domain::kinds::{
    Currency, GigHrSelectionStatus, GigRecommendation, GigResponseStatus, Kind,
};
use crate::domain::query::{Bounds, Column, Direction, Filter, Query};

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::tools) struct Args {
    /// Цена не выше, включительно, в валюте задания (price up to, under, дешевле).
    #[schemars(range(min = 0))]
    max_price: Option<i64>,
    /// Цена не ниже, включительно, в валюте задания (price from, over, дороже).
    #[schemars(range(min = 0))]
    min_price: Option<i64>,
    /// Валюта обеих цен, если не валюта задания. Без них: предложения в этой валюте.
    currency: Option<Currency>,
    /// Срок не больше, в днях, включительно.
    #[schemars(range(min = 0))]
    max_days: Option<i64>,
    /// Срок не меньше, в днях, включительно.
    #[schemars(range(min = 0))]
    min_days: Option<i64>,
    /// Скрининг не ниже, баллов из 100, включительно.
    #[schemars(range(min = 0, max = 100))]
    min_screening: Option<i64>,
    /// Скрининг не выше, баллов из 100, включительно.
    #[schemars(range(min = 0, max = 100))]
    max_screening: Option<i64>,
    /// Интервью не ниже, баллов из 100, включительно.
    #[schemars(range(min = 0, max = 100))]
    min_interview: Option<i64>,
    /// Интервью не выше, баллов из 100, включительно.
    #[schemars(range(min = 0, max = 100))]
    max_interview: Option<i64>,
    /// Рейтинг не ниже, баллов из 100, включительно.
    #[schemars(range(min = 0, max = 100))]
    min_score: Option<i64>,
    /// Рейтинг не выше, баллов из 100, включительно.
    #[schemars(range(min = 0, max = 100))]
    max_score: Option<i64>,
    /// В бюджете задания (within budget) или выше бюджета (over budget).
    within_budget: Option<bool>,
    /// Успевает до дедлайна задания (meets the deadline) или не успевает (misses it).
    before_deadline: Option<bool>,
    /// Статус отклика: NEW (новый), EVALUATED (оценён), INTERVIEW (на интервью), NEGOTIATION (переговоры), COMPLETED (завершён), SKIPPED (пропущен).
    status: Option<GigResponseStatus>,
    /// Решение рекрутера: INVITE (приглашён), RECOMMENDED (рекомендован нами), NOT_RECOMMENDED (не рекомендован нами), REJECTED (отклонён, отказ), SELECTED (выбран), CONTRACT_SENT (договор отправлен), IN_PROGRESS (в работе), DONE (готово).
    hr_status: Option<GigHrSelectionStatus>,
    /// Рекомендация рейтинга: RECOMMENDED (рекомендован), HIGHLY_RECOMMENDED (настоятельно рекомендован), NEUTRAL (нейтрально), NOT_RECOMMENDED (не рекомендован).
    recommendation: Option<GigRecommendation>,
    /// Навыки, которые есть все (has all of these skills).
    #[schemars(length(max = 20))]
    with_skills: Vec<String>,
    /// Навыки, из которых есть хотя бы один (has any of these skills).
    #[schemars(length(max = 20))]
    any_skills: Vec<String>,
    /// Навыки, которых нет (lacks these skills).
    #[schemars(length(max = 20))]
    without_skills: Vec<String>,
    /// Цена указана или нет.
    has_price: Option<bool>,
    /// Интервью проведено или нет.
    has_interview: Option<bool>,
    /// Скрининг проведён или нет.
    has_screening: Option<bool>,
    /// Опыт описан или нет.
    has_experience: Option<bool>,
    /// Решение рекрутера принято или нет.
    has_decision: Option<bool>,
    /// Слово в имени, опыте, письме или навыках.
    #[schemars(length(max = 200))]
    text: Option<String>,
    /// Порядок: price (по цене), delivery (по сроку), screening (по скринингу), interview (по интервью), score (по рейтингу), place, name, status, decision, recommendation, rating (оценка площадки), responded (по дате отклика).
    sort: Option<Column>,
    /// Направление: asc (по возрастанию) или desc (по убыванию). Без него лучшие, дешёвые и быстрые первыми.
    direction: Option<Direction>,
    /// Сколько показать.
    #[schemars(range(min = 1, max = 50))]
    pub(super) limit: Option<usize>,
}

impl Args {
    pub(super) fn query(self) -> Query {
        let named = |skills: Vec<String>| -> Vec<String> {
            let named = skills.into_iter().filter(|skill| !skill.trim().is_empty());
            named.collect()
        };
        Query {
            filter: Filter {
                price: Bounds::new(self.min_price, self.max_price),
                currency: self.currency.map(|currency| currency.as_str().to_owned()),
                days: Bounds::new(self.min_days, self.max_days),
                screening: Bounds::new(self.min_screening, self.max_screening),
                interview: Bounds::new(self.min_interview, self.max_interview),
                score: Bounds::new(self.min_score, self.max_score),
                within_budget: self.within_budget,
                before_deadline: self.before_deadline,
                status: self.status,
                hr_status: self.hr_status,
                recommendation: self.recommendation,
                all_skills: named(self.with_skills),
                any_skill: named(self.any_skills),
                no_skill: named(self.without_skills),
                has_price: self.has_price,
                has_interview: self.has_interview,
                has_screening: self.has_screening,
                has_experience: self.has_experience,
                has_decision: self.has_decision,
                text: self.text.filter(|text| !text.trim().is_empty()),
                among: Vec::new(),
            },
            sort: self.sort,
            direction: self.direction,
        }
    }
}
