//! From a tool and its values to a call, or to a question: everything that is checked before something is
//! done.

use std::ops::Range;

use serde_json::{Map, Value};

use super::super::cues::Cue;
use super::super::dialogue::Said;
use super::super::fill::{Filled, fill};
use super::super::index::{ToolIndex, template};
use super::super::lexicon::LEXICON;
use super::super::mood::{self, Doubt};
use super::super::param::{Kind, Param};
use super::super::question;
use super::super::rank;
use super::super::reading::{Reading, Term};
use super::super::recall::Memory;
use super::super::spans::is_among;
use super::super::values::names;
use super::super::words::{Text, Word, normal};
use super::{Mind, Step};

impl<'a> Mind<'a> {
    /// Calls the tool if everything is known and nothing speaks against it, and asks
    /// otherwise. A write needs an order in so many words.
    pub(in super::super) fn act(
        &self,
        tool: usize,
        filled: Filled,
        reading: &Reading,
        commanded: bool,
    ) -> Vec<Step> {
        let def = self.tool(tool);
        let filled = unless_another_is_named(def, reading, filled);
        let phrases = self.language.phrases();
        let say = |text: String| vec![Step::Say(text)];
        let doubt = if def.writes {
            mood::doubt(reading, &filled.taken_freely())
        } else {
            None
        };
        // "what do we have on the list so far?": a change of nothing only looks.
        let looks = def.writes
            && !def.drafts
            && filled.values.is_empty()
            && reading.question
            && self.surely(&reading.text.raw) == Some(tool)
            && self.is_like_bare_example(def, reading);
        if looks {
            return self.calls(tool, filled);
        }
        let doubt =
            doubt.filter(|doubt| *doubt != Doubt::Denied || !chooses_denial(reading, &filled));
        // What the tool itself declares to be an order is one.
        let declared = def.writes && self.is_declared(def, reading, &filled);
        let doubt = doubt.filter(|doubt| !declared && !is_settled(*doubt, def, &filled, commanded));
        let commanded = (commanded || declared) && !self.means_last_call(tool, reading);
        let doubt = doubt.or_else(|| {
            self.is_deferred(def, reading, &filled)
                .then_some(Doubt::Deferred)
        });
        // "don't search for anything yet": what was not to be looked at is no value.
        let unasked = !def.writes && def.question_param().is_some() && mood::forbids(reading);
        if doubt == Some(Doubt::Denied) || unasked {
            return say(phrases.not_done.to_owned());
        }
        // "Compare all candidates": a tool that is told of nothing does it for all, and one more draft
        // takes nothing from anybody.
        let names = |param: &Param| {
            let name = matches!(param.kind, Kind::Name | Kind::Id | Kind::Pattern(_));
            param.required && name
        };
        let told_of = def.target.is_some() || def.params.iter().any(names);
        let alters = def.writes && !def.drafts;
        if alters && told_of && self.names_more(def, reading, &filled) {
            let mut open = filled;
            if let Some(target) = &def.target {
                open.values.remove(target);
            }
            let question = question::missing(def, &open, self.language);
            return say(format!("{}\n\n{question}", phrases.one_by_one));
        }
        if let Some(question) = self.still_open(def, &filled) {
            return say(question);
        }
        let loses = loses_number(def, reading, &filled)
            || loses_quote(reading, &filled)
            || self.loses_name(def, reading, &filled)
            || self.leaves_open(def, reading, &filled);
        // "remove it": a change that nothing is told of.
        let told_nothing = !def.drafts
            && !def.params.is_empty()
            && filled.values.is_empty()
            && !self.is_like_bare_example(def, reading);
        if def.writes && told_nothing {
            return say(question::which_value(def, self.language));
        }
        let guessed =
            alters && filled.guessed && !declared || self.names_part_elsewhere(tool, reading);
        let unsure = guessed || filled.points_nowhere;
        if def.writes && (doubt.is_some() || !commanded || loses || unsure) {
            return say(question::confirm(def, &filled, self.language));
        }
        self.calls(tool, filled)
    }

