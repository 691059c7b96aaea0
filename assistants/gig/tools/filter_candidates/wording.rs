//! The query in words, so that people see which filter an answer used.

use crate::domain::candidate::CandidateContext;
use crate::domain::candidate_summary::CandidateSummary;
use crate::domain::kinds::Kind;
use crate::domain::language::Language;
use crate::domain::pool::Pool;
use crate::domain::query::{Bounds, Column, Direction, Filter, Query};
use crate::tools::words;

/// "цена до 50000 RUB; статус: Новый", or "все отклики".
pub(super) fn conditions(filter: &Filter, pool: &Pool, language: Language) -> String {
    let mut said = limits(filter, pool, language);
    said.extend(kinds(filter, pool, language));
    said.extend(skills(filter, language));
    said.extend(presence(filter, language));
    if said.is_empty() {
        return language.pick("все отклики", "all responses").to_owned();
    }
    said.join("; ")
}

fn limits(filter: &Filter, pool: &Pool, language: Language) -> Vec<String> {
    let say = |russian, english| language.pick(russian, english);
    let currency = filter
        .currency
        .as_ref()
        .unwrap_or(&pool.gig.budget_currency);
    let of_hundred = say("из 100", "of 100");
    let all = [
        (filter.price, say("цена", "price"), currency.as_str()),
        (filter.days, say("срок", "delivery"), say("дн.", "days")),
        (filter.screening, say("скрининг", "screening"), of_hundred),
        (filter.interview, say("интервью", "interview"), of_hundred),
        (filter.score, say("рейтинг", "score"), of_hundred),
    ];
    let given = all.into_iter().filter(|(bounds, ..)| !bounds.is_open());
    let given =
        given.map(|(bounds, label, unit)| format!("{label} {} {unit}", range(bounds, language)));
    let offered = filter.currency.as_ref().filter(|_| filter.price.is_open());
    let offered = offered.map(|currency| format!("{} {currency}", say("цена в", "price in")));
    given.chain(offered).collect()
}

fn range(Bounds { min, max }: Bounds, language: Language) -> String {
    let from = min.map(|min| format!("{} {min}", language.pick("от", "from")));
    let to = max.map(|max| format!("{} {max}", language.pick("до", "up to")));
    let parts: Vec<String> = from.into_iter().chain(to).collect();
    parts.join(" ")
}

fn kinds(filter: &Filter, pool: &Pool, language: Language) -> Vec<String> {
    let say = |russian, english| language.pick(russian, english);
    let mut said = Vec::new();
    if let Some(within) = filter.within_budget {
        let budget = pool.gig.budget_limit(language);
        said.push(match within {
            true => format!("{} ({budget})", say("в бюджете", "within budget")),
            false => format!("{} ({budget})", say("выше бюджета", "over budget")),
        });
    }
    if let (Some(before), Some(left)) = (filter.before_deadline, pool.days_left()) {
        let left = language.days(left);
        said.push(match before {
            true => format!(
                "{} ({left})",
                say("успевают до дедлайна", "in time for the deadline")
            ),
            false => format!(
                "{} ({left})",
                say("не успевают до дедлайна", "too late for the deadline")
            ),
        });
    }
    if let Some(status) = filter.status {
        said.push(format!(
            "{}: {}",
            say("статус", "status"),
            status.label(language)
        ));
    }
    if let Some(decision) = filter.hr_status {
        said.push(format!(
            "{}: {}",
            say("решение", "decision"),
            decision.label(language)
        ));
    }
    if let Some(kind) = filter.recommendation {
        let label = say("рекомендация рейтинга", "recommendation by score");
        said.push(format!("{label}: {}", kind.label(language)));
    }
    said
}

fn skills(filter: &Filter, language: Language) -> Vec<String> {
    let all = [
        (&filter.all_skills, "навыки", "skills", ", "),
        (
            &filter.any_skill,
            "один из навыков",
            "one of the skills",
            " / ",
        ),
        (&filter.no_skill, "без навыков", "without skills", ", "),
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

fn presence(filter: &Filter, language: Language) -> Vec<String> {
    let all = [
        (
            filter.has_price,
            ("цена указана", "price given"),
            ("цена не указана", "no price given"),
        ),
        (
            filter.has_interview,
            ("интервью проведено", "interview held"),
            ("интервью не проведено", "no interview held"),
        ),
        (
            filter.has_screening,
            ("скрининг есть", "screening done"),
            ("скрининга нет", "no screening done"),
        ),
        (
            filter.has_experience,
            ("опыт описан", "experience given"),
            ("опыт не описан", "no experience given"),
        ),
        (
            filter.has_decision,
            ("решение принято", "decision taken"),
            ("решения ещё нет", "no decision yet"),
        ),
    ];
    let given = all.into_iter().filter_map(|(wanted, yes, no)| {
        let (russian, english) = if wanted? { yes } else { no };
        Some(language.pick(russian, english).to_owned())
    });
    let text = filter.text.as_ref();
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
    let stated = conditions(&query.filter, pool, language);
    let count = match language {
        Language::Russian => format!("Подходят ({stated}): {} из {total}", found.len()),
        Language::English => format!("Matching ({stated}): {} of {total}", found.len()),
    };
    let everyone = match language {
        Language::Russian => format!("Все отклики: {total}"),
        Language::English => format!("All responses: {total}"),
    };
    let count = if query.filter == Filter::default() {
        everyone
    } else {
        count
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
    let filter = &query.filter;
    let limited = !filter.price.is_open() || filter.within_budget.is_some();
    if !by_price && !limited {
        return None;
    }
    let others = pool.candidates.iter().filter(|one| {
        let other = one.proposed_price.is_some() && one.comparable_price.is_none();
        other && filter.currency.is_none()
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
