//! Results in words for people, and as data for a model.

use serde_json::{Value, json};

use crate::domain::candidate::CandidateContext;
use crate::domain::candidate_summary::CandidateSummary;
use crate::domain::gig_context::GigContext;
use crate::domain::kinds::{GigRecommendation, Kind};
use crate::domain::language::Language;
use crate::domain::pool::Pool;
use crate::domain::prompt::quoted;
use crate::domain::ranking::Criterion;
use crate::domain::skills;

const LETTER: usize = 200;
const ANALYSIS: usize = 300;

pub(super) fn empty(language: Language) -> &'static str {
    language.pick(
        "Откликов пока нет. Проверьте, опубликовано ли задание, уточните требования и бюджет, расширьте поиск или подождите.",
        "There are no responses yet. Check that the gig is published, look at its requirements and budget, widen the search, or wait.",
    )
}

/// One candidate as data. Text that others wrote is quoted.
pub(super) fn data(candidate: &CandidateContext, pool: &Pool, language: Language) -> Value {
    let gig = &pool.gig;
    let text = |text: &Option<String>, most: usize| {
        let quoted = quoted(text.as_deref().unwrap_or_default(), most);
        (!quoted.is_empty()).then_some(quoted)
    };
    let mut value = json!(CandidateSummary::of(candidate, language));
    let more = json!({
        "id": candidate.id,
        "place": candidate.place(),
        "proposedPrice": candidate.proposed_price,
        "proposedCurrency": candidate.proposed_currency,
        "priceInGigCurrency": candidate.comparable_price,
        "proposedDeliveryDays": candidate.proposed_delivery_days,
        "withinBudget": gig.affords(candidate.comparable_price),
        "beforeDeadline": pool.delivers_in_time(candidate),
        "skills": candidate.skills(),
        "missingSkills": skills::missing(candidate.skills(), gig.required_skills()),
        "rating": candidate.rating,
        "hrStatus": candidate.hr_selection_status.map(|status| status.label(language)),
        "experience": text(&candidate.experience, ANALYSIS),
        "coverLetter": text(&candidate.cover_letter, LETTER),
        "screeningAnalysis": text(&candidate.screening_analysis, ANALYSIS),
        "interviewAnalysis": text(&candidate.interview_analysis, ANALYSIS),
    });
    if let (Value::Object(fields), Value::Object(more)) = (&mut value, more) {
        fields.extend(more.into_iter().filter(|(_, value)| !value.is_null()));
    }
    value
}

/// A whole profile.
pub(super) fn profile(
    candidate: &CandidateContext,
    gig: &GigContext,
    language: Language,
) -> String {
    let summary = CandidateSummary::of(candidate, language);
    let label = |russian, english| language.pick(russian, english);
    let mut lines = vec![format!("**{}**:", plain(&summary.name))];
    lines.extend(summary.rows(language).map(|(name, value)| {
        let budget = match name == label("Цена", "Price") {
            true => budget(candidate, gig, language),
            false => "",
        };
        format!("- {name}: {value}{budget}")
    }));
    if let Some(match_line) = skill_line(candidate, gig, language) {
        lines.push(format!("- {match_line}"));
    }
    if let Some(decision) = candidate.hr_selection_status {
        lines.push(format!(
            "- {}: {}",
            label("Решение", "Decision"),
            decision.label(language)
        ));
    }
    let experience = plain(candidate.experience.as_deref().unwrap_or_default());
    if !experience.is_empty() {
        let cut: String = experience.chars().take(ANALYSIS).collect();
        lines.push(format!("- {}: {cut}", label("Опыт", "Experience")));
    }
    lines.join("\n")
}

