//! A request as the index sees it: its words that carry meaning, the values in it, and
//! the word that says what is to be done.

use std::ops::Range;

use super::cues::Cue;
use super::index::{Index, ToolIndex, keys_of};
use super::language::Language;
use super::lexicon::{Concept, LEXICON, Meaning};
use super::mood;
use super::rank;
use super::values::pattern::Found;
use super::values::when::{Clock, When};
use super::values::{names, numbers};
use super::words::{Text, Word};

pub(super) struct Reading {
    pub(super) text: Text,
    pub(super) meanings: Vec<Meaning>,
    pub(super) terms: Vec<Term>,
    pub(super) head: Option<Head>,
    /// Codes of a declared shape, whichever tool declares it.
    pub(super) codes: Vec<Found>,
    pub(super) when: When,
    pub(super) numbers: Vec<numbers::Number>,
    pub(super) quotes: Vec<Range<usize>>,
    /// Words with a capital that no tool knows.
    pub(super) names: usize,
    /// There are words that neither a tool nor the lexicon knows.
    pub(super) has_unknown: bool,
    /// Something is asked about rather than asked for.
    pub(super) question: bool,
}

/// A word that carries meaning and is no value.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) word: usize,
    pub(super) keys: Vec<(String, f32)>,
    /// Below 1 when the word had to be guessed from a slip.
    pub(super) quality: f32,
    /// The word as it was meant, in lower case.
    pub(super) lower: String,
}

/// The word that says what is to be done.
#[derive(Clone, Debug)]
pub(super) struct Head {
    /// `None` where it only follows from the question.
    pub(super) word: Option<usize>,
    pub(super) actions: Vec<Concept>,
    /// The word as it was meant.
    pub(super) lower: String,
    /// It has the form of a command; "approved" has not.
    pub(super) command: bool,
}

/// A word that points this strongly to a tool is part of a request, not of a name.
const OWN_WORD: f32 = 0.7;

/// Words for one that is not known yet.
pub(super) const ONE: [&str; 12] = [
    "a",
    "an",
    "another",
    "en",
    "ett",
    "et",
    "ein",
    "eine",
    "einen",
    "новый",
    "один",
    "ny",
];

/// So many slips are put right; a text with more is not in a language known here.
const MOST_SLIPS: usize = 12;

impl Reading {
    pub(super) fn new(
        index: &Index,
        raw: &str,
        language: Option<Language>,
        clock: Option<&Clock>,
    ) -> Self {
        let text = Text::in_language(raw, language);
        let meanings = LEXICON.read(&text);
        let codes = codes(index, &text);
        let when = When::find(&text, clock);
        let quotes = names::quotes(&text.raw);
        let numbers: Vec<numbers::Number> = numbers::find_all(&text)
            .into_iter()
            .filter(|n| !codes.iter().any(|code| overlaps(&code.span, &n.span)))
            // "in 3 days" may be a day or how long something takes.
            .filter(|n| {
                let mut days = when.days.iter();
                n.unit.is_some() || !days.any(|day| overlaps(&day.span, &n.span))
            })
            .filter(|n| !when.times.iter().any(|time| overlaps(&time.span, &n.span)))
            .collect();
        let mut reading = Self {
            text,
            meanings,
            terms: Vec::new(),
            head: None,
            codes,
            when,
            numbers,
            quotes,
            names: 0,
            has_unknown: false,
            question: false,
        };
        reading.question = mood::is_question(&reading.text) && !reading.orders_by_asking(index);
        reading.find_terms(index);
        let asks_to_see = reading.asked_to_see();
        reading.head = match (reading.find_head(index), asks_to_see) {
            // "Should I approve …?" is no order to approve.
            (Some(head), Some(see)) if !only_writes(index, &head) => {
                if head.actions.is_empty() {
                    Some(see)
                } else {
                    Some(head)
                }
            }
            (_, Some(see)) => Some(see),
            (head, None) => head,
        };
        let known = |at: usize| reading.is_known(index, at) || reading.begins_with_meaning(at);
        let names = names::capitalised(&reading.text, &known, &|at| reading.is_value(at));
        reading.names = names.len();
        reading.has_unknown = reading.terms.iter().any(|term| {
            let named = names.iter().any(|name| name.words.contains(&term.word));
            let known = |(key, _): &(String, f32)| !index.tools_by(key).is_empty();
            let head = reading
                .head
                .as_ref()
                .is_some_and(|head| head.word == Some(term.word));
            let common = !reading.meanings[term.word].concepts.is_empty();
            !named && !head && !common && !term.keys.iter().any(known)
        });
        reading
    }

