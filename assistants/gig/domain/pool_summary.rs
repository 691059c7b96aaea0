//! The figures of a pool in words, for answers and for the prompt.

use super::kinds::Kind;
use super::language::Language;
use super::pool::Pool;
use super::statistics::Figures;

/// One line for each kind of figure.
pub fn lines(pool: &Pool, figures: &Figures, language: Language) -> String {
    let stats = &pool.stats;
    let label = |russian, english| language.pick(russian, english);
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
            counted(statuses.map(|(kind, count)| (kind.label(language), *count)))
        ),
        format!(
            "- {}: {}",
            label("По рекомендациям", "By recommendation"),
            counted(recommended.map(|(kind, count)| (kind.label(language), *count)))
        ),
    ];
    let decided = figures.by_decision.iter().filter(|(_, count)| **count > 0);
    let undecided = (label("нет решения", "none yet"), figures.undecided);
    lines.push(format!(
        "- {}: {}",
        label("Решения", "Decisions"),
        counted(
            decided
                .map(|(kind, count)| (kind.label(language), *count))
                .chain([undecided])
        )
    ));
    lines.extend(money(pool, figures, language));
    lines.extend(time_and_scores(pool, figures, language));
    lines.extend(skills(figures, language));
    lines.join("\n")
}

fn counted(pairs: impl Iterator<Item = (&'static str, usize)>) -> String {
    let shown: Vec<String> = pairs
        .map(|(label, count)| format!("{label}: {count}"))
        .collect();
    shown.join(", ")
}

fn known(value: Option<i64>, language: Language) -> String {
    match value {
        Some(value) => value.to_string(),
        None => language.pick("нет данных", "not known").to_owned(),
    }
}

fn money(pool: &Pool, figures: &Figures, language: Language) -> Vec<String> {
    let label = |russian, english| language.pick(russian, english);
    let known = |value| known(value, language);
    let mut lines = vec![format!(
        "- {}: {} {} ({} {}–{}, {} {}; {}: {})",
        label("Средняя цена", "Average price"),
        known(pool.stats.avg_price),
        pool.gig.budget_currency,
        label("разброс", "range"),
        known(figures.min_price),
        known(figures.max_price),
        label("медиана", "median"),
        known(figures.median_price),
        label("без цены", "without a price"),
        figures.without_price,
    )];
    for other in &figures.other_currencies {
        lines.push(format!(
            "- {} {}: {} ({}–{}, {} {})",
            label("Отдельно, в валюте", "Apart, in"),
            other.currency,
            other.people,
            other.min_price,
            other.max_price,
            label("в среднем", "average"),
            other.avg_price,
        ));
    }
    if let Some(within) = figures.within_budget {
        let budget = pool.gig.budget_limit(language);
        lines.push(format!(
            "- {} ({budget}): {within}",
            label("В бюджете", "Within budget")
        ));
    }
    lines
}

fn time_and_scores(pool: &Pool, figures: &Figures, language: Language) -> Vec<String> {
    let label = |russian, english| language.pick(russian, english);
    let known = |value| known(value, language);
    let stats = &pool.stats;
    vec![
        format!(
            "- {}: {}",
            label("Средний срок, дней", "Average delivery, days"),
            known(stats.avg_delivery_days)
        ),
        format!(
            "- {}: {} ({}: {}); {}: {} ({}: {})",
            label("Средний скрининг из 100", "Average screening of 100"),
            known(stats.avg_screening_score),
            label("проведено", "held"),
            figures.screenings_held,
            label("среднее интервью из 100", "average interview of 100"),
            known(stats.avg_interview_score),
            label("проведено", "held"),
            figures.interviews_held
        ),
    ]
}

fn skills(figures: &Figures, language: Language) -> Vec<String> {
    let mut lines = Vec::new();
    let had = figures.required_skills.iter();
    let had: Vec<String> = had
        .map(|one| format!("{} {}", one.skill, one.people))
        .collect();
    if !had.is_empty() {
        let label = language.pick("Обязательные навыки", "Required skills");
        lines.push(format!("- {label}: {}", had.join(", ")));
    }
    let label = language.pick(
        "Обязательных навыков ни у кого нет",
        "Required skills that nobody has",
    );
    let missing = match figures.missing_skills.as_slice() {
        [] => language
            .pick(
                "таких нет, каждый есть хотя бы у одного",
                "none, somebody has each of them",
            )
            .to_owned(),
        missing => missing.join(", "),
    };
    if !figures.required_skills.is_empty() {
        lines.push(format!("- {label}: {missing}"));
    }
    lines
}
