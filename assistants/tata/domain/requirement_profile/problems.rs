//! What the recruiter is told when the notes are not enough, or say more than four must-haves.

use super::sources::Found;
use super::{MUST_HAVES, RequirementProfileInput};
use crate::tata::domain::problem::{Problem, Problems, given};

/// Shorter notes are usually a line typed by mistake.
const SHORT_NOTES: usize = 50;
const LONG_NOTES: usize = 50_000;
const MAX_NOTES: usize = 1_000_000;
/// A title must fit into a headline and a short message.
const MAX_TITLE: usize = 120;

pub(super) fn check_input(input: &RequirementProfileInput) -> Result<(), Problems> {
    let mut found = Vec::new();
    if input.position_title.trim().is_empty() {
        found.push(Problem::new(
            "position_title",
            "The position title is missing. What is the position called?",
        ));
    }
    if input.position_title.trim().chars().count() > MAX_TITLE {
        let ask = "The position title is very long. Give the title alone, for example “Senior Network Engineer”.";
        found.push(Problem::new("position_title", ask));
    }
    if input.startup_notes.trim().is_empty() {
        let ask = "The start-up notes are empty. Paste the notes from the start-up meeting; they can be as messy as they are.";
        found.push(Problem::new("startup_notes", ask));
    }
    let longest = [
        Some(input.startup_notes.as_str()),
        given(&input.old_job_ad),
        given(&input.hiring_manager_input),
    ];
    if longest.into_iter().flatten().any(|t| t.len() > MAX_NOTES) {
        let ask = "The notes are longer than a million characters. Paste only the part about this position.";
        found.push(Problem::new("startup_notes", ask));
    }
    Problems::check(found)
}

pub(super) fn length_warning(notes: &str) -> Option<Problem> {
    let chars = notes.trim().chars().count();
    if chars < SHORT_NOTES {
        let text = format!(
            "The start-up notes are very short ({chars} characters). Please check that nothing is missing."
        );
        return Some(Problem::new("startup_notes", text));
    }
    (chars > LONG_NOTES).then(|| {
        let text = format!(
            "The start-up notes are very long ({chars} characters). Please check that these are the four must-haves you had in mind."
        );
        Problem::new("startup_notes", text)
    })
}

pub(super) fn missing_must_haves(found: &[Found]) -> Problems {
    let names: Vec<&str> = found.iter().map(|f| f.text.as_str()).collect();
    let names = names.join("; ");
    let ask = match found.len() {
        0 => "The notes name none. Which four skills or experiences must a candidate have?"
            .to_owned(),
        1 => format!("The notes name one: {names}. Please tell me three more."),
        2 => format!("The notes name two: {names}. Please tell me two more."),
        _ => format!("The notes name three: {names}. Please tell me one more."),
    };
    let ask = format!("A requirement profile needs exactly four must-haves. {ask}");
    Problems::one("startup_notes", ask)
}

pub(super) fn weak_warning(chosen: &[Found], strong: usize) -> Option<Problem> {
    let weak: Vec<&str> = chosen
        .iter()
        .filter(|c| !c.called_must)
        .map(|c| c.text.as_str())
        .collect();
    (strong < MUST_HAVES && !weak.is_empty()).then(|| {
        let text = format!(
            "The notes do not call these a must, please check them: {}.",
            weak.join("; ")
        );
        Problem::new("startup_notes", text)
    })
}

pub(super) fn choice_warning(chosen: &[Found], left_over: &[&Found]) -> Option<Problem> {
    (!left_over.is_empty()).then(|| {
        let kept: Vec<&str> = chosen.iter().map(|f| f.text.as_str()).collect();
        let moved: Vec<&str> = left_over.iter().map(|f| f.text.as_str()).collect();
        let text = format!(
            "More than four must-haves were named. These four were kept: {}. These became good to have: {}. Tell me if \
             another choice is right.",
            kept.join("; "),
            moved.join("; ")
        );
        Problem::new("startup_notes", text)
    })
}