    /// "What do you think of this text?", "How does it look? Make a report": what is asked first
    /// only leads to what is wanted.
    fn orders_by_asking(&self, index: &Index) -> bool {
        let orders = |at: usize| {
            let commands = self.meanings.get(at).map(|meaning| &meaning.commands);
            let mut commands = commands.into_iter().flatten();
            commands.any(|c| {
                let mut doing = index.tools.iter().filter(|tool| tool.actions.contains(c));
                doing.any(|tool| tool.writes)
            })
        };
        let text = &self.text;
        let begins = Cue::skip(&[Cue::Greeting], text, 0);
        let opinion = self
            .meanings
            .get(begins)
            .is_some_and(|meaning| meaning.phrase && orders(begins));
        let after = text.raw.rfind('?').map_or(0, |at| at + 1);
        let next = text.words.partition_point(|word| word.start < after);
        let next = Cue::skip(&[Cue::Polite, Cue::Join], text, next);
        let goes_on = after > 0 && next < text.words.len() && orders(next);
        opinion || goes_on
    }

    /// A question is an order to look.
    fn asked_to_see(&self) -> Option<Head> {
        self.question.then(|| Head {
            word: None,
            actions: LEXICON.named("show").into_iter().collect(),
            lower: String::new(),
            command: false,
        })
    }

    /// Whether a sentence begins here with a phrase that means something: no name.
    pub(super) fn begins_with_meaning(&self, at: usize) -> bool {
        let meaning = &self.meanings[at];
        self.text.starts_sentence(at) && (meaning.phrase || !meaning.commands.is_empty())
    }

    /// Whether some tool uses this word for what it is about.
    pub(super) fn is_known(&self, index: &Index, at: usize) -> bool {
        let Some(term) = self.terms.iter().find(|term| term.word == at) else {
            return false;
        };
        let points = |key: &String| {
            index
                .tools_by(key)
                .iter()
                .any(|(_, weight)| *weight >= OWN_WORD)
        };
        self.head.as_ref().is_some_and(|head| head.word == Some(at))
            || term.keys.iter().any(|(key, _)| points(key))
    }

    /// Whether a question is about the one who is named, rather than about who has to do with
    /// the named thing ("who knows SQL?").
    pub(super) fn asks_about_one(&self) -> bool {
        const WHOSE: [&str; 19] = [
            "which",
            "whose",
            "whom",
            "anyone",
            "anybody",
            "any",
            "кого",
            "кому",
            "какие",
            "какой",
            "какая",
            "vilka",
            "vilken",
            "hvilke",
            "hvilken",
            "welche",
            "welcher",
            "wem",
            "wessen",
        ];
        const WHO: [&str; 5] = ["who", "кто", "vem", "hvem", "wer"];
        let words = &self.text.words;
        let begins = Cue::skip(&[Cue::Greeting, Cue::Polite], &self.text, 0);
        let mut first = words.iter().skip(begins).take(2);
        let asks = |word: &Word| WHOSE.contains(&word.lower.as_str());
        let who = words
            .get(begins)
            .is_some_and(|word| WHO.contains(&word.lower.as_str()));
        // "who is Ali Khan?"
        let is_it = (begins + 1..words.len())
            .find(|at| !words[*at].function)
            .is_some_and(|at| {
                self.text.is_capitalised(at) && self.meanings[at].concepts.is_empty()
            })
            && !(begins..words.len()).any(|at| Cue::Negation.at(&self.text, at) > 0);
        self.question && self.names == 1 && !first.any(asks) && (!who || is_it)
    }

