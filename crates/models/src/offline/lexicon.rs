//! Words of office work that mean the same, in all languages at once: the little that
//! must be known of the world to understand a request that uses other words than a tool.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::language::Language;
use super::near::Vocabulary;
use super::words::{Text, Word, keys, normal};

/// A meaning, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Concept(u16);

/// What a word of a text means.
#[derive(Clone, Debug, Default)]
pub(super) struct Meaning {
    pub(super) concepts: Vec<Concept>,
    /// Actions that this very form asks for ("approve", not "approved").
    pub(super) commands: Vec<Concept>,
    /// It belongs to a phrase that began with an earlier word and carries the meaning.
    pub(super) continues: bool,
    /// The phrase that starts here says it; the words on their own say something else.
    pub(super) phrase: bool,
}

pub(super) struct Lexicon {
    entries: Vec<Entry>,
    single: HashMap<String, Vec<Concept>>,
    commands: HashMap<String, Vec<Concept>>,
    phrases: HashMap<String, Vec<Phrase>>,
    pub(super) vocabulary: Vocabulary,
}

struct Entry {
    name: &'static str,
    action: bool,
    /// The action that leads to this state.
    after: Option<&'static str>,
    /// What this is a quality of.
    of: Option<&'static str>,
}

struct Phrase {
    words: Vec<Vec<String>>,
    concept: Concept,
    command: bool,
}

pub(super) static LEXICON: LazyLock<Lexicon> =
    LazyLock::new(|| Lexicon::parse(include_str!("lexicon.txt")));

impl Lexicon {
    fn parse(source: &'static str) -> Self {
        let mut lexicon = Self {
            entries: Vec::new(),
            single: HashMap::new(),
            commands: HashMap::new(),
            phrases: HashMap::new(),
            vocabulary: Vocabulary::default(),
        };
        let lines = source
            .lines()
            .filter(|line| !line.trim_start().starts_with('#'))
            .filter_map(|line| line.split_once(':'));
        for (name, words) in lines {
            let action = name.ends_with('!');
            let concept = Concept(u16::try_from(lexicon.entries.len()).unwrap_or(u16::MAX));
            let (name, after) = parted(name, '<');
            let (name, of) = parted(name, '^');
            lexicon.entries.push(Entry {
                name: name.trim_end_matches('!').trim(),
                action,
                after,
                of,
            });
            let (commands, others) = words.split_once('~').unwrap_or((words, ""));
            lexicon.learn(concept, commands, action);
            lexicon.learn(concept, others, false);
        }
        for phrases in lexicon.phrases.values_mut() {
            phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.words.len()));
        }
        lexicon
    }

    fn learn(&mut self, concept: Concept, list: &str, command: bool) {
        for entry in list.split(',').map(normal) {
            let words: Vec<&str> = entry.split_whitespace().collect();
            match words.as_slice() {
                [] => {}
                [word] => {
                    for key in keys(word) {
                        note(&mut self.single, key, concept);
                    }
                    if command {
                        note(&mut self.commands, (*word).to_owned(), concept);
                    }
                    self.vocabulary.add(word);
                }
                [first, ..] => {
                    let phrase = Phrase {
                        words: words.iter().map(|word| keys(word)).collect(),
                        concept,
                        command,
                    };
                    for key in keys(first) {
                        self.phrases.entry(key).or_default().push(Phrase {
                            words: phrase.words.clone(),
                            ..phrase
                        });
                    }
                }
            }
        }
    }

    pub(super) fn named(&self, name: &str) -> Option<Concept> {
        let position = self.entries.iter().position(|entry| entry.name == name)?;
        u16::try_from(position).ok().map(Concept)
    }

    /// The key under which a meaning is indexed, apart from those of words.
    pub(super) fn key(&self, concept: Concept) -> String {
        format!("#{}", self.name(concept))
    }

    /// The key of what a quality belongs to.
    pub(super) fn key_of_kin(&self, concept: Concept) -> Option<String> {
        let entry = self.entries.get(usize::from(concept.0))?;
        entry.of.map(|of| format!("#{of}"))
    }

    pub(super) fn name(&self, concept: Concept) -> &'static str {
        self.entries
            .get(usize::from(concept.0))
            .map_or("", |entry| entry.name)
    }

    /// Whether this state comes of that action.
    pub(super) fn comes_of(&self, state: Concept, action: Concept) -> bool {
        let entry = self.entries.get(usize::from(state.0));
        entry.is_some_and(|entry| entry.after == Some(self.name(action)))
    }

    pub(super) fn is_action(&self, concept: Concept) -> bool {
        self.entries
            .get(usize::from(concept.0))
            .is_some_and(|entry| entry.action)
    }

    /// What each word means, phrases before single words.
    pub(super) fn read(&self, text: &Text) -> Vec<Meaning> {
        let mut meanings: Vec<Meaning> = vec![Meaning::default(); text.words.len()];
        let mut index = 0;
        while index < text.words.len() {
            let open = !meanings[index].continues;
            if open && let Some((phrase, last)) = self.phrase_at(text, index) {
                meanings[index].concepts.push(phrase.concept);
                meanings[index].phrase = true;
                if phrase.command {
                    meanings[index].commands.push(phrase.concept);
                }
                for (at, meaning) in meanings.iter_mut().enumerate().take(last + 1) {
                    let part = at > index && phrase.has(&text.words[at]);
                    meaning.continues |= part;
                }
                index += 1;
                continue;
            }
            if open && !is_false_friend(text, index) {
                let mut meaning = self.of_word(&text.words[index]);
                if meaning.commands.is_empty() {
                    meaning.commands = self.infinitive(text, index);
                    let new = meaning.commands.iter();
                    let new: Vec<Concept> = new
                        .filter(|c| !meaning.concepts.contains(c))
                        .copied()
                        .collect();
                    meaning.concepts.extend(new);
                }
                meanings[index] = meaning;
            }
            index += 1;
        }
        meanings
    }

    /// What a single word means, whatever stands around it.
    pub(super) fn of_word(&self, word: &Word) -> Meaning {
        if word.function {
            return Meaning::default();
        }
        let mut concepts = self.of_keys(&word.keys);
        let mut commands = self.commands.get(&word.lower).cloned().unwrap_or_default();
        // To reassign is to assign; "return" has a meaning of its own.
        let again = word
            .lower
            .strip_prefix("re")
            .map(|verb| verb.trim_start_matches('-'));
        if let Some(again) = again.and_then(|verb| self.commands.get(verb))
            && concepts.is_empty()
        {
            concepts.clone_from(again);
            commands.clone_from(again);
        }
        Meaning {
            concepts,
            commands,
            continues: false,
            phrase: false,
        }
    }

    /// "bekrefte", "jämföra", "prüfen": the infinitive asks for what the command asks for.
    fn infinitive(&self, text: &Text, index: usize) -> Vec<Concept> {
        const SHORTEST: usize = 4;
        let endings: &[&str] = match text.language {
            Some(Language::Swedish) => &["a"],
            Some(Language::Danish | Language::Norwegian) => &["e"],
            Some(Language::German) => &["n", "en"],
            Some(Language::English | Language::Russian) | None => &[],
        };
        let lower = &text.words[index].lower;
        let stem = |ending: &&str| {
            let stem = lower.strip_suffix(*ending)?;
            let long = stem.chars().count() >= SHORTEST;
            self.commands.get(stem).filter(|_| long)
        };
        endings.iter().find_map(stem).cloned().unwrap_or_default()
    }

    pub(super) fn of_keys(&self, keys: &[String]) -> Vec<Concept> {
        let mut concepts: Vec<Concept> = Vec::new();
        // The word as it stands says more than its stem.
        for key in keys {
            for concept in self.single.get(key).into_iter().flatten() {
                if !concepts.contains(concept) {
                    concepts.push(*concept);
                }
            }
        }
        concepts
    }

    fn phrase_at(&self, text: &Text, index: usize) -> Option<(&Phrase, usize)> {
        let mut best: Option<(&Phrase, usize)> = None;
        for key in &text.words[index].keys {
            for phrase in self.phrases.get(key).into_iter().flatten() {
                let longer = best.is_none_or(|(found, _)| phrase.words.len() > found.words.len());
                if longer && let Some(last) = phrase.ends_at(text, index) {
                    best = Some((phrase, last));
                }
            }
        }
        best
    }
}

