//! Pasted blocks and attachments, which travel by handle.

use std::ops::Range;

use serde_json::Value;

use super::super::index::ToolIndex;
use super::super::lexicon::LEXICON;
use super::super::param::{Kind, Param};
use super::super::reading::Reading;
use super::super::recall;
use super::super::words::Text;
use super::Filling;

/// A block that is pasted after a colon or a line break is worth taking from here on.
const SHORTEST_BLOCK: usize = 20;
/// And where nothing says what it is.
const SHORTEST_UNCALLED: usize = 60;

impl<'a> Filling<'a> {
    pub(super) fn take_handles(&mut self) {
        // "GP-1 goes out (first photo), GP-2 is back (second photo)": each request has its own.
        let files = &self.sources.said.files;
        let text = &self.sources.reading.text;
        let mut words = text.words.iter();
        let place = words.find_map(|word| recall::place_of(&word.lower, files.len()));
        let place = place.unwrap_or(self.sources.memory.requests_before());
        let mut files = files.iter().skip(place.min(files.len().saturating_sub(1)));
        for param in self.open(|kind| matches!(kind, Kind::File)) {
            if let Some(number) = files.next() {
                self.set(param, Value::String(format!("file:{number}")));
            }
        }
        self.take_texts_by_handle();
        self.take_block();
        self.recall_block();
    }

    /// One text goes where a text is needed. Of several each goes where its own words say ("the second
    /// is last year's ad"); without such words only what is needed is filled, so that nothing lands in
    /// a place that nobody named.
    fn take_texts_by_handle(&mut self) {
        let texts = &self.sources.said.texts;
        let handle = |number: &u32| Value::String(format!("text:{number}"));
        if texts.len() < 2 {
            let open = self.open(|kind| matches!(kind, Kind::LongText));
            if let (Some(number), Some(param)) = (texts.first(), open.first()) {
                self.set(param, handle(number));
            }
            return;
        }
        let mut left = Vec::new();
        for (place, number) in texts.iter().enumerate() {
            let text = &self.sources.reading.text;
            let leads = &self.sources.said.leads;
            // What stands before all of them says nothing of the first alone.
            let together = leads.iter().skip(1).all(String::is_empty);
            let words = introducing(text, place, texts.len()).or_else(|| {
                let lead = leads.get(place).filter(|_| !together)?;
                let begin = text.raw.find(lead.as_str()).filter(|_| !lead.is_empty())?;
                Some(text.words_in(&(begin..begin + lead.len())))
            });
            let named = words.and_then(|words| self.long_text_named(words));
            match named {
                Some(param) => self.set(param, handle(number)),
                None => left.push(number),
            }
        }
        let open = self.open(|kind| matches!(kind, Kind::LongText));
        let required = open.into_iter().filter(|param| param.required);
        for (param, number) in required.zip(left) {
            self.set(param, handle(number));
        }
    }