    /// Whether nothing but names was said.
    pub(super) fn is_only_names(&self) -> bool {
        let capital = |term: &Term| self.text.is_capitalised(term.word);
        self.names > 0 && !self.has_unknown && self.head.is_none() && self.terms.iter().all(capital)
    }

    /// Whether this word belongs to a day or a time.
    pub(super) fn is_moment(&self, at: usize) -> bool {
        let Some(word) = self.text.words.get(at) else {
            return false;
        };
        let span = word.start..word.end;
        let days = self.when.days.iter().map(|day| &day.span);
        let times = self.when.times.iter().map(|time| &time.span);
        days.chain(times).any(|other| overlaps(other, &span))
    }

    /// Whether a word is small, a value, or used by some tool.
    pub(super) fn is_plain(&self, index: &Index, at: usize) -> bool {
        let term = self.terms.iter().find(|term| term.word == at);
        let known = |(key, _): &(String, f32)| !index.tools_by(key).is_empty();
        term.is_none_or(|term| term.keys.iter().any(known))
    }

    /// Whether a short word was only guessed: too little to take a value from.
    pub(super) fn is_slip(&self, at: usize) -> bool {
        const LONG: usize = 6;
        let term = self.terms.iter().find(|term| term.word == at);
        term.is_some_and(|term| term.quality < 1.0 && term.lower.chars().count() < LONG)
    }

    /// Whether this word belongs to a value that was recognised by its shape.
    pub(super) fn is_value(&self, word: usize) -> bool {
        let Some(word) = self.text.words.get(word) else {
            return false;
        };
        let span = word.start..word.end;
        let inside = |other: &Range<usize>| overlaps(other, &span);
        self.codes.iter().any(|code| inside(&code.span))
            || self.when.days.iter().any(|day| inside(&day.span))
            || self.when.times.iter().any(|time| inside(&time.span))
            || self.numbers.iter().any(|number| inside(&number.digits))
            || self.quotes.iter().any(inside)
    }

    fn find_terms(&mut self, index: &Index) {
        let mut slips = 0;
        for at in 0..self.text.words.len() {
            if self.is_value(at) {
                continue;
            }
            let word = &self.text.words[at];
            let keys = keys_of(word, &self.meanings[at]);
            // "en" and "de" are articles before they are languages.
            if keys.is_empty() || ["en", "de", "no", "da"].contains(&word.lower.as_str()) {
                continue;
            }
            let known = keys.iter().any(|(key, _)| !index.tools_by(key).is_empty())
                || !self.meanings[at].concepts.is_empty();
            let name = self.text.is_capitalised(at) && !self.text.starts_sentence(at);
            let as_written = Term {
                word: at,
                keys,
                quality: 1.0,
                lower: word.lower.clone(),
            };
            if known || slips >= MOST_SLIPS {
                self.terms.push(as_written);
                continue;
            }
            if name {
                // In German every noun has a capital.
                let noun = self.text.language == Some(Language::German);
                let parts = noun.then(|| self.compound(index, at)).flatten();
                self.terms.push(parts.unwrap_or(as_written));
                continue;
            }
            slips += 1;
            let term = self.compound(index, at).or_else(|| self.guessed(index, at));
            self.terms.push(term.unwrap_or(as_written));
        }
    }

