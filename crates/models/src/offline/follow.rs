//! A message that goes on with the last call: another value in place of one ("no, Bob", "and in
//! Danish?"), or the same once more for something else ("and GP-2026-0012 as well").

use serde_json::{Map, Value};

use super::cues::Cue;
use super::dialogue::{Dialogue, Done, Entry, Said};
use super::fill::{Filled, followed, named_in};
use super::index::ToolIndex;
use super::lexicon::LEXICON;
use super::mood;
use super::param::{Kind, Param};
use super::plan::{Mind, Step};
use super::question;
use super::rank::is_looking;
use super::reading::{Reading, Term};
use super::recall::Memory;
use super::requests;
use super::words::{Text, keys};

/// The last call with what a message makes of it.
pub(super) struct Next {
    pub(super) tool: usize,
    pub(super) state: Filled,
    /// Nothing is taken back: what was ordered is ordered once more.
    is_more: bool,
}

/// How a message begins that goes on with what was said before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opening {
    /// "no, …", "sorry, I meant …"
    Corrects,
    /// "and …", "… too", "what about …"
    Adds,
    /// "in German, please": nothing but values.
    Bare,
}

/// So many words with nothing but values in them need no "and" before them.
const SHORT: usize = 6;

impl Mind<'_> {
    /// Reads and drafts are done again. Any other write is done once more where the message says
    /// so, and asked about where it would take the first one back.
    pub(super) fn follow_up(&self, said: &Said) -> Option<Vec<Step>> {
        let next = self.followed(self.dialogue, said)?;
        let def = self.tool(next.tool);
        if def.writes && !def.drafts && !next.is_more {
            let asked = question::confirm(def, &next.state, self.language);
            return Some(vec![Step::Say(asked)]);
        }
        Some(self.calls(next.tool, next.state))
    }

    /// What a message makes of the last call; `None` where it is about something else.
    pub(super) fn followed(&self, dialogue: &Dialogue, said: &Said) -> Option<Next> {
        let last = last_call(dialogue)?;
        let tool = self.index.by_name(&last.name)?;
        if let Some(next) = self.with_handle(tool, last, said) {
            return Some(next);
        }
        // "we take Orlov" goes on with no comparison where the list knows what it means.
        if self.is_plainly_another(tool, said) {
            return None;
        }
        let text = Text::in_language(&said.text, Some(self.language));
        // "it should be in German, the manager sits in Hamburg": what follows says why.
        let mut ends: Vec<usize> = (1..text.words.len())
            .filter(|at| text.starts_clause(*at))
            .map(|at| text.words[at].start)
            .collect();
        ends.push(text.raw.len());
        // What is written is told of all that was said.
        let def = self.tool(tool);
        let alters = def.writes && !def.drafts;
        let whole = ends.len() - 1;
        let ends = ends.into_iter().skip(if alters { whole } else { 0 }).rev();
        // What is left out may say why, and has no value of its own.
        let reading = self.read(&said.text);
        let values = reading.numbers.iter().map(|number| number.span.start);
        let values = values.chain(reading.codes.iter().map(|code| code.span.start));
        let last_value = values
            .chain(reading.quotes.iter().map(|quote| quote.start))
            .max();
        let mut parts = ends
            .filter(|end| last_value.is_none_or(|value| value < *end))
            .map(|end| &text.raw[..end]);
        parts.find_map(|part| self.with_part(tool, last, part, dialogue, said))
    }

    /// Whether a message that does not go on from anything is as good as a sentence about another tool.
    fn is_plainly_another(&self, tool: usize, said: &Said) -> bool {
        let reading = self.read(&said.text);
        let text = &reading.text;
        let goes_on = [Cue::Join, Cue::About, Cue::Correction, Cue::Again, Cue::No];
        let goes_on = goes_on.iter().any(|cue| cue.at(text, 0) > 0);
        let mut terms = reading.terms.iter().map(|term| term.word);
        let says = terms.any(|at| !reading.is_value(at) && !text.is_capitalised(at));
        !goes_on && says && self.plainly(&said.text).is_some_and(|other| other != tool)
    }

    /// "forgot her CV, do it over with this": the last call once more, with what is handed over now in the
    /// place that the words name. What was handed over before stays where it is.
    fn with_handle(&self, tool: usize, last: &Done, said: &Said) -> Option<Next> {
        let def = self.tool(tool);
        let reading = self.read(&said.text);
        if let Some(next) = self.with_other_text(tool, last, said, &reading) {
            return Some(next);
        }
        if !Cue::Redo.is_in(&reading.text) || reading.question {
            return None;
        }
        let is_free = |param: &&Param| !last.arguments.contains_key(&param.name);
        let (handle, free): (String, Vec<&Param>) =
            match (said.texts.as_slice(), said.files.as_slice()) {
                ([text], []) => {
                    let long = |param: &&Param| matches!(param.kind, Kind::LongText);
                    let free = def.params.iter().filter(long).filter(is_free);
                    (format!("text:{text}"), free.collect())
                }
                ([], [file]) => {
                    let files = |param: &&Param| matches!(param.kind, Kind::File);
                    let free = def.params.iter().filter(files).filter(is_free);
                    (format!("file:{file}"), free.collect())
                }
                _ => return None,
            };
        let words = 0..reading.text.words.len();
        let param = named_in(def, &reading, words, &free)?;
        let mut values = last.arguments.clone();
        values.insert(param.name.clone(), Value::String(handle));
        let state = Filled {
            values,
            ..Filled::default()
        };
        state.missing(def).is_empty().then_some(Next {
            tool,
            state,
            is_more: false,
        })
    }

    /// "do them for him as well": the same draft from the one text that is handed over now.
    fn with_other_text(
        &self,
        tool: usize,
        last: &Done,
        said: &Said,
        reading: &Reading,
    ) -> Option<Next> {
        let def = self.tool(tool);
        let held = |param: &&Param| {
            let given = last.arguments.contains_key(&param.name);
            matches!(param.kind, Kind::LongText) && given
        };
        let held: Vec<&Param> = def.params.iter().filter(held).collect();
        let ([text], [], [param]) = (
            said.texts.as_slice(),
            said.files.as_slice(),
            held.as_slice(),
        ) else {
            return None;
        };
        let again = Cue::Again.is_in(&reading.text) && reading.text.words.len() <= 2 * SHORT;
        // Who is named now is another one than the one before.
        let named = reading.names > 0 || !reading.numbers.is_empty();
        let others = def
            .params
            .iter()
            .any(|param| matches!(param.kind, Kind::Name));
        if !def.drafts || !again || named || others {
            return None;
        }
        let mut values = last.arguments.clone();
        values.insert(param.name.clone(), Value::String(format!("text:{text}")));
        let state = Filled {
            values,
            ..Filled::default()
        };
        Some(Next {
            tool,
            state,
            is_more: true,
        })
    }

    fn with_part(
        &self,
        tool: usize,
        last: &Done,
        part: &str,
        dialogue: &Dialogue,
        said: &Said,
    ) -> Option<Next> {
        let def = self.tool(tool);
        let reading = self.read(part.trim_end_matches([' ', ',', ';']));
        let whole = part.len() == said.text.len();
        let opening = self.opening_of(&reading, def, whole)?;
        let memory = Memory::new(dialogue);
        let now = followed(def, &last.arguments, self.sources(&reading, said, &memory));
        let now = beside_texts(def, last, &reading, now)?;
        // "of those, who …": whatever else is said, it narrows down what was shown.
        let narrows = !def.writes && whole && Cue::About.is_in(&reading.text);
        let explained = narrows || self.is_explained(tool, &reading, &now, last);
        // "no, Copenhagen, and only an hour": whoever or whatever is named must have found a place.
        let named = reading.named(self.index).into_iter();
        let mut lost = named.filter(|name| !super::spans::is_among(&now.taken, &name.span));
        if now.values.is_empty() || !explained || def.writes && lost.next().is_some() {
            return None;
        }
        let doubtful = mood::doubt(&reading, &now.taken_freely()).is_some();
        let mut values = last.arguments.clone();
        for name in now.values.keys() {
            // Of what must be there and what must not, the newer one counts.
            let twin = def.param(name).and_then(|param| param.twin_in(&def.params));
            if let Some(twin) = twin.filter(|twin| values.get(&twin.name) == now.values.get(name)) {
                values.remove(&twin.name);
            }
        }
        for (name, value) in &now.values {
            // "and Dmitry": one more of those who are compared.
            let least = def.param(name).map_or(0, |param| param.least_items);
            match (values.get_mut(name), value) {
                (Some(Value::Array(all)), Value::Array(more)) if more.len() < least => {
                    let new = more.iter().filter(|one| !all.contains(one)).cloned();
                    let new: Vec<Value> = new.collect();
                    all.extend(new);
                }
                (Some(_) | None, _) => {
                    values.insert(name.clone(), value.clone());
                }
            }
        }
        let is_more = opening == Opening::Adds && !doubtful;
        let state = Filled { values, ..now };
        (state.values != last.arguments && state.missing(def).is_empty()).then_some(Next {
            tool,
            state,
            is_more,
        })
    }

    /// How the message goes on with the last call, if it may.
    fn opening_of(&self, reading: &Reading, def: &ToolIndex, whole: bool) -> Option<Opening> {
        const LEADS: [Cue; 8] = [
            Cue::Greeting,
            Cue::Yes,
            Cue::Polite,
            Cue::Join,
            Cue::No,
            Cue::Correction,
            Cue::About,
            Cue::Again,
        ];
        let text = &reading.text;
        let begins = Cue::skip(&LEADS, text, 0);
        let led = |cue: Cue| (0..begins).any(|at| cue.at(text, at) > 0);
        // "28, not 31"
        let denies = |at: usize| Cue::Negation.at(text, at) > 0 && reading.is_value(at + 1);
        let swapped = reading.numbers.len() == 2 && (1..text.words.len()).any(denies);
        let denied = Cue::Negation.at(text, 0) > 0;
        let corrects = led(Cue::No) || led(Cue::Correction) || denied || swapped;
        let narrows = !def.writes && Cue::About.is_in(text);
        let adds =
            Cue::Join.at(text, 0) > 0 || led(Cue::About) || Cue::Again.is_in(text) || narrows;
        let opening = match (corrects, adds) {
            (true, _) => Opening::Corrects,
            (false, true) => Opening::Adds,
            (false, false) => Opening::Bare,
        };
        // "and when did they leave?" asks about what was shown.
        let lack = LEXICON.named("lack");
        let mut means = reading.meanings.iter().flat_map(|one| &one.concepts);
        let lacks = means.any(|concept| Some(*concept) == lack);
        let asks_on = requests::goes_on(text, begins) && !lacks;
        let parted = mood::opens_parted_verb(text, begins);
        let ordered = parted
            || reading.head.as_ref().is_some_and(|head| {
                let looks = is_looking(&head.actions) && opening != Opening::Bare;
                let listed = def.params.iter().any(|param| param.least_items > 1);
                let adds = listed && !def.writes && Cue::More.is_in(text);
                head.word.is_some_and(|word| word >= begins) && head.command && !looks && !adds
            });
        let listens = self.index.tools.iter().any(|tool| tool.listens.is_some());
        let tells = listens && !reading.question && super::plan::tells_of_somebody(reading, begins);
        let bare = opening == Opening::Bare;
        let long = bare && (text.words.len() > SHORT || !whole);
        // Bare values order no change, and a question looks for what it names.
        let idle = bare && (def.writes && !def.drafts || Cue::Question.at(text, begins) > 0);
        let blocked = asks_on || ordered || tells || long || idle;
        (!blocked).then_some(opening)
    }

    /// Whether all that was said is a value, a word of the tool's own, or of its last call.
    fn is_explained(&self, tool: usize, reading: &Reading, now: &Filled, last: &Done) -> bool {
        let def = self.tool(tool);
        let known: Vec<String> = words_in(&last.arguments);
        let taken = |term: &Term| {
            let word = reading.text.words[term.word].span();
            super::spans::is_among(&now.taken, &word)
        };
        let own = |term: &Term| {
            let points = |key: &String| self.index.points_to(key, tool, OWN);
            let called = |key: &String| {
                let mut params = def.params.iter();
                params.any(|param| param.labels.contains(key) || param.hints.contains(key))
            };
            let mut keys = term.keys.iter().map(|(key, _)| key);
            keys.any(|key| points(key) || called(key) || known.contains(key))
        };
        let small = |term: &Term| {
            let cues = [
                Cue::Polite,
                Cue::Correction,
                Cue::Again,
                Cue::Thanks,
                Cue::About,
                Cue::More,
            ];
            let text = &reading.text;
            let said = |cue: &Cue| {
                cue.at(text, term.word) > 0 || {
                    let before = term.word.saturating_sub(1);
                    cue.at(text, before) > 1
                }
            };
            cues.iter().any(said)
        };
        let mut terms = reading.terms.iter();
        terms.all(|term| taken(term) || own(term) || small(term))
    }
}