fn parted(name: &'static str, mark: char) -> (&'static str, Option<&'static str>) {
    match name.split_once(mark) {
        Some((name, other)) => (name, Some(other.trim())),
        None => (name, None),
    }
}

impl Phrase {
    /// Where the phrase that starts here ends. One word may stand inside ("turn it down").
    fn ends_at(&self, text: &Text, start: usize) -> Option<usize> {
        let mut at = start;
        let mut skipped = false;
        for wanted in &self.words[1..] {
            at += 1;
            let here = |at: usize| {
                text.words.get(at).is_some_and(|word| {
                    shares(wanted, word)
                        && !text.gap_before(at).contains(['.', '!', '?', '\n', ';'])
                })
            };
            if here(at) {
                continue;
            }
            if let Some(end) = self.particle_at_end(text, start, wanted) {
                return Some(end);
            }
            if skipped || !here(at + 1) {
                return None;
            }
            skipped = true;
            at += 1;
        }
        Some(at)
    }

    /// "lehne den Antrag von Ali ab": the second half of a verb closes the sentence.
    fn particle_at_end(&self, text: &Text, start: usize, wanted: &[String]) -> Option<usize> {
        const FARTHEST: usize = 8;
        const LONGEST_PARTICLE: usize = 4;
        let short = wanted.first()?.chars().count() <= LONGEST_PARTICLE;
        if !self.command || self.words.len() != 2 || !short {
            return None;
        }
        let ends = |at: &usize| {
            let next = at + 1;
            next == text.words.len()
                || text
                    .gap_before(next)
                    .contains(['.', '!', '?', ',', ';', '\n'])
        };
        (start + 2..text.words.len())
            .take(FARTHEST)
            .find(ends)
            .filter(|at| shares(wanted, &text.words[*at]))
    }

    fn has(&self, word: &Word) -> bool {
        self.words.iter().any(|wanted| shares(wanted, word))
    }
}

/// Commands of other languages that are English words: inside an English sentence they
/// are those.
fn is_false_friend(text: &Text, index: usize) -> bool {
    const FRIENDS: [&str; 8] = [
        "visa", "lag", "hole", "plane", "ret", "such", "gift", "time",
    ];
    let english = matches!(text.language, None | Some(Language::English));
    index > 0 && english && FRIENDS.contains(&text.words[index].lower.as_str())
}

/// Short words must be the same; longer ones may differ in their endings.
fn shares(wanted: &[String], word: &Word) -> bool {
    const SHORTEST_STEMMED: usize = 4;
    let Some(first) = wanted.first() else {
        return false;
    };
    if first.chars().count() < SHORTEST_STEMMED {
        return word.lower == *first;
    }
    wanted.iter().any(|key| word.keys.contains(key))
}

fn note(map: &mut HashMap<String, Vec<Concept>>, key: String, concept: Concept) {
    let known = map.entry(key).or_default();
    if !known.contains(&concept) {
        known.push(concept);
    }
}

#[cfg(test)]
#[path = "lexicon_tests.rs"]
mod lexicon_tests;
