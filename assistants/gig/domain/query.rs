//! One question about the candidates of a gig: who fits the conditions, and in which order.

use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use super::candidate::CandidateContext;
use super::kinds::{Currency, GigHrSelectionStatus, GigRecommendation, GigResponseStatus, Kind};
use super::names::Likeness;
use super::pool::Pool;
use super::skills;
use super::statistics::rounded;

// The arguments of the query: its schema is what models read. Every condition that is given must hold; an unknown
// value fits no limit.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Query {
    /// Цена не выше, включительно, в валюте задания (price up to, under, дешевле).
    #[schemars(range(min = 0))]
    pub max_price: Option<i64>,
    /// Цена не ниже, включительно, в валюте задания (price from, over, дороже).
    #[schemars(range(min = 0))]
    pub min_price: Option<i64>,
    /// Валюта обеих цен, если не валюта задания. Без них: предложения в этой валюте.
    pub currency: Option<Currency>,
    /// Срок не больше, в днях, включительно.
    #[schemars(range(min = 0, max = 3650))]
    pub max_days: Option<i64>,
    /// Срок не меньше, в днях, включительно.
    #[schemars(range(min = 0, max = 3650))]
    pub min_days: Option<i64>,
    /// Скрининг не ниже, баллов из 100, включительно.
    #[schemars(range(min = 0, max = 100))]
    pub min_screening: Option<i64>,
    /// Скрининг не выше, баллов из 100, включительно.
    #[schemars(range(min = 0, max = 100))]
    pub max_screening: Option<i64>,
    /// Интервью не ниже, баллов из 100, включительно.
    #[schemars(range(min = 0, max = 100))]
    pub min_interview: Option<i64>,
    /// Интервью не выше, баллов из 100, включительно.
    #[schemars(range(min = 0, max = 100))]
    pub max_interview: Option<i64>,
    /// Рейтинг не ниже, баллов из 100, включительно.
    #[schemars(range(min = 0, max = 100))]
    pub min_score: Option<i64>,
    /// Рейтинг не выше, баллов из 100, включительно.
    #[schemars(range(min = 0, max = 100))]
    pub max_score: Option<i64>,
    /// В бюджете задания (within budget) или выше бюджета (over budget).
    pub within_budget: Option<bool>,
    /// Успевает до дедлайна задания (meets the deadline) или не успевает (misses it).
    pub before_deadline: Option<bool>,
    /// Статус отклика: NEW (новый), EVALUATED (оценён), INTERVIEW (на интервью), NEGOTIATION (переговоры), COMPLETED (завершён), SKIPPED (пропущен).
    pub status: Option<GigResponseStatus>,
    /// Решение рекрутера: INVITE (приглашён), RECOMMENDED (рекомендован нами), NOT_RECOMMENDED (не рекомендован нами), REJECTED (отклонён, отказ), SELECTED (выбран), CONTRACT_SENT (договор отправлен), IN_PROGRESS (в работе), DONE (готово).
    pub hr_status: Option<GigHrSelectionStatus>,
    /// Рекомендация рейтинга: RECOMMENDED (рекомендован), HIGHLY_RECOMMENDED (настоятельно рекомендован), NEUTRAL (нейтрально), NOT_RECOMMENDED (не рекомендован).
    pub recommendation: Option<GigRecommendation>,
    /// Навыки, которые есть все (has all of these skills).
    #[schemars(length(max = 20))]
    pub with_skills: Vec<String>,
    /// Навыки, из которых есть хотя бы один (has any of these skills).
    #[schemars(length(max = 20))]
    pub any_skills: Vec<String>,
    /// Навыки, которых нет (lacks these skills).
    #[schemars(length(max = 20))]
    pub without_skills: Vec<String>,
    /// Цена указана или нет.
    pub has_price: Option<bool>,
    /// Интервью проведено или нет.
    pub has_interview: Option<bool>,
    /// Скрининг проведён или нет.
    pub has_screening: Option<bool>,
    /// Опыт описан или нет.
    pub has_experience: Option<bool>,
    /// Решение рекрутера принято или нет.
    pub has_decision: Option<bool>,
    /// Слово в имени, опыте, письме или навыках.
    #[schemars(length(max = 200))]
    pub text: Option<String>,
    /// Порядок: price (по цене), delivery (по сроку), screening (по скринингу), interview (по интервью), score (по рейтингу), place, name, status, decision, recommendation, rating (оценка площадки), responded (по дате отклика).
    pub sort: Option<Column>,
    /// Направление: asc (по возрастанию) или desc (по убыванию). Без него лучшие, дешёвые и быстрые первыми.
    pub direction: Option<Direction>,
    /// Сколько показать.
    #[schemars(range(min = 1, max = 50))]
    pub limit: Option<usize>,
    /// Only these; everyone where none is named.
    #[serde(skip)]
    pub among: Vec<Uuid>,
}

