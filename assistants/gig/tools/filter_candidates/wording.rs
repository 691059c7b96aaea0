//! The query in words, so that people see which filter an answer used.

use crate::domain::candidate::CandidateContext;
use crate::domain::candidate_summary::CandidateSummary;
use crate::domain::kinds::{Currency, Kind};
use crate::domain::language::Language;
use crate::domain::pool::Pool;
use crate::domain::query::{Column, Direction, Query};
use crate::tools::words;

/// "цена до 50000 RUB; статус: Новый", or "все отклики".
pub(super) fn conditions(query: &Query, pool: &Pool, language: Language) -> String {
    let mut said = limits(query, pool, language);
    said.extend(kinds(query, pool, language));
    said.extend(skills(query, language));
    said.extend(presence(query, language));
    if said.is_empty() {
        return language.pick("все отклики", "all responses").to_owned();
    }
    said.join("; ")
}

fn limits(query: &Query, pool: &Pool, language: Language) -> Vec<String> {
    let say = |russian, english| language.pick(russian, english);
    let currency = query.currency.map(Currency::as_str);
    let unit = currency.unwrap_or(&pool.gig.budget_currency);
    let of_hundred = say("из 100", "of 100");
    let limit = |min: Option<i64>, max: Option<i64>, label: &str, unit: &str| {
        let from = min.map(|min| format!("{} {min}", say("от", "from")));
        let to = max.map(|max| format!("{} {max}", say("до", "up to")));
        let parts: Vec<String> = from.into_iter().chain(to).collect();
        (!parts.is_empty()).then(|| format!("{label} {} {unit}", parts.join(" ")))
    };
    let days = (say("срок", "delivery"), say("дн.", "days"));
    let (screening, interview) = (say("скрининг", "screening"), say("интервью", "interview"));
    let score = say("рейтинг", "score");
    let price = limit(query.min_price, query.max_price, say("цена", "price"), unit);
    let offered = currency.filter(|_| price.is_none());
    let offered = offered.map(|currency| format!("{} {currency}", say("цена в", "price in")));
    let all = [
        price,
        limit(query.min_days, query.max_days, days.0, days.1),
        limit(
            query.min_screening,
            query.max_screening,
            screening,
            of_hundred,
        ),
        limit(
            query.min_interview,
            query.max_interview,
            interview,
            of_hundred,
        ),
        limit(query.min_score, query.max_score, score, of_hundred),
        offered,
    ];
    all.into_iter().flatten().collect()
}

fn kinds(query: &Query, pool: &Pool, language: Language) -> Vec<String> {
    let say = |russian, english| language.pick(russian, english);
    let budget = query.within_budget.map(|within| {
        let label = match within {
            true => say("в бюджете", "within budget"),
            false => say("выше бюджета", "over budget"),
        };
        format!("{label} ({})", pool.gig.budget_limit(language))
    });
    let deadline = query.before_deadline.zip(pool.days_left());
    let deadline = deadline.map(|(before, left)| {
        let label = match before {
            true => say("успевают до дедлайна", "in time for the deadline"),
            false => say("не успевают до дедлайна", "too late for the deadline"),
        };
        format!("{label} ({})", language.days(left))
    });
    let status = query.status.map(|one| one.label(language));
    let decision = query.hr_status.map(|one| one.label(language));
    let recommendation = query.recommendation.map(|one| one.label(language));
    let score = say("рекомендация рейтинга", "recommendation by score");
    let labels = [
        (say("статус", "status"), status),
        (say("решение", "decision"), decision),
        (score, recommendation),
    ];
    let labelled = labels.map(|(label, value)| Some(format!("{label}: {}", value?)));
    let all = [budget, deadline].into_iter().chain(labelled);
    all.flatten().collect()
}