/// A text that is handed over now goes where its words say, and not in place of another, as long as the
/// tool takes one more. `None` where nothing says which.
fn beside_texts(
    def: &ToolIndex,
    last: &Done,
    reading: &Reading,
    mut now: Filled,
) -> Option<Filled> {
    let texts = || {
        let long = |param: &&Param| matches!(param.kind, Kind::LongText);
        def.params.iter().filter(long)
    };
    let held = |param: &&Param| last.arguments.contains_key(&param.name);
    let free: Vec<&Param> = texts().filter(|param| !held(param)).collect();
    let replaced = texts().filter(held);
    // What is only remembered was not handed over now.
    let is_new = |name: &String| now.values.contains_key(name) && !now.recalled.contains(name);
    let replaced = replaced.filter(|param| is_new(&param.name));
    let replaced: Vec<&Param> = replaced.collect();
    if free.is_empty() || !def.writes {
        return Some(now);
    }
    for param in replaced {
        let named = named_in(def, reading, 0..reading.text.words.len(), &free)?;
        if let Some(value) = now.values.remove(&param.name) {
            now.values.insert(named.name.clone(), value);
        }
    }
    Some(now)
}

/// A word that points to a tool less than this is not its own.
const OWN: f32 = 0.3;

/// The call of the turn before, if it made one.
fn last_call(dialogue: &Dialogue) -> Option<&Done> {
    let mut before = dialogue.before.iter().rev();
    before.find_map(|entry| match entry {
        Entry::Call(done) => Some(Some(done)),
        Entry::Person(_) => Some(None),
        Entry::Answer(_) => None,
    })?
}

fn words_in(arguments: &Map<String, Value>) -> Vec<String> {
    let texts = arguments.values().filter_map(Value::as_str);
    let words = texts.flat_map(|text| Text::new(text).words);
    words.flat_map(|word| keys(&word.lower)).collect()
}