impl Query {
    /// Without order and limit: whether anything narrows the match.
    pub fn has_conditions(&self) -> bool {
        let order = Self {
            sort: self.sort,
            direction: self.direction,
            limit: self.limit,
            ..Self::default()
        };
        *self != order
    }
}

/// `Place` is that of the ranking, `Rating` that of the platform which the response comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Column {
    #[default]
    Place,
    Name,
    Price,
    Delivery,
    Screening,
    Interview,
    Score,
    Status,
    Decision,
    Recommendation,
    Rating,
    Responded,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    #[default]
    Asc,
    Desc,
}

impl Column {
    /// The best, cheapest, fastest or first on top.
    pub fn usual_direction(self) -> Direction {
        match self {
            Self::Screening | Self::Interview | Self::Score | Self::Rating => Direction::Desc,
            Self::Place
            | Self::Name
            | Self::Price
            | Self::Delivery
            | Self::Status
            | Self::Decision
            | Self::Recommendation
            | Self::Responded => Direction::Asc,
        }
    }
}

/// The value that a column is sorted by.
enum Key {
    Number(f64),
    Text(String),
}

impl Pool {
    /// The candidates that fit, in order. Those without a value in the column come last, in both
    /// directions; equals keep their place in the ranking.
    pub fn query(&self, query: &Query) -> Vec<&CandidateContext> {
        let mut found: Vec<&CandidateContext> = self
            .candidates
            .iter()
            .filter(|one| self.fits(one, query))
            .collect();
        let column = query.sort.unwrap_or_default();
        let direction = query.direction.unwrap_or(column.usual_direction());
        found.sort_by(|a, b| match (key(a, column), key(b, column)) {
            (Some(a), Some(b)) => match direction {
                Direction::Asc => compare(&a, &b),
                Direction::Desc => compare(&b, &a),
            },
            (a, b) => a.is_none().cmp(&b.is_none()),
        });
        found
    }

    /// Days until the deadline, rounded down; negative once it is over.
    pub fn days_left(&self) -> Option<i64> {
        let deadline = self.gig.deadline?;
        Some((deadline - self.now).num_seconds().div_euclid(86_400))
    }

    fn fits(&self, one: &CandidateContext, query: &Query) -> bool {
        let given = |wanted: Option<bool>, has: bool| wanted.is_none_or(|wanted| wanted == has);
        let known = |wanted: Option<bool>, is: Option<bool>| wanted.is_none() || wanted == is;
        self.fits_figures(one, query)
            && known(query.within_budget, self.gig.affords(one.comparable_price))
            && known(query.before_deadline, self.delivers_in_time(one))
            && query.status.is_none_or(|status| one.status == status)
            && (query.hr_status.is_none() || query.hr_status == one.hr_selection_status)
            && (query.recommendation.is_none() || query.recommendation == one.recommendation)
            && fits_skills(one, query)
            && given(query.has_price, one.proposed_price.is_some())
            && given(query.has_interview, one.interview().is_some())
            && given(query.has_screening, one.screening().is_some())
            && given(query.has_experience, is_filled(one.experience.as_deref()))
            && given(query.has_decision, one.hr_selection_status.is_some())
            && query.text.as_ref().is_none_or(|text| mentions(one, text))
            && (query.among.is_empty() || query.among.contains(&one.id))
    }

