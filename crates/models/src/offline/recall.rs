//! What the conversation already holds: values in the person's earlier words and in
//! results that they were shown.

use serde_json::{Map, Value};

use super::dialogue::{Dialogue, Done, Entry, Said};
use super::index::Index;
use super::language::Language;
use super::param::{Kind, Param};
use super::reading::Reading;
use super::words::{Text, normal};

/// What is remembered for a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Recalled {
    Nothing,
    One(String),
    /// Several were seen last; the person must say which.
    Several(Vec<String>),
}

pub(super) struct Memory<'a> {
    dialogue: &'a Dialogue,
    /// Requests that stand before this one in the same message.
    earlier: &'a [String],
}

/// Results are searched this far; longer ones are long lists.
const MOST_LEAVES: usize = 4_000;
/// Longer texts are no names.
const LONGEST_NAME: usize = 4;
/// A value that was spoken of this many entries ago is no longer "it".
const FRESH_ENTRIES: usize = 8;
/// Whoever was spoken of in so many exchanges may be meant by "her".
const LAST_EXCHANGES: usize = 3;

impl<'a> Memory<'a> {
    pub(super) fn new(dialogue: &'a Dialogue) -> Self {
        Self {
            dialogue,
            earlier: &[],
        }
    }

    pub(super) fn after(self, earlier: &'a [String]) -> Self {
        Self { earlier, ..self }
    }

    /// How many requests stand before this one in the same message.
    pub(super) fn requests_before(&self) -> usize {
        self.earlier.len()
    }

    /// The value last spoken of. Where the words point at one row of a list ("the second
    /// one", "Bob's"), the value in that row.
    pub(super) fn recall(
        &self,
        param: &Param,
        reading: &Reading,
        taken: &dyn Fn(usize) -> bool,
        writes: bool,
    ) -> Recalled {
        if let Some(value) = self.pointed_at(param, reading, taken) {
            return Recalled::One(value);
        }
        match self.last_seen(param) {
            // To look at the last one costs nothing; what is written must be meant.
            Recalled::One(value) if writes && self.earlier.is_empty() => {
                let named = self.named_lately(param);
                let unsure = named.len() > 1 && named.contains(&value);
                if unsure {
                    Recalled::Several(named)
                } else {
                    Recalled::One(value)
                }
            }
            seen @ (Recalled::One(_) | Recalled::Several(_) | Recalled::Nothing) => seen,
        }
    }

    fn last_seen(&self, param: &Param) -> Recalled {
        for mut values in self.sightings(param) {
            let mut seen = Vec::new();
            values.retain(|value| {
                let new = !seen.contains(value);
                seen.push(value.clone());
                new
            });
            match values.len() {
                0 => {}
                1 => return Recalled::One(values.remove(0)),
                _ => return Recalled::Several(values),
            }
        }
        Recalled::Nothing
    }

    /// "and 0056": the last figures of a code stand for all of it, behind those that were spoken of.
    pub(super) fn completed(&self, param: &Param, figures: &str) -> Option<String> {
        let pattern = param.kind.pattern()?;
        let completed = |known: String| {
            let (lead, last) = known.rsplit_once('-')?;
            let whole = format!("{lead}-{figures}");
            (last.len() == figures.len() && pattern.is_match(&whole)).then_some(whole)
        };
        let mut ones: Vec<String> = Vec::new();
        for one in self.sightings(param).flatten().filter_map(completed) {
            if !ones.contains(&one) {
                ones.push(one);
            }
        }
        (ones.len() == 1).then(|| ones.remove(0))
    }

    /// Values of this kind by where they were seen, newest place first.
    fn sightings<'b>(&'b self, param: &'b Param) -> impl Iterator<Item = Vec<String>> + 'b {
        let earlier = self.earlier.iter().rev().map(|text| in_words(text, param));
        let now = self.dialogue.done.iter().rev();
        let now = now.map(|done| done.success().map(|text| in_result(text, param)));
        let before = self.dialogue.before.iter().rev().take(FRESH_ENTRIES);
        let before = before.map(|entry| match entry {
            Entry::Person(said) => Some(in_words(&said.text, param)),
            Entry::Call(done) => done.success().map(|text| in_result(text, param)),
            Entry::Answer(_) => None,
        });
        let told = self.dialogue.context.last();
        let told = told.map(|line| in_words(line, param));
        earlier.chain(now.chain(before).flatten()).chain(told)
    }

