//! What a person says about themselves, where a tool declares that it listens: such a tool
//! is told that there was a statement, and takes from the person's own words what it keeps.
//! So nothing is written here that was not said, and a wrong guess writes nothing.

use serde_json::Map;

use super::super::cues::Cue;
use super::super::dialogue::Said;
use super::super::lexicon::LEXICON;
use super::super::mood;
use super::super::reading::Reading;
use super::super::recall::Memory;
use super::choose::Choice;
use super::{Mind, Step};

impl Mind<'_> {
    /// The call of the tool that listens, unless the message asks for or about something
    /// else.
    pub(super) fn heard(&self, reading: &Reading, said: &Said) -> Option<Step> {
        let listens = |tool: &usize| self.tool(*tool).listens.is_some();
        let mut listening = (0..self.index.tools.len()).filter(listens);
        let tool = listening.next()?;
        if listening.next().is_some() || !states(&said.text) {
            return None;
        }
        // What was learned knows a statement from an order or a remark, where it is sure.
        let likely = reading.likely(self.index);
        let own = likely.map(|likely| likely.tools[tool]);
        let keeps = self.tool(tool).listens;
        let keeps = keeps.is_some_and(|keeps| keeps(&said.text));
        // What it would keep nothing of must at least sound like a statement.
        let least = if keeps { UNLIKELY } else { LIKELY };
        if own.is_some_and(|own| own < least) {
            return None;
        }
        // "recommend me two, we can spend 900": what comes first is surely meant for another.
        let first = (1..reading.text.words.len()).find(|at| reading.text.starts_clause(*at));
        let first = first.map(|at| &reading.text.raw[..reading.text.words[at].start]);
        let other = first.and_then(|first| self.surely(first));
        // "try it with a maintenance share of 0.2 and 160 hours": figures for another, by their names.
        let memory = Memory::new(self.dialogue);
        let sources = self.sources(reading, said, &memory);
        let mut looks = (0..self.index.tools.len()).filter(|other| !self.tool(*other).writes);
        let calculates = looks.any(|other| self.figures_named(other, &sources) > 1);
        if calculates && !says_who(reading) {
            return None;
        }
        // "just 3 of them" speaks of what was shown.
        if other.is_some_and(|other| other != tool) || Cue::About.is_in(&reading.text) {
            return None;
        }
        let sure = own.is_some_and(|own| own >= STATED) && !reading.question && !orders(reading);
        if !sure && !self.is_kept(tool, reading, said) {
            return None;
        }
        let choice = self.choose(&sources);
        let statement = match &choice {
            Choice::Tool {
                tool: other,
                commanded,
            } => {
                let opens = self.opens_like(*other, tool, reading);
                let ordered = *commanded && !tells(reading) || orders(reading) || opens;
                let asked = reading.question && !tells_of_us(reading);
                let named = !keeps && !says_something(reading);
                let looked_at = (asked || named) && !self.tool(*other).writes;
                *other == tool && !orders(reading) || !ordered && !wishes(reading) && !looked_at
            }
            Choice::Unclear(_) => {
                let asked = reading.question && !tells_of_us(reading);
                !orders(reading) && !asked && !wishes(reading)
            }
            Choice::Nothing => !reading.question && !orders(reading) && !asks_a_favour(reading),
        };
        let statement = (statement || sure)
            && !takes_or_puts(reading)
            && (sure || !self.orders_later(reading, tool))
            && !mood::forbids(reading)
            && !self.denies_order(reading, tool)
            && !repeats(reading);
        if statement && !says_something(reading) && self.beyond(reading, said, &choice).is_some() {
            return None;
        }
        (statement && mood::small_talk(&reading.text).is_none()).then(|| Step::Call {
            tool,
            arguments: Map::new(),
            settled: true,
        })
    }

    /// Whether the tool may keep something: what it would keep by its own account, and what may well
    /// be an answer to it. What is said of something else, or in passing, is neither.
    fn is_kept(&self, tool: usize, reading: &Reading, said: &Said) -> bool {
        const COMPANY: [&str; 9] = [
            "we", "our", "us", "we're", "we've", "мы", "наш", "vi", "wir",
        ];
        const YOU: [&str; 4] = ["you", "your", "you're", "yours"];
        let text = &reading.text;
        let is_said = |words: &[&str]| (0..text.words.len()).any(|at| text.is_one_of(at, words));
        let ours = is_said(&COMPANY);
        let figures = !reading.numbers.is_empty();
        let would_keep = self.tool(tool).listens;
        if would_keep.is_some_and(|keeps| keeps(&said.text)) {
            return ours || figures || !Cue::Remark.is_in(text);
        }
        let given = figures || reading.names > 0;
        let answers = !is_said(&YOU) && (given || !mood::speaks_of_somebody(reading));
        let talk = || {
            let near = self.nearness(reading);
            near.is_some_and(|near| near.is_talk_by() >= self.settings.talk_margin)
        };
        !Cue::Remark.is_in(text) && (ours || answers && (given || !talk()))
    }

    /// "I would not put it on the list": what another tool does is not to be done.
    fn denies_order(&self, reading: &Reading, listening: usize) -> bool {
        const CLOSE: usize = 2;
        let text = &reading.text;
        let orders = |at: usize| {
            let commands = reading.meanings.get(at).map(|meaning| &meaning.commands);
            commands.into_iter().flatten().any(|action| {
                let mut others = self.index.tools.iter().enumerate();
                others.any(|(tool, def)| tool != listening && def.actions.contains(action))
            })
        };
        let denies = |at: &usize| Cue::Negation.at(text, *at) > 0;
        let mut denials = (0..text.words.len()).filter(denies);
        denials.any(|at| (at + 1..=at + CLOSE).any(orders))
    }

    /// "run it with …": the first word is one with which examples of the other tool begin.
    fn opens_like(&self, other: usize, listening: usize, reading: &Reading) -> bool {
        let first = reading.text.words.get(reading.opening());
        first.is_some_and(|word| {
            let begins = |tool: usize| {
                let mut lessons = self.tool(tool).lessons.iter();
                lessons.any(|lesson| {
                    let first = lesson.without_values.words.first();
                    first.is_some_and(|first| first.lower == word.lower)
                })
            };
            let alone = reading.text.words.len() == 1;
            !word.function && !alone && begins(other) && !begins(listening)
        })
    }

    /// "that's all I know, let's move on to the next step": an order behind a remark.
    fn orders_later(&self, reading: &Reading, listening: usize) -> bool {
        let text = &reading.text;
        let orders = |at: usize| {
            let at = Cue::skip(&[Cue::Join, Cue::Polite], text, at);
            let commands = reading.meanings.get(at).map(|meaning| &meaning.commands);
            commands.into_iter().flatten().any(|action| {
                let mut others = self.index.tools.iter().enumerate();
                others.any(|(tool, def)| tool != listening && def.actions.contains(action))
            })
        };
        let mut clauses = (1..text.words.len()).filter(|at| text.starts_clause(*at));
        clauses.any(orders)
    }
}

