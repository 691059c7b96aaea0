//! Which tool is meant: every tool gets a score from the words of a request, from the
//! examples it resembles, from what it asks to be done and from the values in it.

use super::dialogue::Said;
use super::index::{Index, ToolIndex};
use super::lexicon::{Concept, LEXICON};
use super::param::{Kind, NumberRule};
use super::reading::{Head, Reading, Term};
use super::similarity::{Asked, similarity};
use super::values::choices::find_all as find_choices;
use super::values::pattern::Pattern;

/// A tool and how well it fits.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scored {
    pub(super) tool: usize,
    pub(super) score: f32,
    /// How much of the score comes from words: without any, nothing was asked for.
    pub(super) evidence: f32,
    /// Likeness to the nearest example.
    pub(super) likeness: f32,
    /// The request says to do what the tool does.
    pub(super) action: bool,
}

// What each sort of evidence weighs. Words come first; what is to be done decides
// between tools about the same things; values settle what is left.
const COVERAGE: f32 = 0.42;
const LIKENESS: f32 = 0.28;
const NAME: f32 = 0.14;
const SAME_ACTION: f32 = 0.18;
/// The very word with which the tool's title or an example begins.
const SAME_OPENING: f32 = 0.1;
const LIKE_ACTION: f32 = 0.06;
const OTHER_ACTION: f32 = -0.28;
const TAKES_CODE: f32 = 0.14;
const LOSES_CODE: f32 = -0.45;
const LACKS_CODE: f32 = -0.05;
const TAKES_HANDLE: f32 = 0.14;
const LOSES_HANDLE: f32 = -0.20;
const CODE_EVIDENCE: f32 = 0.15;
const TAKES_NAME: f32 = 0.06;
const LOSES_NAME: f32 = -0.12;
const NAME_EVIDENCE: f32 = 0.06;
const TAKES_MOMENT: f32 = 0.06;
const TAKES_NUMBER: f32 = 0.06;
const LOSES_NUMBER: f32 = -0.08;
const NAMES_CHOICE: f32 = 0.08;
const UNKNOWN_WORDS: f32 = -0.22;
/// And how much of what it tells.
const ASIDE: f32 = 0.1;
/// What is left of the meaning of a command that stands behind another.
const SECOND_COMMAND: f32 = 0.25;
/// An order for what few tools do is evidence in itself.
const ORDERED: f32 = 0.1;
/// What a write keeps of a word that only speaks of what it does.
const NO_COMMAND: f32 = 0.5;
/// A bare code or file is most likely to be looked at.
const ONLY_A_VALUE: f32 = 0.1;

/// All tools, best first.
pub(super) fn rank(index: &Index, reading: &Reading, said: &Said) -> Vec<Scored> {
    let hits: Vec<Hit> = reading
        .terms
        .iter()
        .map(|term| Hit::new(index, reading, term))
        .collect();
    let mut scored: Vec<Scored> = (0..index.tools.len())
        .map(|tool| score(index, reading, said, &hits, tool))
        .collect();
    scored.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.tool.cmp(&b.tool)));
    scored
}

/// What one word says about each tool.
struct Hit {
    by_tool: Vec<f32>,
    /// What it says about the tool it points to most.
    most: f32,
    tells: f32,
    known: bool,
}

impl Hit {
    fn new(index: &Index, reading: &Reading, term: &Term) -> Self {
        let mut by_tool = vec![0.0_f32; index.tools.len()];
        let aside = is_aside(reading, term);
        for (key, _) in &term.keys {
            let share = match key.starts_with('#') {
                true if aside => SECOND_COMMAND,
                true => super::index::BY_MEANING,
                false => 1.0,
            };
            for (tool, weight) in index.tools_by(key) {
                by_tool[*tool] = by_tool[*tool].max(weight * share * term.quality);
            }
        }
        for (tool, hit) in index.tools.iter().zip(&mut by_tool) {
            *hit *= command_share(reading, term, tool);
        }
        let met = by_tool.iter().filter(|hit| **hit > 0.3).count();
        let most = by_tool.iter().copied().fold(0.0, f32::max);
        let tells = tells(index.tools.len(), met);
        Self {
            tells: if aside { tells * ASIDE } else { tells },
            most,
            by_tool,
            known: most > 0.0,
        }
    }
}

/// Whether a word is a command that stands behind another: it belongs to what the first
/// one is about ("remind me to check the oven").
fn is_aside(reading: &Reading, term: &Term) -> bool {
    let commands = !reading.meanings[term.word].commands.is_empty();
    let behind = |head: &Head| head.word < term.word && !is_looking(&head.actions);
    commands && reading.head.as_ref().is_some_and(behind)
}