    /// The row of the newest list that the words single out.
    fn pointed_at(
        &self,
        param: &Param,
        reading: &Reading,
        taken: &dyn Fn(usize) -> bool,
    ) -> Option<String> {
        let Some(rows) = self.newest_rows() else {
            return self.placed(param, reading);
        };
        let by_place = ordinal(&reading.text, rows.len());
        let row = by_place.map(|place| &rows[place]).or_else(|| {
            let mut named = rows.iter().filter(|row| is_named(row, reading, taken));
            let first = named.next()?;
            named.next().is_none().then_some(first)
        })?;
        in_object(row, param).into_iter().next()
    }

    /// "approve the first": by the order in which the message before named them.
    fn placed(&self, param: &Param, reading: &Reading) -> Option<String> {
        let (said, _) = self.last_exchanges().into_iter().next()?;
        let mut named = in_words(&said.text, param);
        let place = ordinal(&reading.text, named.len()).filter(|_| named.len() > 1)?;
        Some(named.swap_remove(place))
    }

    fn newest_rows(&self) -> Option<Vec<Map<String, Value>>> {
        let now = self.dialogue.done.iter().rev();
        let before = self.dialogue.before.iter().rev().take(FRESH_ENTRIES);
        let before = before.filter_map(|entry| match entry {
            Entry::Call(done) => Some(done),
            Entry::Person(_) | Entry::Answer(_) => None,
        });
        now.chain(before)
            .filter_map(|done| rows_of(&serde_json::from_str(done.success()?).ok()?))
            .next()
    }

    /// The name in an earlier result that this one, perhaps in another case, stands for.
    pub(super) fn known_name(&self, said: &str) -> Option<String> {
        let wanted: Vec<String> = normal(said).split_whitespace().map(str::to_owned).collect();
        let fits = |leaf: &str| {
            let words: Vec<String> = normal(leaf).split_whitespace().map(str::to_owned).collect();
            let met = |w: &String| words.iter().any(|word| is_same_name(w, word));
            (wanted.len()..=LONGEST_NAME).contains(&words.len()) && wanted.iter().all(met)
        };
        let entries = self.dialogue.before.iter().rev().take(FRESH_ENTRIES);
        let results = entries.filter_map(|entry| match entry {
            Entry::Call(done) => done.success(),
            Entry::Person(_) | Entry::Answer(_) => None,
        });
        let mut found: Vec<String> = Vec::new();
        for result in results {
            let Ok(value) = serde_json::from_str::<Value>(result) else {
                continue;
            };
            for (key, leaf) in leaves(&value) {
                if key.contains("name") && fits(&leaf) && !found.contains(&leaf) {
                    found.push(leaf);
                }
            }
        }
        (found.len() == 1).then(|| found.remove(0))
    }

    /// The only name that the newest call was given.
    pub(super) fn last_person(&self, index: &Index) -> Option<String> {
        let mut entries = self.dialogue.before.iter().rev().take(FRESH_ENTRIES);
        let done = entries.find_map(|entry| match entry {
            Entry::Call(done) => Some(done),
            Entry::Person(_) | Entry::Answer(_) => None,
        })?;
        let tool = &index.tools[index.by_name(&done.name)?];
        let names = tool
            .params
            .iter()
            .filter(|param| matches!(param.kind, Kind::Name));
        let mut names = names.filter_map(|param| done.arguments.get(&param.name)?.as_str());
        let name = names.next()?;
        names.next().is_none().then(|| name.to_owned())
    }