    /// "kalenderinbjudan", "Interviewfragen": a word that is put together says what its parts
    /// say, the last of them above all.
    fn compound(&mut self, index: &Index, at: usize) -> Option<Term> {
        const LEAST_PART: usize = 4;
        const QUALITY: f32 = 0.9;
        let language = self.text.language;
        let joins = matches!(
            language,
            Some(Language::Swedish | Language::Danish | Language::Norwegian | Language::German)
        );
        if !joins {
            return None;
        }
        let lower = self.text.words[at].lower.clone();
        let meant = |part: &str| {
            let text = Text::in_language(part, language);
            let meaning = LEXICON.read(&text).pop()?;
            let keys = keys_of(text.words.first()?, &meaning);
            let known = keys.iter().any(|(key, _)| !index.tools_by(key).is_empty());
            (known && !text.words.first()?.function).then_some((keys, meaning))
        };
        let cuts = lower.char_indices().map(|(cut, _)| cut).skip(3);
        let long = |cut: &usize| lower[*cut..].chars().count() >= LEAST_PART;
        let (cut, (mut keys, mut meaning)) = cuts
            .take_while(long)
            .find_map(|cut| Some((cut, meant(&lower[cut..])?)))?;
        let first = lower[..cut].trim_end_matches('-');
        let first = meant(first).or_else(|| meant(first.strip_suffix(['s', 'e'])?));
        keys.extend(first.into_iter().flat_map(|(keys, _)| keys));
        meaning.commands.clear();
        self.meanings[at] = meaning;
        Some(Term {
            word: at,
            keys,
            quality: QUALITY,
            lower,
        })
    }

    /// What a word was meant to be, if it is near one that is known.
    fn guessed(&mut self, index: &Index, at: usize) -> Option<Term> {
        let lower = self.text.words[at].lower.clone();
        let own = index.vocabulary.nearest(&lower);
        let common = LEXICON.vocabulary.nearest(&lower);
        let near = match (own, common) {
            (Some(own), Some(common)) if common.quality > own.quality => common,
            (Some(own), _) => own,
            (None, Some(common)) => common,
            (None, None) => return None,
        };
        let meant = Text::new(near.word);
        let meaning = LEXICON.read(&meant).pop()?;
        let keys = keys_of(meant.words.first()?, &meaning);
        let lower = near.word.to_owned();
        let quality = near.quality;
        self.meanings[at] = meaning;
        self.text.words[at]
            .keys
            .extend(meant.words.first()?.keys.clone());
        Some(Term {
            word: at,
            keys,
            quality,
            lower,
        })
    }

    /// The first word that asks for something some tool does; a mere wish counts where
    /// there is no such word.
    fn find_head(&self, index: &Index) -> Option<Head> {
        let mut wish: Option<Head> = None;
        let begins = Cue::skip(&[Cue::Greeting, Cue::Polite], &self.text, 0);
        let orders = |term: &&Term| term.word >= begins && !self.points_to_file(term.word);
        for term in self.terms.iter().filter(orders) {
            match self.head_at(index, term) {
                Some(head) if head.actions.iter().any(|a| LEXICON.name(*a) == "need") => {
                    // Behind other matters, "new" and its like wish for nothing.
                    let opens = (0..term.word)
                        .all(|at| self.is_plain(index, at) || self.text.is_capitalised(at));
                    wish = wish.or(opens.then(|| as_creation(head)));
                }
                Some(head)
                    if rank::is_looking(&head.actions) && self.asks_for_one(index, &head) =>
                {
                    return Some(as_creation(head));
                }
                Some(head) => return Some(head),
                None => {}
            }
        }
        wish.or_else(|| self.wish_for_one(index))
    }

    /// "get him a pass": the thing that is handed over is a new one.
    fn asks_for_one(&self, index: &Index, head: &Head) -> bool {
        let hands_over = ["get", "give", "grant", "write", "do"].contains(&head.lower.as_str());
        let behind = head.word.map_or(0, |at| at + 1);
        let one = (behind..self.text.words.len())
            .take_while(|at| self.text.words[*at].function)
            .find(|at| ONE.contains(&self.text.words[*at].lower.as_str()));
        hands_over && one.is_some_and(|at| self.is_made(index, at + 1))
    }

    /// "start a pass for Bob": whatever the verb, one that is not there yet.
    fn wish_for_one(&self, index: &Index) -> Option<Head> {
        const REACH: usize = 3;
        let one = (0..self.text.words.len().min(REACH))
            .find(|at| ONE.contains(&self.text.words[*at].lower.as_str()))?;
        let made = self.codes.is_empty() && !self.question && self.is_made(index, one + 1);
        let verb = self.terms.first().map(|term| term.word);
        made.then(|| Head {
            word: verb.filter(|at| *at < one),
            actions: LEXICON.named("create").into_iter().collect(),
            lower: String::new(),
            command: false,
        })
    }

