//! From scores to a choice: sure enough to act, or unsure enough to ask.

use super::super::cues::Cue;
use super::super::fill::{Sources, fill};
use super::super::lexicon::LEXICON;
use super::super::param::Kind;
use super::super::rank::{Scored, rank};
use super::Mind;

/// What a request is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// `commanded`: the words order it, rather than speak of it.
    Tool {
        tool: usize,
        commanded: bool,
    },
    /// One of these; the person must say which.
    Unclear(Vec<usize>),
    Nothing,
}

/// Below this a tool does not fit at all.
const LEAST_SCORE: f32 = 0.30;
/// So much must come from words that are about something.
const LEAST_EVIDENCE: f32 = 0.05;
/// A sentence this near to an example says the same.
const SAME_AS_EXAMPLE: f32 = 0.7;
/// Of two tools that fit about as well, the one whose arguments are all there.
const COMPLETE: f32 = 0.06;
/// A question about a write is not an order to write.
const ASKED_ABOUT: f32 = -0.6;
const MOST_CHOICES: usize = 3;

/// Whether the best tool fits well enough to be spoken of.
pub(in super::super) fn is_clear(best: &Scored) -> bool {
    let said = best.evidence >= LEAST_EVIDENCE || best.likeness >= SAME_AS_EXAMPLE;
    said && best.score >= LEAST_SCORE
}

impl Mind<'_> {
    pub(super) fn choose(&self, sources: &Sources<'_>) -> Choice {
        let reading = sources.reading;
        let mut ranked = rank(self.index, reading, sources.said);
        if reading.question {
            for scored in &mut ranked {
                if self.tool(scored.tool).writes {
                    scored.score += ASKED_ABOUT;
                }
            }
        }
        for scored in ranked.iter_mut().take(MOST_CHOICES) {
            if self.is_complete(scored.tool, sources) {
                scored.score += COMPLETE;
            }
        }
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.tool.cmp(&b.tool)));
        let given = !reading.codes.is_empty()
            || !sources.said.files.is_empty()
            || !sources.said.texts.is_empty();
        ranked.retain(|scored| {
            is_clear(scored) || (given && reading.terms.is_empty() && scored.score > 0.0)
        });
        if reading.question && ranked.iter().any(|scored| !self.tool(scored.tool).writes) {
            ranked.retain(|scored| !self.tool(scored.tool).writes);
        }
        let Some(best) = ranked.first().cloned() else {
            return self.look_it_up(sources);
        };
        let margin = ranked
            .get(1)
            .map_or(f32::MAX, |second| best.score - second.score);
        let def = self.tool(best.tool);
        let needed = if def.writes {
            self.settings.write_margin
        } else {
            self.settings.read_margin
        };
        if margin < needed {
            let near = ranked
                .iter()
                .take_while(|other| best.score - other.score < needed);
            let near = near.filter(|other| !reading.question || !self.tool(other.tool).writes);
            return Choice::Unclear(near.take(MOST_CHOICES).map(|other| other.tool).collect());
        }
        let commanded = self.is_commanded(&best, sources);
        Choice::Tool {
            tool: best.tool,
            commanded,
        }
    }

    fn is_complete(&self, tool: usize, sources: &Sources<'_>) -> bool {
        let filled = fill(self.tool(tool), *sources);
        filled.missing(self.tool(tool)).is_empty() && filled.recalled.is_empty()
    }

    /// Whether the words order what the tool does: a command, a sentence like one of its
    /// examples, or what it does together with the file it needs.
    fn is_commanded(&self, best: &Scored, sources: &Sources<'_>) -> bool {
        let def = self.tool(best.tool);
        let reading = sources.reading;
        let ordered = best.action && reading.head.as_ref().is_some_and(|head| head.command);
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
    }

    /// Whether the very words of an example are said, whatever the values.
    fn is_said_like_example(&self, tool: usize, sources: &Sources<'_>) -> bool {
        let reading = sources.reading;
        let said = |lower: &str| {
            reading.text.words.iter().any(|word| word.lower == lower)
                || reading.terms.iter().any(|term| term.lower == lower)
        };
        self.tool(tool).lessons.iter().any(|lesson| {
            let words = || {
                lesson
                    .without_values
                    .words
                    .iter()
                    .filter(|word| !word.function)
            };
            let met = words().filter(|word| said(&word.lower)).count();
            met > 0 && met as f32 >= SAME_AS_EXAMPLE * words().count() as f32
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
        let first = reading.terms.first();
        let names = def.name_terms.iter().chain(&def.title_terms).flatten();
        let opens = first.is_some_and(|term| {
            let keys: Vec<&String> = term.keys.iter().map(|(key, _)| key).collect();
            names.into_iter().any(|name| keys.contains(&name))
        });
        let other_order = reading.head.is_some();
        creates && opens && required >= ENOUGH && !other_order && self.is_complete(tool, sources)
    }

    /// A question that no tool is about goes to the one that answers questions.
    fn look_it_up(&self, sources: &Sources<'_>) -> Choice {
        let reading = sources.reading;
        let mut lookups =
            (0..self.index.tools.len()).filter(|t| self.tool(*t).question_param().is_some());
        let asks = reading.head.as_ref().is_some_and(|head| {
            head.actions
                .iter()
                .any(|a| ["find", "show", "explain"].contains(&LEXICON.name(*a)))
        }) || reading.question;
        match (lookups.next(), lookups.next()) {
            (Some(tool), None) if asks && !reading.terms.is_empty() => Choice::Tool {
                tool,
                commanded: true,
            },
            _ => Choice::Nothing,
        }
    }
}
