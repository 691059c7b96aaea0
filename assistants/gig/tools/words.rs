//! Results in words, for people and for a model that cannot write; and as data for one that can.

use serde_json::{Value, json};

use crate::domain::candidate::CandidateContext;
use crate::domain::candidate_summary::CandidateSummary;
use crate::domain::gig_context::GigContext;
use crate::domain::kinds::{GigRecommendation, Kind};
use crate::domain::pool::Pool;
use crate::domain::prompt::quoted;
use crate::domain::skills;
use crate::domain::tongue::Tongue;

const LETTER: usize = 200;
const ANALYSIS: usize = 300;

pub(super) fn empty(tongue: Tongue) -> &'static str {
    tongue.pick(
        "Откликов пока нет. Проверьте, опубликовано ли задание, уточните требования и бюджет, расширьте поиск или подождите.",
        "There are no responses yet. Check that the gig is published, look at its requirements and budget, widen the search, or wait.",
    )
}

/// One candidate as data: figures with their words, and what others wrote between marks.
pub(super) fn data(candidate: &CandidateContext, gig: &GigContext, tongue: Tongue) -> Value {
    let text = |text: &Option<String>, most: usize| {
        let quoted = quoted(text.as_deref().unwrap_or_default(), most);
        (!quoted.is_empty()).then_some(quoted)
    };
    let mut value = json!(CandidateSummary::of(candidate, tongue));
    let more = json!({
        "id": candidate.id,
        "place": candidate.place(),
        "proposedPrice": candidate.proposed_price,
        "proposedDeliveryDays": candidate.proposed_delivery_days,
        "withinBudget": gig.affords(candidate.proposed_price),
        "skills": candidate.skills(),
        "missingSkills": skills::missing(candidate.skills(), gig.required_skills()),
        "rating": candidate.rating,
        "hrStatus": candidate.hr_selection_status.map(|status| status.label(tongue)),
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
pub(super) fn profile(candidate: &CandidateContext, gig: &GigContext, tongue: Tongue) -> String {
    let summary = CandidateSummary::of(candidate, tongue);
    let label = |russian, english| tongue.pick(russian, english);
    let mut lines = vec![
        format!(
            "**{}**: {} {}, {}",
            plain(&summary.name),
            label("рейтинг", "score"),
            summary.composite_score,
            summary.recommendation
        ),
        format!("- {}: {}", label("Статус", "Status"), summary.status),
        format!(
            "- {}: {}{}",
            label("Цена", "Price"),
            summary.price,
            budget(candidate, gig, tongue)
        ),
        format!("- {}: {}", label("Срок", "Delivery"), summary.delivery),
        format!(
            "- {}: {}",
            label("Скрининг", "Screening"),
            summary.screening_score
        ),
        format!(
            "- {}: {}",
            label("Интервью", "Interview"),
            summary.interview_score
        ),
        format!(
            "- {}: {}",
            label("Сильные стороны", "Strengths"),
            summary.strengths
        ),
        format!(
            "- {}: {}",
            label("Слабые стороны", "Weaknesses"),
            summary.weaknesses
        ),
    ];
    if let Some(match_line) = skill_line(candidate, gig, tongue) {
        lines.push(format!("- {match_line}"));
    }
    if let Some(decision) = candidate.hr_selection_status {
        lines.push(format!(
            "- {}: {}",
            label("Решение", "Decision"),
            decision.label(tongue)
        ));
    }
    let experience = plain(candidate.experience.as_deref().unwrap_or_default());
    if !experience.is_empty() {
        let cut: String = experience.chars().take(ANALYSIS).collect();
        lines.push(format!("- {}: {cut}", label("Опыт", "Experience")));
    }
    lines.join("\n")
}

/// Why somebody stands where they stand, in one sentence.
pub(super) fn reason(candidate: &CandidateContext, gig: &GigContext, tongue: Tongue) -> String {
    let summary = CandidateSummary::of(candidate, tongue);
    let label = |russian, english| tongue.pick(russian, english);
    let mut parts = vec![
        format!("{} {}", label("рейтинг", "score"), summary.composite_score),
        summary.recommendation.clone(),
        format!(
            "{} {}{}",
            label("цена", "price"),
            summary.price,
            budget(candidate, gig, tongue)
        ),
        format!("{} {}", label("срок", "delivery"), summary.delivery),
    ];
    if !candidate.strengths(tongue).is_empty() {
        parts.push(format!(
            "{}: {}",
            label("сильные стороны", "strengths"),
            summary.strengths
        ));
    }
    if !candidate.weaknesses(tongue).is_empty() {
        parts.push(format!(
            "{}: {}",
            label("слабые стороны", "weaknesses"),
            summary.weaknesses
        ));
    }
    parts.extend(skill_line(candidate, gig, tongue));
    format!("**{}**: {}", plain(&summary.name), parts.join("; "))
}

/// "обязательные навыки: 3 из 4, нет: SEO".
fn skill_line(candidate: &CandidateContext, gig: &GigContext, tongue: Tongue) -> Option<String> {
    let wanted = gig.required_skills();
    if wanted.is_empty() {
        return None;
    }
    let missing = skills::missing(candidate.skills(), wanted);
    let had = wanted.len() - missing.len();
    let mut line = match tongue {
        Tongue::Russian => format!("обязательные навыки: {had} из {}", wanted.len()),
        Tongue::English => format!("required skills: {had} of {}", wanted.len()),
    };
    if !missing.is_empty() {
        line.push_str(&format!(
            ", {}: {}",
            tongue.pick("нет", "missing"),
            missing.join(", ")
        ));
    }
    Some(line)
}

fn budget(candidate: &CandidateContext, gig: &GigContext, tongue: Tongue) -> &'static str {
    match gig.affords(candidate.proposed_price) {
        Some(true) => tongue.pick(" (в бюджете)", " (within budget)"),
        Some(false) => tongue.pick(" (выше бюджета)", " (over budget)"),
        None => "",
    }
}

/// What the recruiter may want to do next about somebody.
pub(super) fn next(candidate: &CandidateContext, pool: &Pool, tongue: Tongue) -> Vec<String> {
    let name = candidate.name();
    let mut next = Vec::new();
    match candidate.recommendation {
        Some(GigRecommendation::HighlyRecommended | GigRecommendation::Recommended) => {
            next.push(match tongue {
                Tongue::Russian => format!("Пригласить на интервью: {name}"),
                Tongue::English => format!("Invite {name} to an interview"),
            });
        }
        Some(GigRecommendation::NotRecommended) => next.push(match tongue {
            Tongue::Russian => format!("Отклонить: {name}"),
            Tongue::English => format!("Reject {name}"),
        }),
        Some(GigRecommendation::Neutral) | None => {}
    }
    let other = pool
        .candidates
        .iter()
        .find(|one| one.id != candidate.id && one.place().is_some());
    if let Some(other) = other {
        next.push(match tongue {
            Tongue::Russian => format!("Сравнить {name} и {}", other.name()),
            Tongue::English => format!("Compare {name} and {}", other.name()),
        });
    }
    next
}

/// Others' words on one line that mean nothing to Markdown.
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
