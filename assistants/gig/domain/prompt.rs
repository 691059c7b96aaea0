//! What a model is told about a gig and its candidates: the seven parts of the design, as much of
//! each as there is room for.

use std::fmt::Write;

use super::candidate::CandidateContext;
use super::candidate_summary::CandidateSummary;
use super::kinds::Kind;
use super::pool::Pool;
use super::tongue::Tongue;

/// Up to so many candidates are told in detail.
pub const ALL_IN_DETAIL: usize = 20;
/// Up to so many are told one by one; beyond, only figures and the best are.
pub const ALL_IN_LINES: usize = 50;
const BEST: usize = 10;
const MESSAGES: usize = 10;
const LETTER: usize = 200;
const ANALYSIS: usize = 300;
const DESCRIPTION: usize = 2_000;
const INSTRUCTIONS: usize = 5_000;

/// Part 1 and part 7: who the assistant is, and how it answers.
pub const ROLE: &str = include_str!("../instructions/role.md");
pub const FORMAT: &str = include_str!("../instructions/format.md");

/// A message of the conversation so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinalAnswer {
    pub by_person: bool,
    pub text: String,
}

/// The design's `buildGigAIChatPrompt`: all seven parts as one text. The engine sends the same
/// parts as messages of their own: 1 and 7 first, then the conversation, 2–4 before the question.
pub fn build(question: &str, pool: &Pool, history: &[FinalAnswer]) -> String {
    let mut text = format!("{}\n\n{}", ROLE.trim(), context(pool));
    if !history.is_empty() {
        text.push_str("\n\n## История диалога\n");
        let start = history.len().saturating_sub(MESSAGES);
        for said in &history[start..] {
            let who = if said.by_person {
                "Рекрутер"
            } else {
                "Помощник"
            };
            let _ = writeln!(text, "{who}: {}", said.text);
        }
    }
    let _ = write!(text, "\n\n## Вопрос\n{question}\n\n{}", FORMAT.trim());
    text
}

/// Parts 2, 3 and 4: the gig, the pool in figures, the candidates.
pub fn context(pool: &Pool) -> String {
    let mut text = gig(pool);
    text.push_str("\n\n");
    text.push_str(&figures(pool));
    let total = pool.candidates.len();
    if total == 0 {
        text.push_str(NOBODY);
        return text;
    }
    let detailed = if total <= ALL_IN_DETAIL { total } else { BEST };
    let (first, rest) = pool.candidates.split_at(detailed.min(total));
    text.push_str(if total <= ALL_IN_DETAIL {
        "\n\n## Кандидаты\n"
    } else {
        "\n\n## Лучшие кандидаты\n"
    });
    for candidate in first {
        if total <= ALL_IN_LINES {
            text.push_str(&in_detail(candidate));
        } else {
            text.push_str(&line(candidate));
        }
    }
    if !rest.is_empty() && total <= ALL_IN_LINES {
        text.push_str("\n## Остальные кандидаты\n");
        for candidate in rest {
            text.push_str(&short_line(candidate));
        }
    }
    if total > ALL_IN_LINES {
        let _ = write!(
            text,
            "\nКандидатов больше, чем показано ({total}). О любом из них спрашивай инструменты: find_candidate по имени, filter_candidates по условиям."
        );
    }
    text
}

const NOBODY: &str = "\n\nОткликов пока нет. Посоветуй проверить, опубликовано ли задание, уточнить требования и бюджет, расширить поиск или подождать.";

fn gig(pool: &Pool) -> String {
    let gig = &pool.gig;
    let mut text = format!(
        "## Задание\nНазвание: {}\nТип: {}\n",
        inline(&gig.title, 500),
        gig.r#type.label(Tongue::Russian)
    );
    let mut add = |label: &str, value: String| {
        if !value.is_empty() {
            let _ = writeln!(text, "{label}: {value}");
        }
    };
    add(
        "Описание",
        inline(gig.description.as_deref().unwrap_or_default(), DESCRIPTION),
    );
    if let Some(requirements) = &gig.requirements {
        add(
            "Суть требований",
            inline(&requirements.summary, DESCRIPTION),
        );
        add("Результаты", requirements.deliverables.join("; "));
        add(
            "Обязательные навыки",
            requirements.required_skills.join(", "),
        );
        add(
            "Желательные навыки",
            requirements.nice_to_have_skills.join(", "),
        );
        add("Технологии", requirements.tech_stack.join(", "));
        add("Уровень", inline(&requirements.experience_level, 200));
        let languages: Vec<String> = requirements
            .languages
            .iter()
            .map(|one| format!("{} ({})", one.language, one.level))
            .collect();
        add("Языки", languages.join(", "));
    }
    add("Бюджет", gig.budget(Tongue::Russian));
    add(
        "Срок",
        match gig.deadline {
            Some(deadline) => deadline.format("%Y-%m-%d").to_string(),
            None => "не указан".to_owned(),
        },
    );
    add(
        "Длительность",
        inline(gig.estimated_duration.as_deref().unwrap_or_default(), 100),
    );
    add(
        "Указания компании",
        inline(
            gig.custom_bot_instructions.as_deref().unwrap_or_default(),
            INSTRUCTIONS,
        ),
    );
    text.trim_end().to_owned()
}