fn skills(query: &Query, language: Language) -> Vec<String> {
    let all = [
        (&query.with_skills, "навыки", "skills", ", "),
        (
            &query.any_skills,
            "один из навыков",
            "one of the skills",
            " / ",
        ),
        (&query.without_skills, "без навыков", "without skills", ", "),
    ];
    let given = all.into_iter().filter(|(skills, ..)| !skills.is_empty());
    given
        .map(|(skills, russian, english, between)| {
            let named: Vec<String> = skills.iter().map(|skill| words::plain(skill)).collect();
            format!(
                "{}: {}",
                language.pick(russian, english),
                named.join(between)
            )
        })
        .collect()
}

fn presence(query: &Query, language: Language) -> Vec<String> {
    let all = [
        (
            query.has_price,
            ("цена указана", "price given"),
            ("цена не указана", "no price given"),
        ),
        (
            query.has_interview,
            ("интервью проведено", "interview held"),
            ("интервью не проведено", "no interview held"),
        ),
        (
            query.has_screening,
            ("скрининг есть", "screening done"),
            ("скрининга нет", "no screening done"),
        ),
        (
            query.has_experience,
            ("опыт описан", "experience given"),
            ("опыт не описан", "no experience given"),
        ),
        (
            query.has_decision,
            ("решение принято", "decision taken"),
            ("решения ещё нет", "no decision yet"),
        ),
    ];
    let given = all.into_iter().filter_map(|(wanted, yes, no)| {
        let (russian, english) = if wanted? { yes } else { no };
        Some(language.pick(russian, english).to_owned())
    });
    let text = query.text.as_ref();
    let text = text.map(|text| format!("«{}»", words::plain(text)));
    given.chain(text).collect()
}

/// "сначала дешёвые"; `None` for the order of the ranking.
pub(super) fn order(query: &Query, language: Language) -> Option<&'static str> {
    if query.sort.is_none() && query.direction.is_none() {
        return None;
    }
    let column = query.sort.unwrap_or_default();
    let direction = query.direction.unwrap_or(column.usual_direction());
    let (russian, english) = match (column, direction) {
        (Column::Place, Direction::Asc) | (Column::Score, Direction::Desc) => {
            ("сначала лучшие по рейтингу", "highest score first")
        }
        (Column::Place, Direction::Desc) | (Column::Score, Direction::Asc) => {
            ("сначала худшие по рейтингу", "lowest score first")
        }
        (Column::Name, Direction::Asc) => ("по имени", "by name"),
        (Column::Name, Direction::Desc) => ("по имени, с конца", "by name, backwards"),
        (Column::Price, Direction::Asc) => ("сначала дешёвые", "cheapest first"),
        (Column::Price, Direction::Desc) => ("сначала дорогие", "most expensive first"),
        (Column::Delivery, Direction::Asc) => ("сначала быстрые", "fastest first"),
        (Column::Delivery, Direction::Desc) => ("сначала долгие", "slowest first"),
        (Column::Screening, Direction::Desc) => {
            ("сначала лучшие по скринингу", "best screening first")
        }
        (Column::Screening, Direction::Asc) => {
            ("сначала худшие по скринингу", "worst screening first")
        }
        (Column::Interview, Direction::Desc) => {
            ("сначала лучшие по интервью", "best interview first")
        }
        (Column::Interview, Direction::Asc) => {
            ("сначала худшие по интервью", "worst interview first")
        }
        (Column::Status, Direction::Asc) => ("по статусу", "by status"),
        (Column::Status, Direction::Desc) => ("по статусу, с конца", "by status, backwards"),
        (Column::Decision, Direction::Asc) => ("по решению", "by decision"),
        (Column::Decision, Direction::Desc) => ("по решению, с конца", "by decision, backwards"),
        (Column::Recommendation, Direction::Asc) => ("по рекомендации", "by recommendation"),
        (Column::Recommendation, Direction::Desc) => {
            ("по рекомендации, с конца", "by recommendation, backwards")
        }
        (Column::Rating, Direction::Desc) => (
            "сначала высокая оценка площадки",
            "highest platform rating first",
        ),
        (Column::Rating, Direction::Asc) => (
            "сначала низкая оценка площадки",
            "lowest platform rating first",
        ),
        (Column::Responded, Direction::Asc) => ("сначала ранние отклики", "earliest first"),
        (Column::Responded, Direction::Desc) => ("сначала поздние отклики", "latest first"),
    };
    Some(language.pick(russian, english))
}