    /// The people of whom the last exchanges were, newest first: whom calls were given, and where no call
    /// was given anybody, whom the person named.
    pub(super) fn people(&self, index: &Index) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for (said, calls) in self.last_exchanges() {
            let mut people: Vec<String> = calls
                .into_iter()
                .flat_map(|done| given_names(index, done))
                .collect();
            if people.is_empty() {
                let reading = Reading::new(index, &said.text, Language::of(&said.text), None);
                let named = reading.named(index).into_iter();
                people.extend(named.map(|name| name.value));
            }
            for name in people {
                // "Kate" and "Kate Belova" are one.
                let new = normal(&name);
                let known = found.iter().map(|known| normal(known));
                let mut same = known.filter(|known| known.contains(&new) || new.contains(known));
                if same.next().is_none() {
                    found.push(name);
                }
            }
        }
        found
    }

    /// What was named last: in the request before this one, else what the last call was given.
    pub(super) fn just_named(&self, index: &Index) -> Vec<String> {
        if let Some(before) = self.earlier.last() {
            let reading = Reading::new(index, before, Language::of(before), None);
            let named = reading.named(index).into_iter();
            return named.map(|name| name.value).collect();
        }
        self.last_call()
            .map_or_else(Vec::new, |done| given_names(index, done))
    }

    /// The names that the calls of the last exchanges were given, newest first.
    pub(super) fn given_names(&self, index: &Index) -> Vec<String> {
        let calls = self
            .last_exchanges()
            .into_iter()
            .flat_map(|(_, calls)| calls);
        let mut found: Vec<String> = Vec::new();
        for name in calls.flat_map(|done| given_names(index, done)) {
            if !found.contains(&name) {
                found.push(name);
            }
        }
        found
    }

    /// Values of this kind that the person or a call named in the last exchanges, newest first.
    fn named_lately(&self, param: &Param) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for (said, calls) in self.last_exchanges() {
            let given = calls.into_iter().flat_map(|done| {
                let arguments = Value::Object(done.arguments.clone());
                in_value(&arguments, param)
            });
            let named = given.chain(in_words(&said.text, param));
            for value in named.collect::<Vec<String>>() {
                if !found.contains(&value) {
                    found.push(value);
                }
            }
        }
        found
    }

    /// What the person said and what was called for it, newest first.
    fn last_exchanges(&self) -> Vec<(&'a Said, Vec<&'a Done>)> {
        let mut exchanges = Vec::new();
        let mut calls = Vec::new();
        for entry in self.dialogue.before.iter().rev() {
            match entry {
                Entry::Call(done) => calls.push(done),
                Entry::Person(said) => exchanges.push((said, std::mem::take(&mut calls))),
                Entry::Answer(_) => {}
            }
            if exchanges.len() == LAST_EXCHANGES {
                break;
            }
        }
        exchanges
    }

    /// The last call of the exchange before.
    pub(super) fn last_call(&self) -> Option<&'a Done> {
        let (_, calls) = self.last_exchanges().into_iter().next()?;
        calls.first().copied()
    }

    /// The texts that came with the message before.
    pub(super) fn handed_over(&self) -> Vec<String> {
        let last = self.last_exchanges().into_iter().next();
        let texts = last.map(|(said, _)| said.texts.iter());
        let texts = texts.into_iter().flatten();
        texts.map(|number| format!("text:{number}")).collect()
    }

    /// The newest pasted text: by its handle, or as it is where it is short.
    pub(super) fn pasted(&self) -> Option<String> {
        let mut entries = self.dialogue.before.iter().rev();
        entries.find_map(|entry| match entry {
            Entry::Person(said) => {
                let handle = said.texts.last().map(|number| format!("text:{number}"));
                handle.or_else(|| said.block.clone())
            }
            Entry::Call(_) | Entry::Answer(_) => None,
        })
    }

    /// A free value that was given for the same parameter before.
    pub(super) fn given_before(&self, param: &Param) -> Option<Value> {
        let entries = self.dialogue.before.iter().rev();
        entries.take(FRESH_ENTRIES).find_map(|entry| match entry {
            Entry::Call(done) => done.arguments.get(&param.name).cloned(),
            Entry::Person(_) | Entry::Answer(_) => None,
        })
    }
}

/// The names that a call was given.
fn given_names(index: &Index, done: &Done) -> Vec<String> {
    let is_name = |kind: &Kind| kind.lists_words() || matches!(kind, Kind::Name);
    let Some(tool) = index.by_name(&done.name) else {
        return Vec::new();
    };
    let params = index.tools[tool].params.iter();
    let values = params
        .filter(|param| is_name(&param.kind))
        .filter_map(|param| done.arguments.get(&param.name));
    values.flat_map(texts_of).map(str::to_owned).collect()
}

/// A text, or those in a list.
fn texts_of(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text.as_str()],
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    }
}

/// Whether two words are one name: the same, or Russian forms of it.
fn is_same_name(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let ending = |word: &str| {
        let rest: Vec<char> = word.chars().skip(shared).collect();
        rest.len() <= 2 && rest.iter().all(|c| "аеийоуыьэюямвх".contains(*c))
    };
    shared >= 3 && ending(a) && ending(b)
}

fn in_words(text: &str, param: &Param) -> Vec<String> {
    let Some(pattern) = param.kind.pattern() else {
        return Vec::new();
    };
    let found = pattern.find_all(&Text::new(text));
    found.into_iter().map(|found| found.value).collect()
}

fn in_result(result: &str, param: &Param) -> Vec<String> {
    match serde_json::from_str::<Value>(result) {
        Ok(value) => in_value(&value, param),
        Err(_) => in_words(result, param),
    }
}