/// The reasons for a candidate's place, in one sentence.
pub(super) fn reason(candidate: &CandidateContext, pool: &Pool, language: Language) -> String {
    let gig = &pool.gig;
    let summary = CandidateSummary::of(candidate, language);
    let label = |russian, english| language.pick(russian, english);
    let mut parts = vec![
        format!(
            "{} {}{}",
            label("рейтинг", "score"),
            summary.composite_score,
            basis(candidate, language)
        ),
        summary.recommendation.clone(),
        format!(
            "{} {}{}",
            label("цена", "price"),
            summary.price,
            budget(candidate, gig, language)
        ),
        format!("{} {}", label("срок", "delivery"), summary.delivery),
    ];
    if !candidate.strengths(language).is_empty() {
        parts.push(format!(
            "{}: {}",
            label("сильные стороны", "strengths"),
            summary.strengths
        ));
    }
    if !candidate.weaknesses(language).is_empty() {
        parts.push(format!(
            "{}: {}",
            label("слабые стороны", "weaknesses"),
            summary.weaknesses
        ));
    }
    parts.extend(skill_line(candidate, gig, language));
    format!("**{}**: {}", plain(&summary.name), parts.join("; "))
}

/// Names the criteria of a score that is computed from some of them only.
fn basis(candidate: &CandidateContext, language: Language) -> String {
    let Some(ranking) = &candidate.ranked else {
        return String::new();
    };
    let all = Criterion::ALL.into_iter();
    let known: Vec<&str> = all
        .filter(|criterion| ranking.scores.get(*criterion).is_some())
        .map(|criterion| criterion.label(language))
        .collect();
    if known.len() == Criterion::ALL.len() || known.is_empty() {
        return String::new();
    }
    let label = language.pick("по критериям", "by");
    format!(" ({label}: {})", known.join(", ").to_lowercase())
}

/// "обязательные навыки: 3 из 4, нет: SEO".
fn skill_line(
    candidate: &CandidateContext,
    gig: &GigContext,
    language: Language,
) -> Option<String> {
    let wanted = gig.required_skills();
    if wanted.is_empty() {
        return None;
    }
    let missing = skills::missing(candidate.skills(), wanted);
    let had = wanted.len() - missing.len();
    let mut line = match language {
        Language::Russian => format!("обязательные навыки: {had} из {}", wanted.len()),
        Language::English => format!("required skills: {had} of {}", wanted.len()),
    };
    if !missing.is_empty() {
        line.push_str(&format!(
            ", {}: {}",
            language.pick("нет", "missing"),
            missing.join(", ")
        ));
    }
    Some(line)
}

fn budget(candidate: &CandidateContext, gig: &GigContext, language: Language) -> &'static str {
    match gig.affords(candidate.comparable_price) {
        Some(true) => language.pick(" (в бюджете)", " (within budget)"),
        Some(false) => language.pick(" (выше бюджета)", " (over budget)"),
        None => "",
    }
}

/// Replies that the recruiter may want to send next.
pub(super) fn next(candidate: &CandidateContext, pool: &Pool, language: Language) -> Vec<String> {
    let name = candidate.name();
    let mut next = Vec::new();
    match candidate.recommendation {
        Some(GigRecommendation::HighlyRecommended | GigRecommendation::Recommended) => {
            next.push(match language {
                Language::Russian => format!("Пригласить на интервью: {name}"),
                Language::English => format!("Invite {name} to an interview"),
            });
        }
        Some(GigRecommendation::NotRecommended) => next.push(match language {
            Language::Russian => format!("Отклонить: {name}"),
            Language::English => format!("Reject {name}"),
        }),
        Some(GigRecommendation::Neutral) | None => {}
    }
    let other = pool
        .candidates
        .iter()
        .find(|one| one.id != candidate.id && one.place().is_some());
    if let Some(other) = other {
        next.push(match language {
            Language::Russian => format!("Сравнить {name} и {}", other.name()),
            Language::English => format!("Compare {name} and {}", other.name()),
        });
    }
    next
}

/// Text of others on one line, with Markdown escaped.
pub(super) fn plain(text: &str) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let mut escaped = String::new();
    for c in line.join(" ").chars() {
        if matches!(c, '|' | '[' | ']' | '<' | '`' | '*') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
