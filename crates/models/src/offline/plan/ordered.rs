//! Whether words order what a tool does, or only speak of it.

use std::ops::Range;

use super::super::cues::Cue;
use super::super::fill::{Sources, fill};
use super::super::language::Language;
use super::super::lexicon::LEXICON;
use super::super::mood;
use super::super::param::Kind;
use super::super::rank::Scored;
use super::super::reading::{Reading, Term};
use super::super::spans::is_among;
use super::Mind;

/// A sentence this near to an example says the same.
pub(super) const SAME_AS_EXAMPLE: f32 = 0.7;
/// A word that points to a tool less than this is not what the tool is about.
const ABOUT: f32 = 0.3;
/// A word that points to a tool by more than this is its name.
const NAMED: f32 = 0.7;

/// Whoever something is done for.
const ME: [&str; 10] = [
    "me", "us", "мне", "нам", "mig", "meg", "oss", "os", "mir", "uns",
];

impl Mind<'_> {
    /// Whether the words order what the tool does: a command, a sentence like one of its
    /// examples, or what it does together with the file it needs.
    pub(super) fn is_commanded(&self, best: &Scored, sources: &Sources<'_>) -> bool {
        let def = self.tool(best.tool);
        let reading = sources.reading;
        let ordered = best.action
            && reading.head.as_ref().is_some_and(|head| head.command)
            && self.is_about(best.tool, sources);
        let speaks_of = reading.meanings.iter().any(|meaning| {
            let actions = meaning.concepts.iter().filter(|c| LEXICON.is_action(**c));
            actions
                .into_iter()
                .any(|action| def.actions.contains(action))
        });
        let brings = !sources.said.files.is_empty()
            && def
                .params
                .iter()
                .any(|param| param.required && matches!(param.kind, Kind::File));
        ordered
            || self.is_said_like_example(best.tool, sources)
            || (speaks_of && brings && !Cue::Intended.is_in(&reading.text))
            || self.is_all_given(best.tool, sources)
            || self.is_asked_for(best, sources)
            || self.is_only_named(best, sources)
            || self.is_judged(best.tool, sources)
            || self.is_declared_done(best.tool, sources)
            || self.is_put_or_taken(best.tool, sources)
    }

    /// "put the Omega on it instead": a verb in two parts around a value, where nothing else is meant.
    fn is_put_or_taken(&self, tool: usize, sources: &Sources<'_>) -> bool {
        let reading = sources.reading;
        let parted = mood::opens_parted_verb(&reading.text, reading.opening());
        let likely = reading.likely(self.index);
        let meant = likely.is_some_and(|likely| likely.best().0 == tool);
        parted && meant && !fill(self.tool(tool), *sources).values.is_empty()
    }

    /// "I'm rejecting GP-7", "GP-7: rejected, please": who says that they do it, or asks for it to be
    /// so, orders it.
    fn is_declared_done(&self, tool: usize, sources: &Sources<'_>) -> bool {
        const DOING: [&str; 5] = ["i'm", "im", "we're", "am", "are"];
        let reading = sources.reading;
        let text = &reading.text;
        let def = self.tool(tool);
        let does = |at: usize| {
            let mut means = reading.meanings[at].concepts.iter();
            means.any(|concept| LEXICON.is_action(*concept) && def.actions.contains(concept))
                || reading.meanings[at].concepts.iter().any(|state| {
                    let mut actions = def.actions.iter();
                    actions.any(|action| LEXICON.comes_of(*state, *action))
                })
        };
        let said: Vec<usize> = (0..text.words.len()).filter(|at| does(*at)).collect();
        let [at] = said.as_slice() else {
            return false;
        };
        let first = reading.opening();
        let performs = text.words[*at].lower.ends_with("ing")
            && *at > 0
            && *at <= first + 2
            && text.is_one_of(at - 1, &DOING);
        let helped = (0..text.words.len()).any(|at| Cue::Helping.at(text, at) > 0);
        let asked = Cue::Please.is_in(text) && !helped && reading.head.is_none();
        !reading.question
            && (performs || asked)
            && def.target.is_some()
            && self.is_complete(tool, sources)
    }

    /// "Is this text fair?": who hands over a text and asks about it wants it judged.
    pub(super) fn is_judged(&self, tool: usize, sources: &Sources<'_>) -> bool {
        let reading = sources.reading;
        let named = |key: &str| self.index.points_to(key, tool, NAMED);
        let mut terms = reading.terms.iter().flat_map(|term| &term.keys);
        sources.said.has_text() && self.tool(tool).judges() && terms.any(|(key, _)| named(key))
    }

    /// "approve GP-7" where nobody here approves, "book me a flight": to show something instead would
    /// look like an answer.
    pub(super) fn orders_what_nobody_does(&self, sources: &Sources<'_>) -> bool {
        let reading = sources.reading;
        let begins = reading.opening();
        let Some(meaning) = reading.meanings.get(begins) else {
            return false;
        };
        let named = |actions: &[&str]| reading.commands_at(begins, actions);
        let offered = meaning
            .commands
            .iter()
            .any(|c| self.index.offers_action(*c));
        let looks = named(&["show", "find", "need", "explain", "count", "go", "review"]);
        let alters = named(&[
            "approve", "reject", "delete", "cancel", "change", "move", "assign",
        ]);
        // Elsewhere than on a thing with a number, words alone may be a title to look up.
        let words = &reading.text.words;
        let me = (0..words.len()).any(|at| reading.text.is_one_of(at, &ME));
        let for_them = begins > 0 || me;
        let serves =
            for_them && named(&["schedule", "buy", "pay", "translate", "upload", "delete"]);
        reading.head.is_none()
            && !reading.question
            && (alters && !reading.codes.is_empty() || serves)
            && !offered
            && !looks
    }

    /// Whether anything but the verb speaks of this tool, where more than values was said:
    /// to "write a …" is not to write what this one writes.
    fn is_about(&self, tool: usize, sources: &Sources<'_>) -> bool {
        let reading = sources.reading;
        let text = &reading.text;
        let head = reading.head.as_ref().and_then(|head| head.word);
        let def = self.tool(tool);
        let filled = fill(def, *sources);
        let names_thing = def.params.iter().any(|param| {
            let target = def.target.as_ref() == Some(&param.name);
            let thing = target || matches!(param.kind, Kind::Pattern(_) | Kind::Id);
            thing && filled.values.contains_key(&param.name)
        });
        let taken = filled.taken;
        let is_said = |at: usize| {
            let word = &text.words[at];
            let begins = text.starts_sentence(at) && !reading.meanings[at].concepts.is_empty();
            let capital = text.is_capitalised(at) && !begins;
            let name = capital && text.language != Some(Language::German);
            Some(at) != head && !name && !is_among(&taken, &word.span())
        };
        let mut others = reading
            .terms
            .iter()
            .filter(|term| is_said(term.word))
            .peekable();
        // "make him a pass for his belongings": the thing itself, also where it begins a text.
        const REACH: usize = 4;
        let order = head.map_or(0, |at| at + 1);
        let called = |at: usize| {
            let mut terms = reading.terms.iter();
            let term = terms.find(|term| term.word == at);
            let mut things = def.title_terms.iter().skip(1).flatten();
            term.is_some_and(|term| things.any(|key| term.keys.iter().any(|(own, _)| own == key)))
        };
        let one = (order..order + REACH)
            .any(|at| text.is_one_of(at, &super::super::reading::ONE) && called(at + 1));
        names_thing
            || one
            || others.peek().is_none()
            || others.any(|term| self.points_to(term, tool))
    }

    /// "now the job ad, please": who names politely what a tool makes, and nothing else,
    /// wants it made. What is done to an existing thing takes an order.
    fn is_asked_for(&self, best: &Scored, sources: &Sources<'_>) -> bool {
        const LIKE_IT: f32 = 0.3;
        let reading = sources.reading;
        let def = self.tool(best.tool);
        let makes = def.target.is_none() && def.params.iter().all(|p| p.kind.pattern().is_none());
        let verb = reading.head.as_ref().and_then(|head| head.word);
        // "Tack för hjälpen" thanks for something; "…, tack" asks for it.
        const FOR: [&str; 4] = ["for", "för", "für", "fürs"];
        let text = &reading.text;
        let thanks = Cue::Thanks.at(text, 0);
        let from = match thanks > 1 || thanks > 0 && text.is_one_of(thanks, &FOR) {
            true => thanks,
            false => 0,
        };
        let polite = (from..text.words.len()).any(|at| Cue::Please.at(text, at) > 0);
        makes
            && polite
            && verb.is_none()
            && !reading.question
            && (!reading.has_unknown || def.drafts)
            && best.likeness >= LIKE_IT
            && self.is_complete(best.tool, sources)
    }

    /// "job ad in Danish, casual", "outreach messages": who names a draft and what it shall be like,
    /// and says nothing else, wants it made. Another draft takes nothing away.
    fn is_only_named(&self, best: &Scored, sources: &Sources<'_>) -> bool {
        let reading = sources.reading;
        let def = self.tool(best.tool);
        if !def.drafts || reading.question || reading.terms.is_empty() {
            return false;
        }
        let filled = fill(def, *sources);
        let mut quotes = reading.quotes.iter();
        if quotes.any(|quote| !is_among(&filled.taken, quote)) {
            return false;
        }
        // Who gives all that a draft is made from wants it made, however they say it.
        let needs = def.params.iter().any(|param| param.required);
        let given = needs && filled.missing(def).is_empty() && filled.recalled.is_empty();
        given || self.says_nothing_else(best, reading, &filled.taken)
    }

    /// Whether the tool is named, and every word beside values and courtesies is about it.
    fn says_nothing_else(&self, best: &Scored, reading: &Reading, taken: &[Range<usize>]) -> bool {
        const COURTESIES: [Cue; 6] = [
            Cue::Greeting,
            Cue::Polite,
            Cue::Please,
            Cue::Thanks,
            Cue::Yes,
            Cue::Join,
        ];
        let text = &reading.text;
        let verb = reading.head.as_ref().filter(|_| best.action);
        let verb = verb.and_then(|head| head.word);
        let mut named = false;
        let mut at = 0;
        while at < text.words.len() {
            let next = Cue::skip(&COURTESIES, text, at);
            if next > at {
                at = next;
                continue;
            }
            if !is_among(taken, &text.words[at].span()) {
                let term = reading.terms.iter().find(|term| term.word == at);
                let own = term.is_none_or(|term| self.points_to(term, best.tool));
                if Cue::Helping.at(text, at) > 0 || !(own || verb == Some(at)) {
                    return false;
                }
                named |= term.is_some();
            }
            at += 1;
        }
        named
    }

    fn points_to(&self, term: &Term, tool: usize) -> bool {
        let mut keys = term.keys.iter();
        keys.any(|(key, _)| self.index.points_to(key, tool, ABOUT))
    }

    /// Whether the very words of an example are said, whatever the values.
    fn is_said_like_example(&self, tool: usize, sources: &Sources<'_>) -> bool {
        let reading = sources.reading;
        let said = |lower: &str| {
            reading.text.words.iter().any(|word| word.lower == lower)
                || reading.terms.iter().any(|term| term.lower == lower)
        };
        let lessons = self.tool(tool).lessons.iter();
        let mut alike = lessons.filter(|lesson| {
            let all = &lesson.without_values.words;
            // "we are a …" has nothing but small words beside its value.
            let only_small = all.iter().all(|word| word.function);
            let words = || all.iter().filter(|word| only_small || !word.function);
            let met = words().filter(|word| said(&word.lower)).count();
            let enough = if only_small { 1.0 } else { SAME_AS_EXAMPLE };
            met > 0 && met as f32 >= enough * words().count() as f32
        });
        // What is said with a value means nothing without one.
        let filled = || !fill(self.tool(tool), *sources).values.is_empty();
        alike.any(|lesson| {
            let gives = lesson
                .arguments
                .as_object()
                .is_some_and(|map| !map.is_empty());
            !gives || filled()
        })
    }

    /// "A pass for Ali Khan, bank visit, he will return": whoever says all that a new
    /// thing takes wants it made. What is done to an existing thing takes an order.
    fn is_all_given(&self, tool: usize, sources: &Sources<'_>) -> bool {
        const ENOUGH: usize = 2;
        let def = self.tool(tool);
        let required = def.params.iter().filter(|param| param.required).count();
        let creates = def.target.is_none()
            && def
                .params
                .iter()
                .all(|param| param.kind.pattern().is_none());
        let reading = sources.reading;
        let begins = reading.opening();
        let first = reading.terms.iter().find(|term| term.word >= begins);
        let names = def.name_terms.iter().chain(&def.title_terms).flatten();
        // "Kandidatenbericht zu …": a word of the examples that no other tool has names it, too.
        let own = |key: &String| matches!(self.index.tools_by(key), [(only, _)] if *only == tool);
        let opens = first.is_some_and(|term| {
            let keys: Vec<&String> = term.keys.iter().map(|(key, _)| key).collect();
            names.into_iter().any(|name| keys.contains(&name)) || keys.into_iter().any(own)
        });
        // "… He needs a pass": the wish may come last. What was made already is not wished for.
        let wished = |at: usize| {
            let mut means = reading.meanings[at].concepts.iter();
            means.any(|concept| LEXICON.name(*concept) == "need")
        };
        let made = |at: usize| {
            let meaning = &reading.meanings[at];
            let mut means = meaning.concepts.iter();
            meaning.commands.is_empty() && means.any(|c| def.actions.contains(c))
        };
        let all = 0..reading.text.words.len();
        let wished = all.clone().any(wished) && !all.clone().any(made);
        let wished = wished && self.is_called(tool, reading);
        let other_order = reading.head.as_ref().is_some_and(|head| {
            let own = head
                .actions
                .iter()
                .any(|action| def.actions.contains(action));
            head.word.is_some() && !own
        });
        creates
            && (opens || wished)
            && required >= ENOUGH
            && !other_order
            && self.is_complete(tool, sources)
    }
}