fn in_value(value: &Value, param: &Param) -> Vec<String> {
    let leaves = leaves(value);
    let named: Vec<String> = leaves
        .iter()
        .filter(|(key, _)| *key == param.name)
        .map(|(_, leaf)| leaf.clone())
        .collect();
    if !named.is_empty() {
        return named;
    }
    if let Some(pattern) = param.kind.pattern() {
        let shaped = leaves
            .into_iter()
            .filter(|(_, leaf)| pattern.is_match(leaf));
        return shaped.map(|(_, leaf)| leaf).collect();
    }
    if matches!(param.kind, Kind::Id) {
        // `id` of the thing itself: `notification_id` in a list of notifications.
        let ids = leaves.into_iter().filter(|(key, _)| *key == "id");
        return ids.map(|(_, leaf)| leaf).collect();
    }
    Vec::new()
}

fn in_object(row: &Map<String, Value>, param: &Param) -> Vec<String> {
    in_value(&Value::Object(row.clone()), param)
}

/// Texts and numbers with the key they stand under.
fn leaves(value: &Value) -> Vec<(&str, String)> {
    fn walk<'v>(key: &'v str, value: &'v Value, found: &mut Vec<(&'v str, String)>) {
        if found.len() >= MOST_LEAVES {
            return;
        }
        match value {
            Value::Object(fields) => fields
                .iter()
                .for_each(|(key, value)| walk(key, value, found)),
            Value::Array(items) => items.iter().for_each(|item| walk(key, item, found)),
            Value::String(text) => found.push((key, text.clone())),
            Value::Number(number) => found.push((key, number.to_string())),
            Value::Null | Value::Bool(_) => {}
        }
    }
    let mut found = Vec::new();
    walk("", value, &mut found);
    found
}

/// The first list of objects in a result.
pub(super) fn rows_of(value: &Value) -> Option<Vec<Map<String, Value>>> {
    let objects = |items: &Vec<Value>| {
        let rows: Vec<_> = items.iter().filter_map(Value::as_object).cloned().collect();
        (!rows.is_empty()).then_some(rows)
    };
    match value {
        Value::Array(items) => objects(items),
        Value::Object(fields) => fields
            .values()
            .filter_map(Value::as_array)
            .find_map(objects),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

const PLACES: [&str; 5] = [
    "first 1st первый первую первого första første erste ersten erster",
    "second 2nd второй вторую второго andra anden andre zweite zweiten zweiter",
    "third 3rd третий третью третьего tredje dritte dritten dritter",
    "fourth 4th четвертый четвертую fjärde fjerde vierte vierten",
    "fifth 5th пятый пятую femte fünfte fünften",
];

/// The place that this word names among so many.
pub(super) fn place_of(lower: &str, count: usize) -> Option<usize> {
    let named = |forms: &&str| forms.split(' ').any(|form| form == lower);
    let place = PLACES.iter().position(named);
    place.filter(|place| *place < count)
}

/// "the second one", "последний": a place in a list of this length.
pub(super) fn ordinal(text: &Text, rows: usize) -> Option<usize> {
    const LAST: &str = "last последний последнюю последнего sista sidste siste letzte letzten";
    let has = |forms: &str| {
        text.words
            .iter()
            .any(|word| forms.split(' ').any(|f| f == word.lower))
    };
    let place = PLACES.iter().position(|forms| has(forms));
    let last = has(LAST).then(|| rows.checked_sub(1)).flatten();
    place.or(last).filter(|place| *place < rows)
}

/// Whether a word that belongs to no tool stands in this row ("Bob's pass").
fn is_named(row: &Map<String, Value>, reading: &Reading, taken: &dyn Fn(usize) -> bool) -> bool {
    let texts: Vec<String> = row
        .iter()
        .filter(|(key, _)| key.contains("name") || key.contains("title"))
        .filter_map(|(_, value)| value.as_str())
        .flat_map(|text| Text::new(text).words)
        .flat_map(|word| word.keys)
        .collect();
    let free = reading.terms.iter().filter(|term| !taken(term.word));
    free.into_iter().any(|term| {
        let word = &reading.text.words[term.word];
        let capital = reading.text.is_capitalised(term.word) || term.quality < 1.0;
        let long = word.lower.chars().count() > 2;
        long && (capital || reading.meanings[term.word].concepts.is_empty())
            && word.keys.iter().any(|key| texts.contains(key))
    })
}

#[cfg(test)]
#[path = "recall_tests.rs"]
mod recall_tests;