    /// "invite Anna Petrova, Boris Orlov no": whether somebody is named who would be passed over.
    fn loses_name(&self, def: &ToolIndex, reading: &Reading, filled: &Filled) -> bool {
        let mut people = def.params.iter().filter(|param| {
            let told = filled.values.contains_key(&param.name);
            let asked = param.required && !filled.recalled.contains(&param.name);
            matches!(param.kind, Kind::Name) && (asked || !param.required && !told)
        });
        let several = filled.several.is_some() || people.next().is_none();
        let values = || filled.values.values().filter_map(Value::as_str);
        let mut named = reading.named(self.index).into_iter();
        let lost = |name: names::Name| {
            let known = values().any(|value| normal(value).contains(&normal(&name.value)));
            name.words.len() > 1 && !known && !is_among(&filled.taken, &name.span)
        };
        // "for Ali Khan, sorry, Omar Said": who was taken back is passed over on purpose.
        let corrected = [
            Cue::Correction,
            Cue::Hesitation,
            Cue::InsteadOf,
            Cue::Negation,
        ];
        let corrected = corrected.iter().any(|cue| cue.is_in(&reading.text));
        // What is drafted of a meeting names many who are no part of it.
        let several = several || def.drafts && def.params.iter().any(|param| param.required);
        !several && !corrected && named.any(lost)
    }

    /// "the same table in English": the same as before is what the last call did, unless something else is
    /// called by its name.
    fn means_last_call(&self, tool: usize, reading: &Reading) -> bool {
        let last = Memory::new(self.dialogue).last_call();
        let last = last.and_then(|done| self.index.by_name(&done.name));
        let same = Cue::Same.at(&reading.text, 0) > 0;
        same && last.is_some_and(|last| last != tool) && !self.is_called(tool, reading)
    }

    /// "and the pay should be mentioned": whether a parameter is called by its name and has no value.
    fn leaves_open(&self, def: &ToolIndex, reading: &Reading, filled: &Filled) -> bool {
        let free = |term: &&Term| {
            let word = reading.text.words[term.word].span();
            term.quality >= 1.0 && !is_among(&filled.taken, &word)
        };
        let said: Vec<&Term> = reading.terms.iter().filter(free).collect();
        let is_said = |keys: &[String]| {
            said.iter().any(|term| {
                let mut own = term.keys.iter().filter(|(_, share)| *share >= 1.0);
                own.any(|(key, _)| keys.contains(key))
            })
        };
        let titled = |keys: &[String]| {
            let mut titled = def.title_terms.iter().chain(&def.name_terms).flatten();
            titled.any(|key| keys.contains(key))
        };
        def.params.iter().any(|param| {
            let free = matches!(param.kind, Kind::Boolean | Kind::Text);
            let open = free && !param.required && !filled.values.contains_key(&param.name);
            let name = || param.name_words().filter(|keys| !titled(keys));
            open && name().next().is_some() && name().all(|keys| is_said(&keys))
        })
    }

    /// "word the ending warmer": whether a word is said that only another tool's parameter goes by, and
    /// this draft knows nothing of.
    fn names_part_elsewhere(&self, tool: usize, reading: &Reading) -> bool {
        const ABOUT: f32 = 0.3;
        let def = self.tool(tool);
        let calls = |def: &ToolIndex, key: &String| {
            let mut params = def.params.iter();
            params.any(|param| param.labels.contains(key))
        };
        let elsewhere = |key: &String| {
            let others = self.index.tools.iter().filter(|other| calls(other, key));
            let own = calls(def, key) || self.index.points_to(key, tool, ABOUT);
            others.count() == 1 && !own
        };
        let own = |key: &String| def.params.iter().any(|param| param.hints.contains(key));
        let mut terms = reading.terms.iter().filter(|term| term.quality >= 1.0);
        def.drafts
            && !self.is_called(tool, reading)
            && terms.any(|term| {
                let mut keys = term.keys.iter().map(|(key, _)| key);
                let known = term.keys.iter().any(|(key, _)| own(key));
                !known && keys.any(elsewhere)
            })
    }

