//! Facts an interview or CV states: practical details, motivation and background, as quotations.

use crate::tata::domain::candidate_report::PracticalDetails;
use crate::tata::domain::candidate_report::transcript::Statement;
use crate::tata::domain::notes::cues::Reader;
use crate::tata::domain::notes::lines::line;
use crate::tata::domain::text::phrasebook::Phrasebook;
use crate::tata::domain::text::words::{folded_words, shorten, words};
use crate::tata::domain::voice::Voice;

const MAX_FACT: usize = 200;
const MAX_QUOTES: usize = 2;
const MAX_CV_LINES: usize = 3;
const CV_LINES_READ: usize = 200;

pub(crate) fn practical(said: &[Statement], voice: Voice<'_>, reader: &Reader) -> PracticalDetails {
    let cues = &reader.interview;
    let fact = |book: &Phrasebook<()>, with_figure: Figure| {
        let found = first_about(said, book, with_figure);
        found.map_or_else(
            || voice.pack.common.not_discussed.clone(),
            |s| shorten(&s.text, MAX_FACT),
        )
    };
    PracticalDetails {
        notice_period: fact(&cues.notice, Figure::NotNeeded),
        salary_expectation: fact(&cues.salary, Figure::Needed),
        location: fact(&cues.location, Figure::NotNeeded),
        languages: fact(&cues.languages, Figure::NotNeeded),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Figure {
    Needed,
    NotNeeded,
}

/// The first statement that names the matter, otherwise the first answer to a question about it.
fn first_about<'s>(
    said: &'s [Statement],
    book: &Phrasebook<()>,
    figure: Figure,
) -> Option<&'s Statement> {
    let fits = |s: &Statement| {
        figure == Figure::NotNeeded || s.text.contains(|c: char| c.is_ascii_digit())
    };
    let stated = said
        .iter()
        .find(|s| fits(s) && book.contains(&words(&s.text)));
    stated.or_else(|| {
        said.iter().find(|s| {
            s.place == 0
                && fits(s)
                && s.question
                    .as_deref()
                    .is_some_and(|q| book.contains(&words(q)))
        })
    })
}

/// Up to two statements: answers to a question about motivation first.
pub(crate) fn motivation(said: &[Statement], reader: &Reader) -> Vec<String> {
    let cues = &reader.interview;
    let asked = |s: &&Statement| {
        s.place < MAX_QUOTES
            && s.question
                .as_deref()
                .is_some_and(|q| cues.motivation_question.contains(&words(q)))
    };
    let told = |s: &&Statement| cues.motivation.contains(&words(&s.text));
    let quote = |s: &Statement| shorten(&s.text, MAX_FACT);
    let answers: Vec<String> = said
        .iter()
        .filter(asked)
        .take(MAX_QUOTES)
        .map(quote)
        .collect();
    if answers.is_empty() {
        said.iter()
            .filter(told)
            .take(MAX_QUOTES)
            .map(quote)
            .collect()
    } else {
        answers
    }
}

pub(crate) fn background(
    said: &[Statement],
    cv: Option<&str>,
    name: &str,
    voice: Voice<'_>,
    reader: &Reader,
) -> String {
    let phrases = &voice.pack.report.background;
    let mut parts = Vec::new();
    let lines = cv.map(|cv| cv_lines(cv, name, reader)).unwrap_or_default();
    if !lines.is_empty() {
        let quoted: Vec<String> = lines.iter().map(|l| voice.quote(l)).collect();
        parts.push(voice.say(&phrases.cv, &[("text", &quoted.join(" "))]));
    }
    let told = said
        .iter()
        .filter(|s| reader.interview.background.contains(&words(&s.text)))
        .take(MAX_QUOTES);
    let told: Vec<String> = told
        .map(|s| voice.quote(&shorten(&s.text, MAX_FACT)))
        .collect();
    if !told.is_empty() {
        parts.push(voice.say(&phrases.interview, &[("text", &told.join(" "))]));
    }
    if parts.is_empty() {
        voice.plain(&phrases.none)
    } else {
        parts.join(" ")
    }
}

/// Lines that tell where someone worked or studied. Contact data and the bare name are not taken over.
fn cv_lines(cv: &str, name: &str, reader: &Reader) -> Vec<String> {
    let name = folded_words(name);
    let usable = |text: &String| {
        let list = folded_words(text);
        let only_name = list.iter().all(|w| name.contains(w));
        let digits = text.chars().filter(char::is_ascii_digit).count();
        !only_name && list.len() > 1 && !text.contains('@') && !text.contains("://") && digits <= 8
    };
    let lines: Vec<String> = cv
        .lines()
        .take(CV_LINES_READ)
        .map(|l| line(l).text)
        .filter(usable)
        .collect();
    let dated =
        |text: &&String| has_year(text) || reader.interview.background.contains(&words(text));
    let telling: Vec<&String> = lines.iter().filter(dated).take(MAX_CV_LINES).collect();
    let chosen = if telling.is_empty() {
        lines.iter().take(MAX_CV_LINES).collect()
    } else {
        telling
    };
    chosen.into_iter().map(|l| shorten(l, MAX_FACT)).collect()
}

fn has_year(text: &str) -> bool {
    words(text)
        .iter()
        .any(|w| w.number().is_some_and(|n| (1950..=2100).contains(&n)))
}