/// "take it off", "hmm no, take the Neo off again".
fn takes_or_puts(reading: &Reading) -> bool {
    let text = &reading.text;
    let begins = |at: &usize| *at == reading.opening() || text.starts_clause(*at);
    let mut clauses = (0..text.words.len()).filter(begins);
    clauses.any(|at| mood::opens_parted_verb(text, at))
}

/// Whether there is anything beside questions.
fn states(text: &str) -> bool {
    let mut rest = text;
    while let Some(end) = rest.find('?') {
        let asked = &rest[..end];
        let begin = asked.rfind(['.', '!', '\n', ';']).map_or(0, |at| at + 1);
        if asked[..begin].chars().any(char::is_alphanumeric) {
            return true;
        }
        rest = &rest[end + 1..];
    }
    rest.chars().any(char::is_alphanumeric)
}

/// Whether it begins with a command: one that a tool carries out, or one that nobody says of themselves.
fn orders(reading: &Reading) -> bool {
    const NEVER_A_FACT: [&str; 9] = [
        "delete",
        "cancel",
        "approve",
        "reject",
        "send",
        "print",
        "export",
        "translate",
        "upload",
    ];
    let begins = reading.opening();
    let head = reading.head.as_ref().filter(|head| head.command);
    // "We need it before May" tells what they need.
    let needs = |at: usize| {
        let mut means = reading.meanings[at].concepts.iter();
        means.any(|concept| LEXICON.name(*concept) == "need")
    };
    let carried_out = head.and_then(|head| head.word) == Some(begins) && !needs(begins);
    // "recomend me two": a slip of the finger orders as well.
    let meaning = reading.meanings.get(begins);
    let slip = reading
        .terms
        .iter()
        .any(|term| term.word == begins && term.quality < 1.0);
    let slip = slip && meaning.is_some_and(|meaning| !meaning.commands.is_empty());
    carried_out || slip || reading.commands_at(begins, &NEVER_A_FACT)
}