fn figures(pool: &Pool) -> String {
    let stats = &pool.stats;
    let figures = pool.figures();
    let counted = |pairs: Vec<(&str, usize)>| {
        let shown: Vec<String> = pairs
            .into_iter()
            .map(|(label, count)| format!("{label} {count}"))
            .collect();
        shown.join(", ")
    };
    let known = |value: Option<i64>| {
        value.map_or("нет данных".to_owned(), |value| value.to_string())
    };
    let statuses = stats
        .by_status
        .iter()
        .map(|(kind, count)| (kind.label(Tongue::Russian), *count));
    let recommended = stats
        .by_recommendation
        .iter()
        .map(|(kind, count)| (kind.label(Tongue::Russian), *count));
    let missing = match figures.missing_skills.as_slice() {
        [] => String::new(),
        missing => format!("\nНи у кого нет навыков: {}", missing.join(", ")),
    };
    format!(
        "## Сводка по кандидатам (посчитано системой, не пересчитывай)\nВсего откликов: {}\nПо статусам: {}\nПо рекомендациям: {}\nСредняя цена: {}; от {} до {}\nВ бюджете: {}\nСредний срок, дней: {}\nСредний скрининг из 100: {}; среднее интервью из 100: {}; интервью проведено: {}{missing}",
        stats.total,
        counted(statuses.collect()),
        counted(recommended.collect()),
        known(stats.avg_price),
        known(figures.min_price),
        known(figures.max_price),
        figures
            .within_budget
            .map_or("бюджет не указан".to_owned(), |count| count
                .to_string()),
        known(stats.avg_delivery_days),
        known(stats.avg_screening_score),
        known(stats.avg_interview_score),
        figures.interviews_held,
    )
}

fn line(candidate: &CandidateContext) -> String {
    let summary = CandidateSummary::of(candidate, Tongue::Russian);
    format!(
        "- [{}] {}\n",
        candidate.id,
        inline(&summary.line(Tongue::Russian), 600)
    )
}

fn short_line(candidate: &CandidateContext) -> String {
    let summary = CandidateSummary::of(candidate, Tongue::Russian);
    format!(
        "- [{}] {}: {}, {}, {}, {}\n",
        candidate.id,
        inline(&summary.name, 100),
        summary.composite_score,
        summary.price,
        summary.delivery,
        summary.status
    )
}

fn in_detail(candidate: &CandidateContext) -> String {
    let mut text = line(candidate);
    let mut add = |label: &str, value: &str, most: usize| {
        let value = quoted(value, most);
        if !value.is_empty() {
            let _ = writeln!(text, "  {label}: {value}");
        }
    };
    add("Навыки", &candidate.skills().join(", "), ANALYSIS);
    add(
        "Опыт",
        candidate.experience.as_deref().unwrap_or_default(),
        ANALYSIS,
    );
    add(
        "Рейтинг на площадке",
        candidate.rating.as_deref().unwrap_or_default(),
        20,
    );
    add(
        "Письмо кандидата",
        candidate.cover_letter.as_deref().unwrap_or_default(),
        LETTER,
    );
    add(
        "Разбор скрининга",
        candidate.screening_analysis.as_deref().unwrap_or_default(),
        ANALYSIS,
    );
    add(
        "Разбор интервью",
        candidate.interview_analysis.as_deref().unwrap_or_default(),
        ANALYSIS,
    );
    if let Some(decision) = candidate.hr_selection_status {
        let _ = writeln!(
            text,
            "  Решение рекрутера: {}",
            decision.label(Tongue::Russian)
        );
    }
    text
}

/// Words of others on one line between marks that they cannot write themselves.
pub fn quoted(text: &str, most: usize) -> String {
    let line = inline(text, most).replace(['«', '»'], "\"");
    if line.is_empty() {
        return line;
    }
    format!("«{line}»")
}

/// One line of at most so many characters.
fn inline(text: &str, most: usize) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ");
    if line.chars().count() <= most {
        return line;
    }
    let mut cut: String = line.chars().take(most).collect();
    cut.push('…');
    cut
}

#[cfg(test)]
#[path = "prompt_tests.rs"]
mod prompt_tests;