/// "rejected" speaks of a state; it does not ask to reject.
fn command_share(reading: &Reading, term: &Term, tool: &ToolIndex) -> f32 {
    let meaning = &reading.meanings[term.word];
    let speaks_of = || meaning.concepts.iter().any(|c| tool.actions.contains(c));
    if tool.writes
        && meaning.commands.is_empty()
        && speaks_of()
        && !does_what_is_asked(reading, tool)
    {
        NO_COMMAND
    } else {
        1.0
    }
}

/// A word that few tools use tells much about which is meant.
fn tells(tools: usize, met: usize) -> f32 {
    let all = tools as f32 + 1.0;
    let most = (all / 1.5).ln();
    if most <= 0.0 {
        return 1.0;
    }
    ((all / (met as f32 + 0.5)).ln() / most).clamp(0.08, 1.0)
}

fn score(index: &Index, reading: &Reading, said: &Said, hits: &[Hit], number: usize) -> Scored {
    let tool = &index.tools[number];
    let known: f32 = hits.iter().map(|hit| hit.tells * hit.most).sum();
    let matched: f32 = hits.iter().map(|hit| hit.tells * hit.by_tool[number]).sum();
    let coverage = if known > 0.0 { matched / known } else { 0.0 };
    // "show me" is about nothing yet.
    let evidence: f32 = reading
        .terms
        .iter()
        .zip(hits)
        .map(|(term, hit)| match is_bare_head(index, reading, term) {
            true => hit.tells * literal(index, term, number),
            false => hit.tells * hit.by_tool[number],
        })
        .sum();
    let likeness = likeness(index, reading, hits, tool);
    let action = does_what_is_asked(reading, tool);
    let values = by_values(reading, said, tool);
    let ordered = action
        && reading.head.as_ref().is_some_and(|head| {
            let bare = |c: &Concept| ["show", "find"].contains(&LEXICON.name(*c));
            head.command && !head.actions.iter().all(bare)
        });
    let evidence = evidence + values.evidence + if ordered { ORDERED } else { 0.0 };
    let mut score =
        COVERAGE * coverage + LIKENESS * likeness + NAME * name_share(index, reading, tool);
    score += match (action, &reading.head) {
        (true, _) => SAME_ACTION,
        (false, Some(head)) if is_looking(&head.actions) && is_looking(&tool.actions) => {
            LIKE_ACTION
        }
        (false, Some(head)) if !head.actions.is_empty() && !tool.actions.is_empty() => OTHER_ACTION,
        (false, Some(_)) | (false, None) => 0.0,
    };
    if reading
        .head
        .as_ref()
        .is_some_and(|head| tool.openings.contains(&head.lower))
    {
        score += SAME_OPENING;
    }
    score += values.score;
    score += UNKNOWN_WORDS * unexplained(reading, hits, tool);
    let others = || {
        reading
            .terms
            .iter()
            .zip(hits)
            .filter(|(term, _)| !is_bare_head(index, reading, term))
    };
    let bare = !others().any(|(_, hit)| hit.known);
    if !reading.codes.is_empty() && (bare || reading.question) && looks(tool) {
        score += ONLY_A_VALUE;
    }
    Scored {
        tool: number,
        score,
        evidence,
        likeness,
        action,
    }
}

/// What the word itself, apart from its meanings, says about a tool.
fn literal(index: &Index, term: &Term, number: usize) -> f32 {
    let weights = index.tools_by(&term.lower).iter();
    weights
        .filter(|(tool, _)| *tool == number)
        .map(|(_, weight)| *weight)
        .fold(0.0, f32::max)
}

/// Whether a word only says that something is wanted, not what.
fn is_bare_head(index: &Index, reading: &Reading, term: &Term) -> bool {
    const COMMON: usize = 2;
    reading.head.as_ref().is_some_and(|head| {
        let doing = |tool: &&ToolIndex| head.actions.iter().any(|a| tool.actions.contains(a));
        let bare = head
            .actions
            .iter()
            .all(|a| ["show", "find", "need"].contains(&LEXICON.name(*a)));
        head.word == term.word && bare && index.tools.iter().filter(doing).count() > COMMON
    })
}

/// To show and to find is much the same to who wants to know.
pub(super) fn is_looking<'a>(actions: impl IntoIterator<Item = &'a Concept>) -> bool {
    actions
        .into_iter()
        .any(|a| ["show", "find"].contains(&LEXICON.name(*a)))
}