    fn fits_figures(&self, one: &CandidateContext, query: &Query) -> bool {
        let currency = query.currency.map(Currency::as_str);
        let price = match currency {
            Some(currency) => one
                .proposed_price
                .and_then(|price| self.rates.convert(price, &one.proposed_currency, currency)),
            None => one.comparable_price,
        };
        let is_limited = query.min_price.is_some() || query.max_price.is_some();
        let is_offered = one.proposed_price.is_some() && currency == Some(&one.proposed_currency);
        (currency.is_none() || is_limited || is_offered)
            && admits(query.min_price, query.max_price, price)
            && admits(query.min_days, query.max_days, one.proposed_delivery_days)
            && admits(
                query.min_screening,
                query.max_screening,
                one.screening().map(rounded),
            )
            && admits(
                query.min_interview,
                query.max_interview,
                one.interview().map(rounded),
            )
            && admits(
                query.min_score,
                query.max_score,
                one.composite_score.map(i64::from),
            )
    }

    /// `None` when the days or the deadline are not known.
    pub fn delivers_in_time(&self, one: &CandidateContext) -> Option<bool> {
        Some(one.proposed_delivery_days? <= self.days_left()?)
    }
}

/// Whether a value is within inclusive limits. An unknown value fits no limit.
fn admits(min: Option<i64>, max: Option<i64>, value: Option<i64>) -> bool {
    match value {
        Some(value) => min.is_none_or(|min| value >= min) && max.is_none_or(|max| value <= max),
        None => min.is_none() && max.is_none(),
    }
}

fn fits_skills(one: &CandidateContext, query: &Query) -> bool {
    let has = |skill: &String| skills::has(one.skills(), skill);
    query.with_skills.iter().all(has)
        && (query.any_skills.is_empty() || query.any_skills.iter().any(has))
        && !query.without_skills.iter().any(has)
}

fn is_filled(text: Option<&str>) -> bool {
    text.is_some_and(|text| !text.trim().is_empty())
}

fn mentions(one: &CandidateContext, text: &str) -> bool {
    let wanted = text.trim().to_lowercase();
    let contains = |text: &str| text.to_lowercase().contains(&wanted);
    let written = [&one.experience, &one.cover_letter].into_iter().flatten();
    contains(&one.name())
        || contains(&one.candidate_id)
        || one.skills().iter().any(|skill| contains(skill))
        || written.map(String::as_str).any(contains)
        || Likeness::of(&wanted, &one.name()).is_meant()
}

fn key(one: &CandidateContext, column: Column) -> Option<Key> {
    let whole = |number: i64| Key::Number(number as f64);
    match column {
        Column::Place => one.place().map(|place| Key::Number(place as f64)),
        Column::Name => Some(Key::Text(one.name().to_lowercase())),
        Column::Price => one.comparable_price.map(whole),
        Column::Delivery => one.proposed_delivery_days.map(whole),
        Column::Screening => one.screening().map(Key::Number),
        Column::Interview => one.interview().map(Key::Number),
        Column::Score => one
            .composite_score
            .map(|score| Key::Number(f64::from(score))),
        Column::Status => Some(Key::Number(f64::from(one.status as u8))),
        Column::Decision => one
            .hr_selection_status
            .map(|status| Key::Number(f64::from(status as u8))),
        Column::Recommendation => one
            .recommendation
            .map(|recommendation| Key::Number(f64::from(recommendation as u8))),
        Column::Rating => one
            .rating
            .as_deref()
            .and_then(|rating| rating.trim().replace(',', ".").parse().ok())
            .map(Key::Number),
        Column::Responded => Some(whole(one.responded_at.timestamp_millis())),
    }
}

fn compare(a: &Key, b: &Key) -> std::cmp::Ordering {
    match (a, b) {
        (Key::Number(a), Key::Number(b)) => a.total_cmp(b),
        (Key::Text(a), Key::Text(b)) => a.cmp(b),
        // A column has keys of one kind.
        (Key::Number(_), Key::Text(_)) => std::cmp::Ordering::Less,
        (Key::Text(_), Key::Number(_)) => std::cmp::Ordering::Greater,
    }
}

#[cfg(test)]
#[path = "query_tests.rs"]
mod query_tests;
