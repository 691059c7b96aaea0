//! Matches skills in different spellings.

/// Whether one of these is the wanted skill: it contains all its words. "React" is in "React.js"
/// and in "React Native", "Java" is not in "JavaScript".
pub fn has(skills: &[String], wanted: &str) -> bool {
    let wanted = words(wanted);
    !wanted.is_empty()
        && skills.iter().any(|skill| {
            let words = words(skill);
            wanted.iter().all(|word| words.contains(word))
        })
}

/// The share of the wanted skills that somebody has, 0–1. `None` when nothing is wanted.
pub fn share(skills: &[String], wanted: &[String]) -> Option<f64> {
    let had = wanted.iter().filter(|skill| has(skills, skill)).count();
    (!wanted.is_empty()).then(|| ratio(had, wanted.len()))
}

/// Those of the wanted skills that somebody lacks.
pub fn missing<'a>(skills: &[String], wanted: &'a [String]) -> Vec<&'a str> {
    wanted
        .iter()
        .filter(|skill| !has(skills, skill))
        .map(String::as_str)
        .collect()
}

fn words(skill: &str) -> Vec<String> {
    skill
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric() && !matches!(c, '+' | '#'))
        .filter(|word| !word.is_empty() && *word != "js")
        .map(str::to_owned)
        .collect()
}

/// Counts of people are far below what a float holds exactly.
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

#[cfg(test)]
#[path = "skills_tests.rs"]
mod skills_tests;
