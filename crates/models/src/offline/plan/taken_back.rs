//! An order that is taken back in the same message: "write the ad. Actually no, scrap that".

use super::super::cues::Cue;
use super::super::dialogue::Said;
use super::super::reading::Reading;
use super::Mind;

/// What is left of a message behind words that take an order back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TakenBack {
    /// There are no such words, or they put a value right.
    Nothing,
    /// Nothing is ordered any more.
    All,
    /// Something else is ordered behind them, and only that holds.
    For(Said),
}

/// What may stand between the end of an order and the words that take it back.
const LEADS: [Cue; 7] = [
    Cue::Hesitation,
    Cue::No,
    Cue::Correction,
    Cue::Join,
    Cue::Polite,
    Cue::Yes,
    Cue::Remark,
];

/// What may follow them and neither orders nor corrects anything.
const ENDINGS: [Cue; 8] = [
    Cue::TakeBack,
    Cue::Hesitation,
    Cue::No,
    Cue::Polite,
    Cue::Remark,
    Cue::Thanks,
    Cue::Please,
    Cue::Bye,
];

impl Mind<'_> {
    pub(super) fn taken_back(&self, said: &Said) -> TakenBack {
        let reading = self.read(&said.text);
        let text = &reading.text;
        let all = text.words.len();
        let mut clauses = (1..all).filter(|at| ends_before(&reading, *at));
        let Some(begins) = clauses.find(|at| takes_back(&reading, *at)) else {
            return TakenBack::Nothing;
        };
        // "no, not yet": what stands before must be more than courtesies.
        if Cue::skip(&LEADS, text, 0) >= begins || Cue::skip(&ENDINGS, text, 0) >= begins {
            return TakenBack::Nothing;
        }
        // "we have no lifts, not yet" tells when, of something that is only told.
        let told = Said {
            text: text.raw[..text.words[begins].start].to_owned(),
            ..said.clone()
        };
        let takes = |at: usize| Cue::TakeBack.at(text, at) > 0 || Cue::Hesitation.at(text, at) > 0;
        let plainly = (begins..all).any(|at| takes(at) && Cue::Remark.at(text, at) == 0);
        if !plainly && self.heard(&self.read(&told.text), &told).is_some() {
            return TakenBack::Nothing;
        }
        let rest = behind(&reading, begins);
        let Some(first) = text.words.get(rest) else {
            return TakenBack::All;
        };
        if self.only_values(&reading, rest) {
            return TakenBack::Nothing;
        }
        let words = &text.raw[first.start..];
        let other = self.read(words);
        let commands = other.head.as_ref().is_some_and(|head| {
            let at = other.opening();
            head.command && head.word == Some(at) && Cue::Negation.at(&other.text, at) == 0
        });
        if (commands || other.question) && self.is_request(words, said) {
            return TakenBack::For(Said {
                text: words.to_owned(),
                ..said.clone()
            });
        }
        TakenBack::All
    }

    /// "forget that, Omar instead": nothing but values, which take the place of others.
    fn only_values(&self, reading: &Reading, from: usize) -> bool {
        let text = &reading.text;
        let small = |at: usize| {
            let cues = [Cue::Correction, Cue::InsteadOf, Cue::NameLead, Cue::Please];
            let said = cues.iter().any(|cue| cue.at(text, at) > 0);
            said || text.words[at].function && Cue::Helping.at(text, at) == 0
        };
        let value = |at: usize| reading.is_value(at) || text.is_capitalised(at);
        let all = text.words.len();
        // Without a word that puts it right, a name is more likely a signature.
        let last = (0..from).rev().find(|at| Cue::TakeBack.at(text, *at) > 0);
        let last = last.map_or(from, |at| at + Cue::TakeBack.at(text, at));
        let corrects = [Cue::Correction, Cue::InsteadOf, Cue::OfTarget];
        let corrects = (last..all).any(|at| corrects.iter().any(|cue| cue.at(text, at) > 0));
        let has_value = (from..all).any(|at| value(at) && !small(at));
        corrects && has_value && (from..all).all(|at| value(at) || small(at))
    }
}

/// Whether something is broken off or ended before this word.
fn ends_before(reading: &Reading, at: usize) -> bool {
    const MARKS: [char; 11] = [',', '.', '!', '?', ';', '\n', '…', '—', '–', '-', '('];
    let text = &reading.text;
    let parted = text.gap_before(at).contains(MARKS);
    // "approve it no wait": a pause that nobody wrote.
    let halts = Cue::Hesitation.at(text, at);
    let denies = (at..at + halts).any(|at| Cue::No.at(text, at) > 0);
    (parted || denies) && !reading.is_value(at)
}

/// Whether the words from here on take back what stands before them.
fn takes_back(reading: &Reading, at: usize) -> bool {
    let text = &reading.text;
    let all = text.words.len();
    let ends = |at: usize| at >= all || ends_before(reading, at);
    let stands = |at: usize| {
        let length = Cue::TakeBack.at(text, at);
        // "leave it casual", "don't name the salary": more is said than that.
        length > 0 && (ends(at + length) || Cue::skip(&ENDINGS, text, at + length) == all)
    };
    // "wait", "hang on, no" and nothing behind it.
    let halts = Cue::Hesitation.at(text, at) > 0 || Cue::No.at(text, at) > 0;
    let hesitates =
        (at..all).any(|at| Cue::Hesitation.at(text, at) > 0 && !is_actually(reading, at));
    let denies = (at..all).any(|at| Cue::No.at(text, at) > 0);
    let breaks_off = halts
        && (hesitates || denies && Cue::Hesitation.is_in(text))
        && Cue::skip(&ENDINGS, text, at) == all;
    // "reject him… on second thought, he may stay": whatever follows, the order no longer holds.
    const THINKING_AGAIN: [&str; 6] = ["on", "thinking", "vid", "ved", "bei", "если"];
    if Cue::Hesitation.at(text, at) > 1 && text.is_one_of(at, &THINKING_AGAIN) {
        return true;
    }
    let mut lead = at;
    loop {
        if stands(lead) {
            return true;
        }
        let step = LEADS.iter().map(|cue| cue.at(text, lead)).max();
        match step.filter(|step| *step > 0) {
            Some(step) => lead += step,
            None => return breaks_off,
        }
    }
}

/// "approve it, actually" insists; "actually no" does not.
fn is_actually(reading: &Reading, at: usize) -> bool {
    let text = &reading.text;
    Cue::Hesitation.at(text, at) == 1
        && text.is_one_of(
            at,
            &["actually", "хотя", "вообще-то", "förresten", "moment"],
        )
}

/// The first word behind those that take back.
fn behind(reading: &Reading, begins: usize) -> usize {
    let text = &reading.text;
    let mut at = begins;
    loop {
        let step = ENDINGS
            .iter()
            .chain(&LEADS)
            .map(|cue| cue.at(text, at))
            .max();
        match step.filter(|step| *step > 0) {
            Some(step) => at += step,
            None => return at,
        }
    }
}