/// Whether the tool's business is to tell all about one thing.
fn looks(tool: &ToolIndex) -> bool {
    let details = tool
        .name_terms
        .iter()
        .chain(&tool.title_terms)
        .flatten()
        .any(|key| key == "#details");
    !tool.writes && details && tool.params.iter().filter(|p| p.required).count() == 1
}

fn does_what_is_asked(reading: &Reading, tool: &ToolIndex) -> bool {
    reading.head.as_ref().is_some_and(|head| {
        head.actions
            .iter()
            .any(|action| tool.actions.contains(action))
            || (head.actions.is_empty() && tool.verb == head.lower)
    })
}

fn likeness(index: &Index, reading: &Reading, hits: &[Hit], tool: &ToolIndex) -> f32 {
    let asked: Vec<Asked<'_>> = reading
        .terms
        .iter()
        .zip(hits)
        .filter(|(_, hit)| hit.known)
        .map(|(term, hit)| Asked {
            keys: &term.keys,
            quality: term.quality
                * command_share(reading, term, tool)
                * if is_aside(reading, term) {
                    SECOND_COMMAND
                } else {
                    1.0
                },
            tells: hit.tells,
        })
        .collect();
    let weigh = |word: &[String]| {
        let mut met: Vec<usize> = word
            .iter()
            .flat_map(|key| index.tools_by(key))
            .filter(|(_, weight)| *weight > 0.3)
            .map(|(tool, _)| *tool)
            .collect();
        met.sort_unstable();
        met.dedup();
        tells(index.tools.len(), met.len())
    };
    tool.lessons
        .iter()
        .map(|lesson| similarity(&asked, &lesson.terms, weigh))
        .fold(0.0, f32::max)
}

/// How much of the tool's name, or of its title, was said.
fn name_share(index: &Index, reading: &Reading, tool: &ToolIndex) -> f32 {
    let share = |terms: &[Vec<String>]| {
        let said = |word: &&Vec<String>| {
            reading
                .terms
                .iter()
                .any(|term| term.keys.iter().any(|(key, _)| word.contains(key)))
        };
        let weight = |word: &Vec<String>| {
            let met = word
                .iter()
                .map(|key| index.tools_by(key).len())
                .max()
                .unwrap_or(0);
            tells(index.tools.len(), met)
        };
        let all: f32 = terms.iter().map(weight).sum();
        let met: f32 = terms.iter().filter(said).map(weight).sum();
        if all > 0.0 { met / all } else { 0.0 }
    };
    f32::max(share(&tool.name_terms), share(&tool.title_terms))
}

/// What the values in a request say about a tool.
#[derive(Default)]
struct Values {
    score: f32,
    /// A value of a shape that only this kind of tool takes is evidence in itself.
    evidence: f32,
}

/// Whether the tool can take the codes, files, texts, names and numbers that were given,
/// and has those it must have.
fn by_values(reading: &Reading, said: &Said, tool: &ToolIndex) -> Values {
    let mut values = Values::default();
    let has =
        |is_kind: &dyn Fn(&Kind) -> bool| tool.params.iter().any(|param| is_kind(&param.kind));
    let free = |kind: &Kind| matches!(kind, Kind::Text | Kind::LongText);
    if !reading.codes.is_empty() {
        let shaped = |kind: &Kind| {
            let fits = |p: &Pattern| reading.codes.iter().any(|code| p.is_match(&code.value));
            kind.pattern().is_some_and(fits)
        };
        let taught = tool
            .params
            .iter()
            .filter(|p| matches!(p.kind, Kind::Id))
            .any(|param| {
                let values = tool
                    .lessons
                    .iter()
                    .filter_map(|lesson| lesson.arguments.get(&param.name)?.as_str());
                values
                    .into_iter()
                    .any(|value| is_shaped_alike(value, reading))
            });
        if has(&shaped) || taught {
            values.score += TAKES_CODE;
            values.evidence += CODE_EVIDENCE;
        } else if !has(&free) && !has(&|kind| matches!(kind, Kind::Id)) {
            values.score += LOSES_CODE;
        }
    } else if tool
        .params
        .iter()
        .any(|p| p.required && matches!(p.kind, Kind::Pattern(_)))
    {
        values.score += LACKS_CODE;
    }
    let mut handle = |given: bool, is_kind: &dyn Fn(&Kind) -> bool| {
        if given {
            values.score += if has(is_kind) {
                TAKES_HANDLE
            } else {
                LOSES_HANDLE
            };
        }
    };
    handle(!said.files.is_empty(), &|kind| matches!(kind, Kind::File));
    handle(!said.texts.is_empty(), &|kind| {
        matches!(kind, Kind::LongText)
    });
    if reading.names > 0 {
        let listed = |kind: &Kind| matches!(kind, Kind::List(items) if matches!(items.as_ref(), Kind::Name | Kind::Text));
        let several = reading.names > 1;
        let takes = has(&|kind| matches!(kind, Kind::Name) || (several && listed(kind)));
        values.score += if takes {
            TAKES_NAME
        } else if has(&free) {
            0.0
        } else {
            LOSES_NAME
        };
        values.score += if several && has(&listed) {
            TAKES_NAME
        } else {
            0.0
        };
        values.evidence += if takes && !reading.has_unknown {
            NAME_EVIDENCE
        } else {
            0.0
        };
    }
    let moment = |kind: &Kind| {
        matches!(
            kind,
            Kind::Date { .. } | Kind::Time { .. } | Kind::DateTime { .. }
        )
    };
    if !(reading.when.days.is_empty() && reading.when.times.is_empty()) && has(&moment) {
        values.score += TAKES_MOMENT;
    }
    let fitting = by_numbers(reading, tool);
    values.score += fitting;
    values.evidence += fitting.max(0.0);
    let names_choice = tool.params.iter().any(|param| {
        let Kind::Enum(choices) = &param.kind else {
            return false;
        };
        !find_choices(reading, choices, &|_| false).is_empty()
    });
    if names_choice {
        values.score += if reading.question {
            NAMES_CHOICE * 2.0
        } else {
            NAMES_CHOICE
        };
        values.evidence += NAMES_CHOICE;
    }
    values
}

