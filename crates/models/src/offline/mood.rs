//! How something is said: small talk, a question, a request; denied, conditional, about
//! everything at once.

use std::ops::Range;

use super::cues::Cue;
use super::language::Language;
use super::lexicon::LEXICON;
use super::reading::{ONE, Reading};
use super::spans::is_among;
use super::values::choices::is_negated;
use super::words::Text;

/// Talk that asks for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Talk {
    Greeting,
    Thanks,
    Bye,
    Help,
    Identity,
}

/// A phrase of this many words means what it says wherever it stands.
const CLEAR_PHRASE: usize = 3;

pub(super) fn small_talk(text: &Text) -> Option<Talk> {
    let kinds = [
        (Cue::Identity, Talk::Identity),
        (Cue::Help, Talk::Help),
        (Cue::Thanks, Talk::Thanks),
        (Cue::Bye, Talk::Bye),
        (Cue::Greeting, Talk::Greeting),
    ];
    let found = kinds.into_iter().find(|(cue, _)| cue.is_in(text))?;
    let (cue, talk) = found;
    let asks = matches!(talk, Talk::Help | Talk::Identity);
    let longest = (0..text.words.len())
        .map(|at| cue.at(text, at))
        .max()
        .unwrap_or(0);
    let remark = matches!(talk, Talk::Thanks | Talk::Greeting) && is_remark(text);
    (only_talk(text) || remark || (asks && longest >= CLEAR_PHRASE)).then_some(talk)
}

/// "thanks, that was what I was looking for", "good morning, hope you had a nice weekend": courtesies
/// go on without asking for or telling anything.
fn is_remark(text: &Text) -> bool {
    const HOPE: [&str; 6] = ["hope", "hoping", "надеюсь", "hoppas", "håber", "håper"];
    const THAT: [&str; 5] = ["that", "this", "it", "i'll", "это"];
    let next = Cue::skip(&[Cue::Yes, Cue::Greeting, Cue::Thanks], text, 0);
    let thanked = (0..next).any(|at| Cue::Thanks.at(text, at) > 0);
    let figures = text.raw.contains(|c: char| c.is_ascii_digit() || c == '?');
    let rest = || next..text.words.len();
    let ours = rest().any(|at| Cue::Possessive.at(text, at) > 0);
    let wants = rest().any(|at| Cue::Please.at(text, at) > 0);
    let thanks = thanked && text.is_one_of(next, &THAT) && !ours;
    next > 0 && !figures && !wants && (text.is_one_of(next, &HOPE) || thanks)
}

/// Whether nothing but talk and small words is left.
fn only_talk(text: &Text) -> bool {
    const TALK: [Cue; 8] = [
        Cue::Identity,
        Cue::Help,
        Cue::Thanks,
        Cue::Bye,
        Cue::Greeting,
        Cue::Polite,
        Cue::Yes,
        Cue::Again,
    ];
    let mut at = 0;
    while at < text.words.len() {
        let skipped = Cue::skip(&TALK, text, at);
        if skipped > at {
            at = skipped;
        } else if text.words[at].function {
            at += 1;
        } else {
            return false;
        }
    }
    true
}

/// "I read the chapter", "you are fast", "that's funny": whether it begins by saying something of
/// somebody, rather than by naming or asking for something.
pub(super) fn speaks_of_somebody(reading: &Reading) -> bool {
    !reading.question && begins_with_somebody(&reading.text)
}

pub(super) fn begins_with_somebody(text: &Text) -> bool {
    const SUBJECTS: [&str; 34] = [
        "i", "i'm", "im", "i've", "i'll", "i'd", "we", "we're", "we've", "we'll", "you", "you're",
        "he", "she", "they", "it's", "that's", "thats", "я", "мы", "ты", "вы", "он", "она", "они",
        "jag", "du", "han", "hon", "jeg", "hun", "ich", "wir", "er",
    ];
    const THINGS: [&str; 7] = ["it", "that", "this", "это", "det", "das", "es"];
    let leads = [Cue::Greeting, Cue::Yes, Cue::Thanks, Cue::Remark, Cue::Join];
    let begins = Cue::skip(&leads, text, 0);
    let thing = text.is_one_of(begins, &THINGS) && Cue::Helping.at(text, begins + 1) > 0;
    let subject = thing || text.is_one_of(begins, &SUBJECTS);
    subject && Cue::Polite.at(text, begins) < 2
}