    /// Whether the thing named here is made by some tool, and nothing but it is named.
    fn is_made(&self, index: &Index, at: usize) -> bool {
        let Some(term) = self.terms.iter().find(|term| term.word >= at) else {
            return false;
        };
        let near = (at..term.word).all(|word| self.text.words[word].function);
        let create = LEXICON.named("create");
        let makes = |tool: &ToolIndex| {
            let creates = create.is_some_and(|create| tool.actions.contains(&create));
            let mut names = tool.name_terms.iter().flatten();
            let named = names.any(|name| term.keys.iter().any(|(key, _)| key == name));
            tool.writes && creates && named
        };
        near && index.tools.iter().any(makes)
    }

    /// "…, see the picture": the end of a sentence that only points to what is attached.
    fn points_to_file(&self, at: usize) -> bool {
        let length = Cue::Attached.at(&self.text, at);
        let end = at + length;
        length > 0
            && (end == self.text.words.len()
                || self
                    .text
                    .gap_before(end)
                    .contains([',', '.', ';', '!', '\n']))
    }

    fn head_at(&self, index: &Index, term: &Term) -> Option<Head> {
        let at = term.word;
        let meaning = &self.meanings[at];
        if Cue::Negation.at(&self.text, at) > 0 || self.is_described(at) {
            return None;
        }
        let useful = |concept: &&Concept| {
            index.offers_action(**concept)
                || ["need", "show", "find"].contains(&LEXICON.name(**concept))
        };
        let actions: Vec<Concept> = meaning.commands.iter().filter(useful).copied().collect();
        if !actions.is_empty() {
            return Some(Head {
                word: Some(at),
                actions,
                lower: term.lower.clone(),
                command: true,
            });
        }
        let is_head = index.has_verb(&term.lower);
        let opens = self.opens_at(at);
        (is_head && opens).then(|| Head {
            word: Some(at),
            actions: meaning
                .concepts
                .iter()
                .filter(|c| LEXICON.is_action(**c))
                .copied()
                .collect(),
            lower: term.lower.clone(),
            command: true,
        })
    }

    /// "the open tickets", "all open tickets": after an article a word is no command, nor is
    /// it one in "it is hard to find people".
    fn is_described(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        let opens_with_it = self.text.words[0].lower == "it";
        if opens_with_it && self.text.words[before].lower == "to" {
            return true;
        }
        let articles = [
            "the", "a", "an", "any", "some", "these", "those", "der", "die", "das", "den", "de",
            "det", "ett", "en",
        ];
        let article = articles.contains(&self.text.words[before].lower.as_str());
        let word = article
            || Cue::Possessive.at(&self.text, before) > 0
            || Cue::Everything.at(&self.text, before) > 0;
        word && self.text.gap_before(at) == " "
    }

    /// Whether nothing but politeness and values stands before this word.
    fn opens_at(&self, at: usize) -> bool {
        (0..at).all(|before| {
            let word = &self.text.words[before];
            word.function || self.is_value(before) || Cue::Polite.at(&self.text, before) > 0
        })
    }
}

/// Whether nothing but writing tools does what this word says.
fn only_writes(index: &Index, head: &Head) -> bool {
    let mut doing = index
        .tools
        .iter()
        .filter(|tool| head.actions.iter().any(|a| tool.actions.contains(a)))
        .peekable();
    doing.peek().is_some() && doing.all(|tool| tool.writes)
}

fn as_creation(head: Head) -> Head {
    Head {
        actions: LEXICON.named("create").into_iter().collect(),
        ..head
    }
}

fn codes(index: &Index, text: &Text) -> Vec<Found> {
    let mut codes: Vec<Found> = Vec::new();
    for pattern in &index.patterns {
        for found in pattern.find_all(text) {
            if codes.iter().all(|code| !overlaps(&code.span, &found.span)) {
                codes.push(found);
            }
        }
    }
    codes.sort_by_key(|code| code.span.start);
    codes
}

pub(super) fn overlaps(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}
