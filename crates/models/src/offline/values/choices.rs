//! Values of enumerations and booleans, by the words that people use for them.

use std::ops::Range;

use super::super::cues::Cue;
use super::super::lexicon::{Concept, LEXICON};
use super::super::param::Choice;
use super::super::rank::is_looking;
use super::super::reading::{Reading, Term};

/// A choice that was named, and how clearly.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chosen {
    pub(crate) choice: usize,
    pub(crate) words: Range<usize>,
    strength: u8,
}

impl Chosen {
    /// Whether the choice was called by its very name.
    pub(crate) fn is_by_word(&self) -> bool {
        self.strength == BY_WORD
    }

    /// Whether a word of its description is all that was said of it.
    pub(crate) fn is_by_hint(&self) -> bool {
        self.strength == BY_HINT
    }

    /// Whether only a part of its name was said.
    pub(crate) fn is_by_part(&self) -> bool {
        self.strength == BY_PART
    }
}

const BY_WORD: u8 = 5;
const BY_STEM: u8 = 4;
const BY_MEANING: u8 = 3;
/// "a demo" for "schedule a demo".
const BY_PART: u8 = 2;
const BY_HINT: u8 = 1;

/// The choices that the words name, clearest first; of two that overlap the longer one.
pub(crate) fn find_all(
    reading: &Reading,
    choices: &[Choice],
    taken: &dyn Fn(usize) -> bool,
) -> Vec<Chosen> {
    let mut found: Vec<Chosen> = Vec::new();
    for (number, choice) in choices.iter().enumerate() {
        for at in 0..reading.text.words.len() {
            if taken(at) {
                continue;
            }
            if let Some(chosen) = named_at(reading, choice, number, at) {
                found.push(chosen);
            }
        }
    }
    for chosen in &mut found {
        // "не рекомендован" names its opposite, where there is one.
        let denied = is_negated(reading, chosen.words.start);
        if let Some(opposite) = opposite(choices, chosen.choice).filter(|_| denied) {
            chosen.choice = opposite;
            chosen.strength = chosen.strength.max(BY_MEANING);
            // The denial is part of what it is called.
            let before = chosen.words.start.saturating_sub(1);
            if Cue::Negation.at(&reading.text, before) > 0 {
                chosen.words.start = before;
            }
        }
    }
    found.retain(|chosen| {
        !is_negated(reading, chosen.words.start) || is_opposite(&choices[chosen.choice])
    });
    found.sort_by_key(|chosen| {
        (
            std::cmp::Reverse(chosen.words.len()),
            std::cmp::Reverse(chosen.strength),
        )
    });
    // What hints at two of them equally names neither.
    let vague = |chosen: &Chosen| {
        chosen.strength <= BY_PART
            && found.iter().any(|other| {
                other.choice != chosen.choice
                    && other.strength >= chosen.strength
                    && other.words.start < chosen.words.end
                    && chosen.words.start < other.words.end
            })
    };
    let told: Vec<Chosen> = found.iter().filter(|c| !vague(c)).cloned().collect();
    let mut clear: Vec<Chosen> = Vec::new();
    for chosen in told {
        let free = clear.iter().all(|other| {
            other.words.end <= chosen.words.start || chosen.words.end <= other.words.start
        });
        let new = clear.iter().all(|other| other.choice != chosen.choice);
        if free && new {
            clear.push(chosen);
        }
    }
    clear.sort_by_key(|chosen| std::cmp::Reverse(chosen.strength));
    clear
}

/// The choice that is called "not …" what this one is called.
fn opposite(choices: &[Choice], of: usize) -> Option<usize> {
    let name = &choices[of].words;
    let is_it = |other: &Choice| is_opposite(other) && other.words[1..] == name[..];
    choices.iter().position(is_it)
}

fn is_opposite(choice: &Choice) -> bool {
    let first = choice.words.first().and_then(|keys| keys.first());
    choice.words.len() > 1 && first.is_some_and(|word| word == "not")
}

/// The one choice that is meant; `Err` when two are named equally clearly.
pub(crate) fn only(found: &[Chosen]) -> Result<Option<&Chosen>, ()> {
    match found {
        [] => Ok(None),
        [first, second, ..] if first.strength == second.strength => Err(()),
        [first, ..] => Ok(Some(first)),
    }
}

/// "approve" asks for something, "approved" is a state, and so is what is said of something ("a robot that
/// mops").
fn is_a_state(reading: &Reading, choice: &Choice, at: usize) -> bool {
    const RELATIVE: [&str; 8] = [
        "that",
        "which",
        "who",
        "can",
        "som",
        "которые",
        "die",
        "der",
    ];
    let commands = &reading.meanings[at].commands;
    let ordered = reading.head.as_ref().and_then(|head| head.word) == Some(at);
    let ordered = ordered && !(at > 0 && reading.text.is_one_of(at - 1, &RELATIVE));
    let mut acts = commands.iter();
    let acts = acts.any(|c| choice.concepts.is_empty() && LEXICON.is_action(*c));
    commands.is_empty() || !ordered && !acts && at > 0
}