/// "cancel", "never mind", alone or with politeness.
pub(super) fn is_cancel(text: &Text) -> bool {
    Cue::Cancel.is_in(text)
        && Cue::cover(
            &[
                Cue::Cancel,
                Cue::Polite,
                Cue::No,
                Cue::Thanks,
                Cue::Reference,
            ],
            text,
        )
}

pub(super) fn is_yes(text: &Text) -> bool {
    Cue::Yes.at(text, Cue::skip(&[Cue::Greeting], text, 0)) > 0
}

pub(super) fn is_no(text: &Text) -> bool {
    Cue::No.at(text, Cue::skip(&[Cue::Greeting], text, 0)) > 0
}

/// Whether something is asked about rather than asked for. "Could you approve …?" asks
/// for it.
pub(super) fn is_question(text: &Text) -> bool {
    let mut at = Cue::skip(&[Cue::Greeting], text, 0);
    let mut requested = false;
    loop {
        let step = Cue::Polite.at(text, at);
        if step == 0 {
            break;
        }
        let modal = [
            "можешь",
            "можете",
            "bitte",
            "please",
            "pls",
            "plz",
            "kindly",
            "пожалуйста",
        ];
        requested |= step > 1 || modal.contains(&text.words[at].lower.as_str());
        at += step;
    }
    let forbids = Cue::Negation.at(text, at) > 0;
    // "do a pass" orders; "do passes expire" asks.
    let next = text.words.get(at + 1);
    let orders =
        next.is_some_and(|word| ONE.contains(&word.lower.as_str())) && text.words[at].lower == "do";
    let asks = (Cue::Question.at(text, at) > 0 || asks_whether(text, at)) && !orders;
    let marked = text.raw.contains('?') && !is_favour(text);
    !requested && !forbids && (asks || marked)
}

/// "We met this morning. Can you write the report?": what ends with a question mark asks a favour.
fn is_favour(text: &Text) -> bool {
    let mark = text.raw.find('?').unwrap_or(text.raw.len());
    let end = text.words.partition_point(|word| word.start < mark);
    let Some(last) = end.checked_sub(1) else {
        return false;
    };
    let sentence = (0..=last).rev().find(|at| text.starts_sentence(*at));
    let mut clauses = (sentence.unwrap_or(0)..=last)
        .filter(|at| *at == 0 || text.starts_sentence(*at) || text.starts_clause(*at));
    clauses.any(|at| {
        let at = Cue::skip(&[Cue::Join], text, at);
        let asked = Cue::Polite.at(text, at);
        (at..at + asked).any(|at| text.is_one_of(at, &YOU))
    })
}

/// Whoever is spoken to.
const YOU: [&str; 11] = [
    "you", "u", "ya", "du", "ni", "dere", "sie", "i", "ihr", "ты", "вы",
];

/// "can two admins approve …": a modal verb before somebody else than who is spoken to.
fn asks_whether(text: &Text, at: usize) -> bool {
    const MODALS: [&str; 17] = [
        "can",
        "could",
        "may",
        "might",
        "must",
        "will",
        "would",
        "kan",
        "kann",
        "können",
        "darf",
        "dürfen",
        "muss",
        "müssen",
        "får",
        "må",
        "может",
    ];
    let is_in = |at: usize, words: &[&str]| {
        let word = text.words.get(at);
        word.is_some_and(|word| words.contains(&word.lower.as_str()))
    };
    is_in(at, &MODALS) && at + 1 < text.words.len() && !is_in(at + 1, &YOU)
}

/// Why a write is not simply carried out although it was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// "don't approve …"
    Denied,
    /// "if …", "when …"
    Conditional,
    /// "all but …"
    Excepting,
    Question,
    /// "Omar wants to delete …"
    Reported,
    /// "approve or reject …"
    Alternative,
    /// "approve … tomorrow", where there is no such thing as later.
    Deferred,
}