/// "ROI of these two, pls", "we like it, so please book a visit": who says please without saying anything
/// of somebody, or after it, wants something.
fn wishes(reading: &Reading) -> bool {
    const SOON: usize = 2;
    let text = &reading.text;
    let words = text.words.len();
    let pleads = |from: usize| {
        (from..words)
            .take(SOON)
            .any(|at| Cue::Please.at(text, at) > 0)
    };
    let later = (1..words).any(|at| text.starts_clause(at) && pleads(at));
    later || Cue::Please.is_in(text) && !says_something(reading)
}

/// Whether it is said whose figures they are.
fn says_who(reading: &Reading) -> bool {
    (0..reading.text.words.len()).any(|at| is_somebody(reading, at))
}

/// "we", "our": somebody of whom something is said.
fn is_somebody(reading: &Reading, at: usize) -> bool {
    let text = &reading.text;
    WE.contains(&text.words[at].lower.as_str()) || Cue::Possessive.at(text, at) > 0
}

/// "same again, but with 25 an hour" speaks of what was done, not of them.
fn repeats(reading: &Reading) -> bool {
    let begins = reading.opening();
    Cue::Again.at(&reading.text, begins) > 0
}

/// "could you book me a flight": what they want done is no fact either.
fn asks_a_favour(reading: &Reading) -> bool {
    const YOU: [&str; 10] = ["you", "u", "ya", "ты", "вы", "du", "ni", "i", "sie", "ihr"];
    let text = &reading.text;
    let begins = Cue::skip(&[Cue::Greeting], text, 0);
    let asked = Cue::Polite.at(text, begins);
    // Not the first word: "I want to" is not said to anybody, though "i" is "you" to Danes.
    (begins + 1..begins + asked).any(|at| text.is_one_of(at, &YOU))
}

/// "which would suit us? our aisles are narrow": beside the question there is a word about them.
fn tells_of_us(reading: &Reading) -> bool {
    let text = &reading.text;
    let stated = |at: usize| {
        let rest = &text.raw[text.words[at].end..];
        let end = rest.find(['.', '!', '?', '\n', ';']);
        !end.is_some_and(|end| rest[end..].starts_with('?'))
    };
    (0..text.words.len()).any(|at| is_somebody(reading, at) && stated(at))
}

/// Whether somebody is spoken of who is not asked: "we have …", "our floors …".
pub(in super::super) fn tells_of_somebody(reading: &Reading, begins: usize) -> bool {
    let text = &reading.text;
    let owner = |at: usize| Cue::Possessive.at(text, at) > 0;
    let subject = |at: usize| text.is_one_of(at, &WE[..2]) || text.is_one_of(at, &WE[6..]);
    (begins..text.words.len()).any(|at| owner(at) || subject(at))
}

/// Whether anything is said of somebody or something: who, how much, what it is like. "Next phase:
/// selection" says nothing.
fn says_something(reading: &Reading) -> bool {
    let text = &reading.text;
    let small = |at: usize| {
        let word = text.words[at].lower.as_str();
        let owner = Cue::Possessive.at(text, at) > 0;
        owner || WE.contains(&word) || Cue::Helping.at(text, at) > 0
    };
    let begins = reading.opening();
    !reading.numbers.is_empty() || (begins..text.words.len()).any(small)
}

/// "our people get 22 dollars": the verb is what somebody does, not what is to be done.
fn tells(reading: &Reading) -> bool {
    let begins = reading.opening();
    let behind = |word: usize| {
        let owner = Cue::Possessive.at(&reading.text, begins) > 0;
        word > begins && (owner || WE.contains(&reading.text.words[begins].lower.as_str()))
    };
    let head = reading.head.as_ref().and_then(|head| head.word);
    // "no, it's 3,400 a month": what was told before is put right.
    let no = Cue::No.at(&reading.text, begins);
    let corrects = no > 0 && Cue::Correction.at(&reading.text, begins + no) > 0;
    !reading.question && (corrects && !reading.numbers.is_empty() || head.is_some_and(behind))
}

/// Below this a message states nothing, by what was learned; from the other on it does.
const UNLIKELY: f32 = 0.2;
const LIKELY: f32 = 0.5;
const STATED: f32 = 0.9;

const WE: [&str; 12] = [
    "we", "i", "they", "he", "she", "it", "мы", "я", "vi", "jag", "jeg", "wir",
];