    /// The one open parameter for a long text that these words call by its name, or else describe.
    fn long_text_named(&self, words: Range<usize>) -> Option<&'a Param> {
        let open = self.open(|kind| matches!(kind, Kind::LongText));
        named_in(self.tool, self.sources.reading, words, &open)
    }

    /// A short block, pasted below the message or, where one is needed, behind a colon in it.
    fn take_block(&mut self) {
        let open = self.open(|kind| matches!(kind, Kind::LongText));
        if let (Some(block), Some(param)) = (&self.sources.said.block, open.first())
            && param.fits(block)
        {
            self.set(param, Value::String(block.clone()));
            return;
        }
        let Some(param) = open.into_iter().find(|param| param.required) else {
            return;
        };
        let text = &self.sources.reading.text;
        let Some(at) = text.raw.find([':', '\n']) else {
            return;
        };
        let block = text.raw[at + 1..].trim();
        // "new role: Test Lead, make the profile": what is short must be called what is looked for.
        let label = text.words_in(&(0..at)).next_back();
        let called = label.is_some_and(|label| {
            let keys = &text.words[label].keys;
            let means = &self.sources.reading.meanings[label].concepts;
            let mut means = means.iter().map(|concept| LEXICON.key(*concept));
            keys.iter()
                .any(|key| param.labels.contains(key) || param.hints.contains(key))
                || means.any(|key| param.labels.contains(&key) || param.hints.contains(&key))
        });
        let shortest = if called {
            SHORTEST_BLOCK
        } else {
            SHORTEST_UNCALLED
        };
        if block.chars().count() < shortest || !param.fits(block) {
            return;
        }
        let span = at + 1..text.raw.len();
        self.take_span(span);
        self.set(param, Value::String(block.to_owned()));
    }

    /// A block that was pasted earlier, where one is needed.
    fn recall_block(&mut self) {
        let open = self.open(|kind| matches!(kind, Kind::LongText));
        let Some(param) = open.into_iter().find(|param| param.required) else {
            return;
        };
        let is_handle = |text: &str| text.starts_with("text:");
        let pasted = self.sources.memory.pasted();
        if let Some(pasted) = pasted.filter(|text| is_handle(text) || param.fits(text)) {
            self.filled.recalled.insert(param.name.clone());
            self.set(param, Value::String(pasted));
        }
    }
}

/// The words that say what the text at this place is: from "first", "the second" to the next of these.
fn introducing(text: &Text, place: usize, count: usize) -> Option<Range<usize>> {
    let places: Vec<(usize, usize)> = (0..text.words.len())
        .filter_map(|at| Some((at, recall::place_of(&text.words[at].lower, count)?)))
        .collect();
    let own = places.iter().position(|(_, named)| *named == place)?;
    let (begin, _) = places[own];
    // "transcript first, CV second": the place stands behind what is there.
    let clause = (0..begin)
        .rev()
        .find(|at| *at == 0 || text.starts_clause(*at));
    let last = begin + 1 >= text.words.len() || text.starts_clause(begin + 1);
    if let Some(clause) = clause.filter(|clause| last && !text.words[*clause].function) {
        return Some(clause..begin);
    }
    let next = places.get(own + 1).map_or(text.words.len(), |(at, _)| *at);
    let end = (begin + 1..next).find(|at| text.starts_sentence(*at));
    Some(begin + 1..end.unwrap_or(next))
}

/// The one of these parameters that the words name: by a word of its name that no other parameter
/// has, or else by most words of its description.
pub(in super::super) fn named_in<'p>(
    tool: &ToolIndex,
    reading: &Reading,
    words: Range<usize>,
    among: &[&'p Param],
) -> Option<&'p Param> {
    let keys = |at: usize| {
        let means = reading.meanings[at].concepts.iter();
        let means = means.map(|concept| LEXICON.key(*concept));
        let own = reading.text.words[at].keys.iter().cloned();
        own.chain(means).collect::<Vec<String>>()
    };
    let said: Vec<String> = words.flat_map(keys).collect();
    let called = |param: &Param| {
        let others = || tool.params.iter().filter(|other| other.name != param.name);
        let telling = |key: &&String| !others().any(|other| other.labels.contains(key));
        let labels = param.labels.iter().filter(telling);
        labels.filter(|key| said.contains(key)).count()
    };
    let described = |param: &Param| {
        let hints = param.hints.iter();
        hints.filter(|key| said.contains(key)).count()
    };
    only_best(among, &called).or_else(|| only_best(among, &described))
}

fn only_best<'p>(among: &[&'p Param], score: &dyn Fn(&Param) -> usize) -> Option<&'p Param> {
    let best = among.iter().map(|param| score(param)).max();
    let best = best.filter(|best| *best > 0)?;
    let mut found = among.iter().filter(|param| score(param) == best);
    let first = found.next()?;
    found.next().is_none().then_some(*first)
}