/// `taken` are the places of values: what a pass is for may well happen "after lunch".
pub(super) fn doubt(reading: &Reading, taken: &[Range<usize>]) -> Option<Doubt> {
    let text = &reading.text;
    let is_taken = |at: usize| is_among(taken, &text.words[at].span());
    let unquoted = |cue: Cue| {
        (0..text.words.len())
            .any(|at| cue.at(text, at) > 0 && !reading.is_value(at) && !is_taken(at))
    };
    let denied = reading
        .head
        .as_ref()
        .and_then(|head| head.word)
        .is_some_and(|word| is_negated(reading, word));
    if denied || is_denied_behind(reading, &is_taken) {
        return Some(Doubt::Denied);
    }
    if unquoted(Cue::Exclusion) {
        return Some(Doubt::Excepting);
    }
    if reading.question {
        return Some(Doubt::Question);
    }
    // "until Tuesday" says when, not whether.
    let conditional = |at: usize| {
        let length = Cue::Condition.at(text, at);
        // "should he agree, …": elsewhere it only says what is right.
        let opens = at == 0
            || text
                .gap_before(at)
                .contains([',', '.', ';', '!', '?', '\n']);
        let should = opens && text.words[at].lower == "should";
        let free = !is_taken(at) && !reading.is_value(at);
        let moment = reading.is_moment(at + length) || is_part_of_day(text, at + length);
        // "he's back after": nothing follows.
        let follows = at + length < text.words.len() && !text.starts_clause(at + length);
        let polite = length > 0 && is_courtesy(text, at + length);
        should && free || length > 0 && free && !moment && follows && !polite
    };
    if (0..text.words.len()).any(conditional) {
        return Some(Doubt::Conditional);
    }
    if unquoted(Cue::Or) {
        return Some(Doubt::Alternative);
    }
    let order = reading.head.as_ref().and_then(|head| head.word)?;
    // "kravprofilen är bekräftad", "das Profil ist bestätigt": how it is, however like an order it looks.
    const BEING: [&str; 16] = [
        "is", "are", "was", "were", "been", "er", "är", "var", "blev", "blevet", "blitt", "ist",
        "sind", "war", "wurde", "был",
    ];
    let state = order > 0 && text.is_one_of(order - 1, &BEING);
    let told = state || is_reported(reading, order);
    (!is_taken(order) && told).then_some(Doubt::Reported)
}

/// "… if you could prepare …", "если можно": what is only put politely.
fn is_courtesy(text: &Text, at: usize) -> bool {
    const COURTESIES: [&[&str]; 22] = [
        &["you", "could"],
        &["you", "can"],
        &["you", "would"],
        &["you", "please"],
        &["you", "don't", "mind"],
        &["you", "have", "a"],
        &["you", "have", "time"],
        &["you", "get", "a"],
        &["possible"],
        &["i", "may"],
        &["можно"],
        &["можете"],
        &["можешь"],
        &["не", "сложно"],
        &["не", "трудно"],
        &["möjligt"],
        &["du", "kan"],
        &["du", "har", "tid"],
        &["muligt"],
        &["mulig"],
        &["möglich"],
        &["du", "kannst"],
    ];
    let stands = |phrase: &&[&str]| {
        let mut words = phrase.iter().enumerate();
        words.all(|(place, word)| text.is_one_of(at + place, &[word]))
    };
    COURTESIES.iter().any(stands)
}

/// "after lunch" is a time, unlike "after he signed".
fn is_part_of_day(text: &Text, at: usize) -> bool {
    const PARTS: [&str; 24] = [
        "lunch",
        "breakfast",
        "dinner",
        "work",
        "noon",
        "midnight",
        "school",
        "prayer",
        "prayers",
        "обеда",
        "работы",
        "ужина",
        "завтрака",
        "lunchen",
        "jobbet",
        "frokost",
        "arbejde",
        "lunsj",
        "jobb",
        "mittag",
        "feierabend",
        "mittagessen",
        "frühstück",
        "middag",
    ];
    let word = text.words.get(at);
    word.is_some_and(|word| PARTS.contains(&word.lower.as_str()))
}

