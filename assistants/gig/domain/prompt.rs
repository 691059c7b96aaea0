//! The design's prompt. Parts 1 and 7 are the system message, 2 to 4 the context before the question; the
//! engine adds 5, the last ten messages, and 6, the question.

use std::fmt::Write;

use super::candidate::CandidateContext;
use super::candidate_summary::CandidateSummary;
use super::kinds::Kind;
use super::language::Language;
use super::pool::Pool;
use super::pool_summary;

/// Largest pool whose candidates are all described in detail.
pub const ALL_IN_DETAIL: usize = 20;
/// Largest pool whose candidates are all listed; of larger ones only figures and the best are sent.
pub const ALL_IN_LINES: usize = 50;
const BEST: usize = 10;
const LETTER: usize = 200;
const ANALYSIS: usize = 300;
const DESCRIPTION: usize = 2_000;
const LONGEST_INSTRUCTIONS: usize = 5_000;

/// Parts 1 and 7: the role, and the format of answers.
pub const INSTRUCTIONS: &str = concat!(
    include_str!("../instructions/role.md"),
    "\n",
    include_str!("../instructions/format.md")
);

/// Parts 2, 3 and 4: the gig, the pool in figures, the candidates.
pub fn context(pool: &Pool) -> String {
    let mut text = gig(pool);
    text.push_str("\n\n## Сводка по кандидатам (посчитано системой, не пересчитывай)\n");
    text.push_str(&pool_summary::lines(
        pool,
        &pool.figures(),
        Language::Russian,
    ));
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
            "\nКандидатов больше, чем показано ({total}). О любом из них спрашивай инструменты: find_candidate по имени, filter_candidates по условиям и порядку."
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
        gig.r#type.label(Language::Russian)
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
    add("Бюджет", gig.budget(Language::Russian));
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
            LONGEST_INSTRUCTIONS,
        ),
    );
    text.trim_end().to_owned()
}

fn line(candidate: &CandidateContext) -> String {
    let summary = CandidateSummary::of(candidate, Language::Russian);
    let rows = summary.rows(Language::Russian);
    let rows = rows.map(|(label, value)| format!("{}: {value}", label.to_lowercase()));
    let text = format!("{}: {}", summary.name, rows.join(", "));
    format!("- [{}] {}\n", candidate.id, inline(&text, 600))
}

fn short_line(candidate: &CandidateContext) -> String {
    let summary = CandidateSummary::of(candidate, Language::Russian);
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
            decision.label(Language::Russian)
        );
    }
    text
}

/// Text of others on one line, between quotation marks that it cannot contain.
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