/// "caseintervju": the word is put together from the choice and what it is a choice of.
fn is_put_together(reading: &Reading, choice: &Choice, at: usize) -> bool {
    let part = |term: &Term| {
        let mut keys = term.keys.iter();
        term.word == at
            && term.quality < 1.0
            && keys.any(|(key, _)| choice.words == [vec![key.clone()]])
    };
    reading.terms.iter().any(part)
}

fn named_at(reading: &Reading, choice: &Choice, number: usize, at: usize) -> Option<Chosen> {
    let chosen = |length: usize, strength: u8| Chosen {
        choice: number,
        words: at..at + length,
        strength,
    };
    let word = &reading.text.words[at];
    let meaning = &reading.meanings[at];
    let length = choice.words.len();
    let end = at + length;
    if length > 0 && end <= reading.text.words.len() {
        let here = || choice.words.iter().zip(&reading.text.words[at..end]);
        let exact = here().all(|(keys, word)| keys.first() == Some(&word.lower));
        let stem = here().all(|(keys, word)| keys.iter().any(|key| word.keys.contains(key)));
        // "in" and "no" are no languages.
        let too_short = length == 1 && (word.function || is_bare_code(reading, at));
        if exact && !too_short {
            return Some(chosen(length, BY_WORD));
        }
        if stem && !too_short && is_a_state(reading, choice, at) {
            return Some(chosen(length, BY_STEM));
        }
    }
    if length == 1 && is_put_together(reading, choice, at) {
        return Some(chosen(1, BY_STEM));
    }
    // "Which did we turn down?" asks for what is turned down.
    let ordered = reading.head.as_ref().and_then(|head| head.word) == Some(at);
    // "Who can finish in 4 days?" asks for what is not finished yet.
    let able = at > 0 && Cue::Intended.at(&reading.text, at - 1) > 0;
    let asked_for = |action: &Concept| {
        !able
            && (reading.question || !ordered && meaning.commands.is_empty())
            && choice
                .concepts
                .iter()
                .any(|state| LEXICON.comes_of(*state, *action))
    };
    // An article may be spelled like a language ("en").
    let article = (word.function && !meaning.phrase) || is_bare_code(reading, at);
    // "let me see the list" looks; it does not choose what is there to be seen.
    let looks = ordered && is_looking(&meaning.commands);
    if !article
        && !looks
        && !reading.is_slip(at)
        && meaning
            .concepts
            .iter()
            .filter(|_| !able)
            .any(|c| choice.concepts.contains(c) || asked_for(c))
    {
        let rest = reading.meanings[at + 1..]
            .iter()
            .take_while(|m| m.continues)
            .count();
        return Some(chosen(1 + rest, BY_MEANING));
    }
    if !word.function && !able && choice.has_part(word) {
        return Some(chosen(1, BY_PART));
    }
    let meant = || {
        meaning
            .concepts
            .iter()
            .filter(|c| !(able && LEXICON.is_action(**c)))
            .any(|c| choice.hints.contains(&LEXICON.key(*c)))
    };
    let hinted = !word.function
        && !looks
        && !able
        && !meaning.continues
        && (word.keys.iter().any(|key| choice.hints.contains(key)) || meant());
    hinted.then(|| chosen(1, BY_HINT))
}

/// Whether a word is as short as a code ("en", "no") and nothing says that it is one.
fn is_bare_code(reading: &Reading, at: usize) -> bool {
    const LONGEST: usize = 2;
    const BEFORE: [&str; 9] = [
        "in", "to", "language", "lang", "på", "til", "auf", "språk", "sprache",
    ];
    let text = &reading.text;
    let short = text.words[at].lower.chars().count() <= LONGEST;
    let before = at.checked_sub(1).map(|before| &text.words[before]);
    let led = before.is_some_and(|word| BEFORE.contains(&word.lower.as_str()));
    short && !led && text.words.len() > LONGEST && !text.gap_before(at).contains([':', '='])
}

/// Whether a word of denial stands right before this one.
pub(crate) fn is_negated(reading: &Reading, at: usize) -> bool {
    const REACH: usize = 4;
    let text = &reading.text;
    if text.words[at].lower.starts_with("non") && text.words[at].lower.contains('-') {
        return true;
    }
    // "kommt nicht zurück", "kommer inte tillbaka": inside a phrase that begins here.
    // "say no to" has its own denial in it.
    let next = reading.meanings.get(at + 1);
    let phrase = reading.meanings[at].phrase && next.is_some_and(|next| !next.continues);
    if phrase && Cue::Negation.at(text, at + 1) > 0 {
        return true;
    }
    for back in (at.saturating_sub(REACH)..at).rev() {
        let gap = text.gap_before(back + 1);
        if gap.contains([',', '.', ';', '!', '?', '\n', '–', '—']) || gap == " - " {
            return false;
        }
        if Cue::Negation.at(text, back) > 0 {
            return true;
        }
    }
    false
}

/// A truth that was stated.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stated {
    pub(crate) value: bool,
    pub(crate) words: Range<usize>,
}

