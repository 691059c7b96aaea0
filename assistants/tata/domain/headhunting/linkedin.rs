//! Finds one harmless personal detail in a pasted LinkedIn profile: the present role and employer.

use crate::tata::domain::notes::lines::without_marker;
use crate::tata::domain::text::words::{one_line, word_count};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PersonalDetail {
    pub(crate) role: String,
    pub(crate) employer: String,
}

impl PersonalDetail {
    pub(crate) fn words(&self) -> String {
        format!("{}, {}", self.role, self.employer)
    }
}

/// Only the beginning of a profile tells what someone does today.
const LINES: usize = 60;
const MAX_ROLE_WORDS: usize = 6;
const MAX_EMPLOYER_WORDS: usize = 4;
/// "at" in the five languages, and the sign.
const AT: [&str; 6] = [" at ", " @ ", " hos ", " på ", " bei ", " ved "];

pub(crate) fn personal_detail(profile: &str) -> Option<PersonalDetail> {
    profile
        .lines()
        .take(LINES)
        .find_map(|line| detail_in(without_marker(line)))
}

fn detail_in(line: &str) -> Option<PersonalDetail> {
    let line = line.split(['|', '•', '·', '(']).next().unwrap_or(line);
    AT.iter().find_map(|at| {
        let (role, employer) = line.split_once(at)?;
        let employer = employer
            .split([',', ';', '.', '–', '—'])
            .next()
            .unwrap_or(employer);
        let role = role.rsplit([':', ',']).next().unwrap_or(role);
        let detail = PersonalDetail {
            role: one_line(role),
            employer: one_line(employer),
        };
        is_plausible(&detail).then_some(detail)
    })
}

/// Short, both capitalised, and not a sentence.
fn is_plausible(detail: &PersonalDetail) -> bool {
    let PersonalDetail { role, employer } = detail;
    (1..=MAX_ROLE_WORDS).contains(&word_count(role))
        && (1..=MAX_EMPLOYER_WORDS).contains(&word_count(employer))
        && role.starts_with(char::is_uppercase)
        && employer.starts_with(|c: char| c.is_uppercase() || c.is_numeric())
        && !role.starts_with("I ")
        && !role.contains(['.', '!', '?', '@'])
}