    /// What must be asked before anything can be done: for values that lack, and for what a text is that
    /// would be left out of what is written.
    fn still_open(&self, def: &'a ToolIndex, filled: &Filled) -> Option<String> {
        let missing = filled.missing(def);
        let mut kinds = missing.iter().map(|param| &param.kind);
        if kinds.any(|kind| matches!(kind, Kind::Other)) {
            let form_only = self.language.phrases().form_only;
            return Some(form_only.replace("{title}", &def.title));
        }
        if !missing.is_empty() {
            return Some(question::missing(def, filled, self.language));
        }
        let free = self.places_left(def, filled);
        let left = def.writes && !free.is_empty();
        left.then(|| question::which_place(def, &free, self.language))
    }

    /// Where a text or a file of this message could go that no value holds.
    fn places_left(&self, def: &'a ToolIndex, filled: &Filled) -> Vec<&'a Param> {
        let Some(said) = &self.dialogue.said else {
            return Vec::new();
        };
        let is_left = |handle: String| !filled.values.values().any(|value| *value == handle);
        let text = said.texts.iter().any(|n| is_left(format!("text:{n}")));
        let file = said.files.iter().any(|n| is_left(format!("file:{n}")));
        let params = def.params.iter().filter(|param| {
            let takes = text && matches!(param.kind, Kind::LongText)
                || file && matches!(param.kind, Kind::File);
            takes && !filled.values.contains_key(&param.name)
        });
        params.collect()
    }

    /// The one tool of which this is an example, word for word and apart from its values.
    pub(in super::super) fn declared(&self, reading: &Reading, said: &Said) -> Option<usize> {
        let memory = Memory::new(self.dialogue);
        let sources = self.sources(reading, said, &memory);
        let words: Vec<&str> = reading
            .text
            .words
            .iter()
            .map(|w| w.lower.as_str())
            .collect();
        let mut declared = (0..self.index.tools.len()).filter(|tool| {
            let def = self.tool(*tool);
            // Cheap first: its words stand here in their order.
            let mut likely = def.lessons.iter().filter(|lesson| {
                let mut rest = words.iter();
                let mut all = lesson.without_values.words.iter();
                all.all(|word| rest.any(|said| *said == word.lower))
            });
            likely.next().is_some() && self.is_declared(def, reading, &fill(def, sources))
        });
        let tool = declared.next()?;
        declared.next().is_none().then_some(tool)
    }

    /// Whether this is, word for word and apart from its values, an example of the tool.
    fn is_declared(&self, def: &ToolIndex, reading: &Reading, filled: &Filled) -> bool {
        let is_value = |at: usize| is_among(&filled.taken, &reading.text.words[at].span());
        let said = template(&reading.text, &is_value);
        let mut lessons = def.lessons.iter();
        said.len() > 1 && lessons.any(|lesson| lesson.template == said)
    }

    /// Whether the thing is named that an example without any value is about.
    fn is_like_bare_example(&self, def: &ToolIndex, reading: &Reading) -> bool {
        // "note on the shortlist that Dana decides" says more than the list's name.
        if reading.names > 0 {
            return false;
        }
        let said = |word: &&Word| reading.text.words.iter().any(|own| own.lower == word.lower);
        let looks = |word: &&Word| rank::is_looking(&LEXICON.of_keys(&word.keys));
        let parted = mood::opens_parted_verb(&reading.text, reading.opening());
        let head = reading.head.as_ref().filter(|head| head.command);
        let commands = head.is_some_and(|head| !rank::is_looking(&head.actions));
        let mut lessons = def.lessons.iter();
        lessons.any(|lesson| {
            let bare = lesson.arguments.as_object().is_none_or(Map::is_empty);
            let words = lesson.without_values.words.iter();
            let words: Vec<&Word> = words.filter(|word| !word.function).collect();
            // "put one on the shortlist" does not look at it.
            let changes = words.iter().any(looks) && (parted || commands);
            // "show the shortlist" is about the shortlist; "show the list" about all of itself.
            let things: Vec<&Word> = words.iter().copied().filter(|word| !looks(word)).collect();
            let telling = if things.is_empty() { words } else { things };
            bare && !changes && !telling.is_empty() && telling.iter().all(said)
        })
    }

    /// Whether a day or a time is named that an action on an existing thing cannot take.
    fn is_deferred(&self, def: &ToolIndex, reading: &Reading, filled: &Filled) -> bool {
        let days = reading.when.days.iter().map(|day| &day.span);
        let times = reading.when.times.iter().map(|time| &time.span);
        // "turn it down, he already had two this week" says why.
        let text = &reading.text;
        let told = |span: &Range<usize>| {
            let at = text.words.partition_point(|word| word.start < span.start);
            let clause = (1..=at).rev().find(|at| text.starts_clause(*at));
            clause.is_some_and(|at| tells_of(text, at))
        };
        def.writes
            && def.target.is_some()
            && days
                .chain(times)
                .any(|span| !is_among(&filled.taken, span) && !told(span))
    }

    /// "all", "all but …": more is meant than what is named.
    fn names_more(&self, def: &ToolIndex, reading: &Reading, filled: &Filled) -> bool {
        let free = |at: usize| !is_among(&filled.taken, &reading.text.words[at].span());
        let has = |cue: Cue| {
            (0..reading.text.words.len()).any(|at| cue.at(&reading.text, at) > 0 && free(at))
        };
        // "Ivan has finished everything": not all of those that something is done to.
        const EVERYTHING: [&str; 5] = ["все", "everything", "allt", "alt", "alles"];
        let named = def.target.as_ref().is_some_and(|target| {
            filled.values.contains_key(target) && !filled.recalled.contains(target)
        });
        let all = |at: usize| {
            let whole = named && reading.text.is_one_of(at, &EVERYTHING);
            // "I think that's everything": so a message ends.
            let pause = reading.text.raw[reading.text.words[at].end..].starts_with([',', ':']);
            let ends = Cue::Remark.covers(&reading.text, at) || at == reading.opening() && pause;
            Cue::Everything.at(&reading.text, at) > 0 && free(at) && !whole && !ends
        };
        let all = (0..reading.text.words.len()).any(all);
        has(Cue::Exclusion) || (all && filled.several.is_none() && reading.codes.is_empty())
    }

    /// One call, or one for each of several values.
    pub(in super::super) fn calls(&self, tool: usize, filled: Filled) -> Vec<Step> {
        let settled = filled.recalled.is_empty();
        let call = |arguments| Step::Call {
            tool,
            arguments,
            settled,
        };
        match &filled.several {
            Some((param, values)) => values
                .iter()
                .map(|value| {
                    let mut arguments = filled.values.clone();
                    arguments.insert(param.clone(), Value::String(value.clone()));
                    call(arguments)
                })
                .collect(),
            None => vec![call(filled.values)],
        }
    }
}

/// "set him to not recommended" denies nothing: the denial is part of a choice.
fn chooses_denial(reading: &Reading, filled: &Filled) -> bool {
    let text = &reading.text;
    let denies = |span: &Range<usize>| {
        let words = text.words_in(span);
        words.len() > 1 && Cue::Negation.at(text, words.start) > 0
    };
    filled.chosen.iter().any(denies)
}

/// Whether a clause begins here with somebody of whom something is told.
fn tells_of(text: &Text, at: usize) -> bool {
    const SOMEBODY: [&str; 18] = [
        "he", "she", "they", "it", "we", "i", "он", "она", "они", "мы", "я", "han", "hon", "hun",
        "er", "sie", "wir", "ich",
    ];
    text.is_one_of(at, &SOMEBODY)
}

/// Whether a doubt comes to nothing for what is only drafted or judged.
fn is_settled(doubt: Doubt, def: &ToolIndex, filled: &Filled, commanded: bool) -> bool {
    // To ask or to speak about a text that was handed over is to have it judged.
    let idle = matches!(doubt, Doubt::Question | Doubt::Reported);
    let judged = commanded && def.judges() && idle;
    // A draft that somebody wants, and all that it needs: nothing is lost by making it.
    let needs = def.params.iter().any(|param| param.required);
    let given = commanded && def.drafts && needs && filled.missing(def).is_empty();
    let wanted = given && doubt == Doubt::Reported;
    // "check it for gender or age bias": both belong to what is made, where no value is open.
    let joined = def.drafts && filled.unclear.is_empty() && doubt == Doubt::Alternative;
    judged || wanted || joined
}

/// Whether something was quoted that found no place.
fn loses_quote(reading: &Reading, filled: &Filled) -> bool {
    let mut quotes = reading.quotes.iter();
    quotes.any(|quote| !is_among(&filled.taken, quote))
}

/// "I want to get a new fact about us in": words that all stand in the text that is asked for say which tool
/// is meant, and leave the text open.
pub(super) fn unless_all_is_text(def: &ToolIndex, reading: &Reading, mut filled: Filled) -> Filled {
    let raw = &reading.text.raw;
    let is_all = |param: &&Param| {
        let value = filled.values.get(&param.name).and_then(Value::as_str);
        let at = value.and_then(|value| Some((raw.find(value)?, value.len())));
        at.is_some_and(|(start, length)| {
            let mut terms = reading.terms.iter();
            let quoted = reading.quotes.iter().any(|quote| quote.contains(&start));
            let led = raw[..start].trim_end().ends_with([':', '=']);
            let inside = |word: &Word| (start..start + length).contains(&word.start);
            let all = terms.all(|term| inside(&reading.text.words[term.word]));
            all && !reading.terms.is_empty() && !quoted && !led
        })
    };
    let free = |param: &&Param| param.required && matches!(param.kind, Kind::Text);
    let whole = def.params.iter().filter(free).find(is_all);
    if let Some(param) = whole.filter(|_| def.writes) {
        filled.values.remove(&param.name);
    }
    filled
}

/// "and reject 0056": a number that is no value names another one than that which was spoken of before.
fn unless_another_is_named(def: &ToolIndex, reading: &Reading, mut filled: Filled) -> Filled {
    const LEAST_DIGITS: usize = 3;
    let recalled = |target: &&String| def.writes && filled.recalled.contains(*target);
    let Some(target) = def.target.as_ref().filter(recalled) else {
        return filled;
    };
    let names_one = |digits: &Range<usize>| {
        let said = reading.text.raw.get(digits.clone()).unwrap_or_default();
        let is_long = said.chars().filter(char::is_ascii_digit).count() >= LEAST_DIGITS;
        is_long && !is_among(&filled.taken, digits)
    };
    if reading
        .numbers
        .iter()
        .any(|number| names_one(&number.digits))
    {
        filled.values.remove(target);
    }
    filled
}

/// Whether a figure was said that found no place although there is one for figures: what is
/// written would lack it.
fn loses_number(def: &ToolIndex, reading: &Reading, filled: &Filled) -> bool {
    let open = |param: &Param| {
        matches!(param.kind, Kind::Number(_)) && !filled.values.contains_key(&param.name)
    };
    let mut numbers = reading.numbers.iter();
    def.params.iter().any(open) && numbers.any(|number| !is_among(&filled.taken, &number.digits))
}