/// Whether the thing that a boolean is about is mentioned, and affirmed or denied. What is affirmed in one
/// place and denied in another ("returning the projector, not coming back") is not stated.
pub(crate) fn stated(
    reading: &Reading,
    labels: &[String],
    hints: &[String],
    taken: &dyn Fn(usize) -> bool,
) -> Option<Stated> {
    let first = mentioned(reading, labels, hints, taken)?;
    let mut after = first.words.end;
    while let Some(next) = mentioned(reading, labels, hints, &|at| at < after || taken(at)) {
        if next.value != first.value {
            return None;
        }
        after = next.words.end;
    }
    Some(first)
}

/// Its first mention.
fn mentioned(
    reading: &Reading,
    labels: &[String],
    hints: &[String],
    taken: &dyn Fn(usize) -> bool,
) -> Option<Stated> {
    let text = &reading.text;
    let actions = |key: &String| {
        let name = key.strip_prefix('#')?;
        LEXICON.named(name).filter(|c| LEXICON.is_action(*c))
    };
    let topics: Vec<_> = hints.iter().filter_map(actions).collect();
    let at = (0..text.words.len()).find(|at| {
        let word = &text.words[*at];
        let meaning = &reading.meanings[*at];
        let own = !word.function && word.keys.iter().any(|key| labels.contains(key));
        let meant = meaning
            .concepts
            .iter()
            .any(|c| topics.contains(c) || labels.contains(&LEXICON.key(*c)));
        !taken(*at) && (own || meant) && !meaning.continues && !reading.is_slip(*at)
    })?;
    let last = (at + 1..text.words.len())
        .take_while(|next| {
            let answers = text.gap_before(*next).contains([':', '=', '?']);
            let denies = Cue::Negation.at(text, *next) > 0 && !answers;
            reading.meanings[*next].continues || denies
        })
        .last()
        .unwrap_or(at);
    let answer = last + 1;
    let answered = text.words.get(answer).is_some()
        && text.gap_before(answer).contains([':', '=', '-', '—', '?']);
    let (value, end) = if answered && Cue::Yes.at(text, answer) > 0 {
        (true, answer + 1)
    } else if answered && Cue::No.at(text, answer) > 0 {
        (false, answer + 1)
    } else if left_out(reading, at) {
        (false, last + 1)
    } else if let Some(denial) = denied_behind(reading, last) {
        (false, denial + 1)
    } else {
        (!is_negated(reading, at), last + 1)
    };
    Some(Stated {
        value,
        words: begin(reading, at)..end,
    })
}

/// "skip the salary", "leave the salary out".
fn left_out(reading: &Reading, at: usize) -> bool {
    const REACH: usize = 3;
    const OMIT: [&str; 19] = [
        "skip",
        "skipping",
        "omit",
        "omitting",
        "exclude",
        "excluding",
        "hide",
        "drop",
        "utelämna",
        "uteslut",
        "dölj",
        "udelad",
        "undlad",
        "utelat",
        "utelate",
        "weglassen",
        "исключи",
        "убери",
        "скрой",
    ];
    // These say it together with a word behind the thing; "keep the salary in" keeps it.
    const LEAVE: [&str; 5] = ["leave", "leaving", "keep", "lass", "lämna"];
    const OUT: [&str; 5] = ["out", "off", "away", "weg", "ute"];
    let text = &reading.text;
    let mut before = (at.saturating_sub(REACH)..at)
        .rev()
        .take_while(|before| !text.starts_clause(before + 1));
    before.any(|before| {
        let out = text.is_one_of(before + 1, &OUT) || text.is_one_of(at + 1, &OUT);
        text.is_one_of(before, &OMIT) || text.is_one_of(before, &LEAVE) && out
    })
}

/// "the salary should not be in it", "lönen ska inte stå med": a verb of wish behind the thing, and its
/// denial.
fn denied_behind(reading: &Reading, last: usize) -> Option<usize> {
    const REACH: usize = 3;
    const MODALS: [&str; 14] = [
        "should", "shall", "must", "may", "can", "ska", "skall", "får", "skal", "må", "soll",
        "sollte", "muss", "darf",
    ];
    const BOTH: [&str; 3] = ["shouldn't", "mustn't", "can't"];
    let text = &reading.text;
    let mut behind = (last + 1..text.words.len()).take(REACH).take_while(|at| {
        !text
            .gap_before(*at)
            .contains([',', '.', ';', '!', '?', '\n'])
    });
    let first = behind.next()?;
    let word = text.words[first].lower.as_str();
    if BOTH.contains(&word) {
        return Some(first);
    }
    let modal = MODALS.contains(&word);
    behind.find(|at| modal && Cue::Negation.at(text, *at) > 0)
}

/// The first of the small words that belong to a statement ("and he will not …").
fn begin(reading: &Reading, at: usize) -> usize {
    let text = &reading.text;
    let mut start = at;
    while start > 0 && text.gap_before(start) == " " {
        let before = &text.words[start - 1];
        let small = before.function || Cue::Negation.at(text, start - 1) > 0;
        if !small || reading.is_value(start - 1) {
            break;
        }
        start -= 1;
    }
    start
}