/// "Bekräfta inte profilen", "Bestätige das Profil nicht": where the denial follows the verb.
fn is_denied_behind(reading: &Reading, is_taken: &dyn Fn(usize) -> bool) -> bool {
    const REACH: usize = 4;
    const BEHIND: [&str; 6] = ["inte", "ej", "icke", "ikke", "ikkje", "nicht"];
    let text = &reading.text;
    let Some(order) = reading.head.as_ref().and_then(|head| head.word) else {
        return false;
    };
    let behind = (order + 1..text.words.len()).take(REACH).take_while(|at| {
        !text
            .gap_before(*at)
            .contains([',', '.', ';', '!', '?', '\n'])
    });
    let mut denials =
        behind.filter(|at| BEHIND.contains(&text.words[*at].lower.as_str()) && !is_taken(*at));
    // "… nicht GP-1, sondern GP-2" puts one value in place of another.
    denials.any(|at| at + 1 == text.words.len() || !reading.is_value(at + 1))
}

/// "take it off again": whether a verb in two parts begins here, the other part of which follows.
pub(super) fn opens_parted_verb(text: &Text, at: usize) -> bool {
    const FIRST: [&str; 8] = ["take", "put", "throw", "cross", "kick", "ta", "tag", "nimm"];
    const SECOND: [&str; 11] = [
        "on", "off", "out", "away", "down", "back", "på", "av", "bort", "runter", "weg",
    ];
    let mut rest = (at + 1..text.words.len()).take_while(|at| !text.starts_clause(*at));
    text.is_one_of(at, &FIRST) && rest.any(|at| text.is_one_of(at, &SECOND))
}

/// "don't add anything yet": what is not to be done.
pub(super) fn forbids(reading: &Reading) -> bool {
    // Not so "can't log in", which tells of a trouble.
    const FORBIDDING: [&str; 10] = [
        "don't", "dont", "do", "never", "не", "inte", "ikke", "nicht", "aldrig", "no",
    ];
    let begins = reading.opening();
    let denied = Cue::Negation.at(&reading.text, begins);
    let forbidden = denied > 0 && reading.text.is_one_of(begins, &FORBIDDING);
    let next = reading.meanings.get(begins + denied);
    forbidden && next.is_some_and(|next| !next.commands.is_empty())
}

/// Whether a sentence without an order denies something apart from its values. What is "not too"
/// much is still wanted.
pub(super) fn is_denial(reading: &Reading, taken: &[Range<usize>]) -> bool {
    const TOO: [&str; 6] = ["too", "so", "слишком", "för", "alt", "zu"];
    let text = &reading.text;
    let is_free = |at: usize| !is_among(taken, &text.words[at].span());
    let ordered = reading
        .head
        .as_ref()
        .is_some_and(|head| head.word.is_some());
    let denies = |at: usize| Cue::Negation.at(text, at) > 0 && !text.is_one_of(at + 1, &TOO);
    !ordered && (0..text.words.len()).any(|at| denies(at) && is_free(at))
}

/// Whether somebody is said to do it, or to want it, instead of it being ordered: before
/// the command there is more than politeness, names and values.
fn is_reported(reading: &Reading, order: usize) -> bool {
    let text = &reading.text;
    let start = (1..=order)
        .rev()
        .find(|at| {
            text.gap_before(*at)
                .contains([',', '.', ';', ':', '!', '?', '\n', '—', '–'])
        })
        .unwrap_or(0);
    let creates = reading.head.as_ref().is_some_and(|head| {
        head.actions
            .iter()
            .any(|action| LEXICON.name(*action) == "create")
    });
    // "brother, please make …": whatever stands before, they are asked.
    if Cue::Please.before(text, order) {
        return false;
    }
    let mut at = start;
    while at < order {
        let skipped = Cue::skip(
            &[
                Cue::Greeting,
                Cue::Polite,
                Cue::Join,
                Cue::Yes,
                Cue::Correction,
            ],
            text,
            at,
        );
        if skipped > at {
            at = skipped;
            continue;
        }
        let word = &text.words[at];
        let helps = Cue::Helping.at(text, at) > 0;
        // "gate pass request": the thing itself may stand before the wish for it.
        let meaning = &reading.meanings[at];
        let thing = creates && (meaning.continues || !meaning.concepts.is_empty());
        // "Bitte alle Kandidaten vergleichen": the verb may come last.
        let german = text.language == Some(Language::German);
        let all = german && Cue::Everything.at(text, at) > 0;
        let plain =
            all || word.function || reading.is_value(at) || text.is_capitalised(at) || thing;
        if helps || !plain {
            return true;
        }
        at += 1;
    }
    false
}

#[cfg(test)]
#[path = "mood_tests.rs"]
mod mood_tests;