/// Whether an example's identifier looks like a code that was given: letters for letters
/// and digits for digits.
fn is_shaped_alike(example: &str, reading: &Reading) -> bool {
    let shape = |text: &str| -> String {
        let kinds = text.chars().map(|c| {
            if c.is_ascii_digit() {
                '0'
            } else if c.is_alphabetic() {
                'a'
            } else {
                c
            }
        });
        kinds.collect()
    };
    reading
        .codes
        .iter()
        .any(|code| shape(&code.value) == shape(example))
}

fn by_numbers(reading: &Reading, tool: &ToolIndex) -> f32 {
    if reading.numbers.is_empty() {
        return 0.0;
    }
    let rules = tool.params.iter().filter_map(|param| {
        if let Kind::Number(rule) = &param.kind {
            Some(rule)
        } else {
            None
        }
    });
    let fits = |rule: &NumberRule| {
        reading
            .numbers
            .iter()
            .any(|n| (n.unit.is_some() && rule.unit.is_some()) || (n.money && rule.money))
    };
    let rules: Vec<&NumberRule> = rules.collect();
    let measured = reading.numbers.iter().any(|n| n.unit.is_some() || n.money);
    let takes_text = tool
        .params
        .iter()
        .any(|p| matches!(p.kind, Kind::Text | Kind::LongText));
    match (rules.is_empty(), rules.into_iter().any(fits)) {
        (_, true) => TAKES_NUMBER * 3.0,
        (false, false) => TAKES_NUMBER,
        (true, false) if measured && !takes_text => LOSES_NUMBER,
        (true, false) => 0.0,
    }
}

/// The share of words that neither the tool nor its free parameters can account for.
fn unexplained(reading: &Reading, hits: &[Hit], tool: &ToolIndex) -> f32 {
    if tool
        .params
        .iter()
        .any(|param| matches!(param.kind, Kind::Text | Kind::LongText))
    {
        return 0.0;
    }
    let listed = |kind: &Kind| matches!(kind, Kind::List(items) if matches!(items.as_ref(), Kind::Name | Kind::Text));
    let takes_names = tool
        .params
        .iter()
        .any(|p| matches!(p.kind, Kind::Name) || listed(&p.kind));
    let head = reading.head.as_ref().map(|head| head.word);
    let others = || {
        reading
            .terms
            .iter()
            .zip(hits)
            .filter(|(term, _)| Some(term.word) != head)
    };
    let unknown = others()
        .filter(|(term, hit)| {
            let is_name = takes_names && reading.text.is_capitalised(term.word);
            !hit.known && !is_name
        })
        .count();
    let all = others().count();
    if all == 0 {
        return 0.0;
    }
    let values = reading.codes.len() + reading.numbers.len();
    unknown as f32 / (all + 2 * values) as f32
}

#[cfg(test)]
#[path = "rank_tests.rs"]
mod rank_tests;