pub(super) fn answer(
    found: &[&CandidateContext],
    query: &Query,
    pool: &Pool,
    limit: usize,
    language: Language,
) -> String {
    let total = pool.stats.total;
    let stated = conditions(query, pool, language);
    let count = match language {
        Language::Russian => format!("Подходят ({stated}): {} из {total}", found.len()),
        Language::English => format!("Matching ({stated}): {} of {total}", found.len()),
    };
    let everyone = match language {
        Language::Russian => format!("Все отклики: {total}"),
        Language::English => format!("All responses: {total}"),
    };
    let count = if query.has_conditions() {
        count
    } else {
        everyone
    };
    let mut lines = vec![match order(query, language) {
        Some(order) => format!("{count}, {order}."),
        None => format!("{count}."),
    }];
    if total == 0 {
        lines.push(words::empty(language).to_owned());
    }
    lines.extend(found.iter().take(limit).map(|one| line(one, language)));
    // An empty line ends the list.
    let mut notes = vec![String::new()];
    if found.len() > limit {
        let rest = found.len() - limit;
        notes.push(match language {
            Language::Russian => format!("… и ещё {rest}"),
            Language::English => format!("… and {rest} more"),
        });
    }
    notes.extend(uncompared(found, query, pool, language));
    if notes.len() > 1 {
        lines.extend(notes);
    }
    lines.join("\n")
}

fn line(one: &CandidateContext, language: Language) -> String {
    let summary = CandidateSummary::of(one, language);
    let mut parts = vec![
        summary.price,
        summary.delivery,
        format!(
            "{} {}",
            language.pick("рейтинг", "score"),
            summary.composite_score
        ),
    ];
    if one.screening().is_some() {
        let label = language.pick("скрининг", "screening");
        parts.push(format!("{label} {}", summary.screening_score));
    }
    if one.interview().is_some() {
        let label = language.pick("интервью", "interview");
        parts.push(format!("{label} {}", summary.interview_score));
    }
    parts.push(summary.status);
    if let Some(decision) = one.hr_selection_status {
        let label = language.pick("решение", "decision");
        parts.push(format!("{label}: {}", decision.label(language)));
    }
    format!(
        "- **{}**: {}",
        words::plain(&summary.name),
        parts.join(", ")
    )
}

/// Offers that a question about prices could not compare: without a price, or in a currency without a rate.
fn uncompared(
    found: &[&CandidateContext],
    query: &Query,
    pool: &Pool,
    language: Language,
) -> Option<String> {
    let by_price = query.sort == Some(Column::Price);
    let by_limit = query.min_price.is_some() || query.max_price.is_some();
    let limited = by_limit || query.within_budget.is_some();
    if !by_price && !limited {
        return None;
    }
    let others = pool.candidates.iter().filter(|one| {
        let other = one.proposed_price.is_some() && one.comparable_price.is_none();
        other && query.currency.is_none()
    });
    let others: Vec<String> = others
        .map(|one| {
            let summary = CandidateSummary::of(one, language);
            format!("{} {}", words::plain(&summary.name), summary.price)
        })
        .collect();
    let unpriced = found
        .iter()
        .filter(|one| one.proposed_price.is_none())
        .count();
    let mut notes = Vec::new();
    if by_price && unpriced > 0 {
        let label = language.pick("без цены", "without a price");
        notes.push(format!("{label}: {unpriced}"));
    }
    if !others.is_empty() {
        let label = language.pick(
            "в другой валюте, не сравнивались",
            "in another currency, not compared",
        );
        notes.push(format!("{label}: {}", others.join(", ")));
    }
    let rate = found.iter().find_map(|one| {
        pool.rates
            .stated(&one.proposed_currency, &pool.gig.budget_currency)
    });
    if let Some(rate) = rate {
        notes.push(format!("{}: {rate}", language.pick("курс", "rate")));
    }
    (!notes.is_empty())
        .then(|| format!("{}: {}", language.pick("Учтено", "Note"), notes.join("; ")))
}
