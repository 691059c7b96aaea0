//! Which tool is meant: every tool gets a score from the words of a request, from the
//! examples it resembles, from what it asks to be done and from the values in it.

mod values;

use super::dialogue::Said;
use super::index::{Index, ToolIndex};
use super::lexicon::{Concept, LEXICON};
use super::param::{Kind, Param};
use super::reading::{Head, Reading, Term};
use super::similarity::{Asked, similarity};
use values::by_values;

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
/// The words before the value are those of an example.
const SAME_BEGINNING: f32 = 0.12;
const LIKE_ACTION: f32 = 0.06;
/// "GP-7 is back" orders nothing, and is about what the tool records.
const SPOKEN_ACTION: f32 = 0.1;
const OTHER_ACTION: f32 = -0.28;
const UNKNOWN_WORDS: f32 = -0.22;
/// What is left of that where a text may hold such words and need not.
const PERHAPS_TEXT: f32 = 0.5;
/// And how much of what it tells.
const ASIDE: f32 = 0.1;
/// What is left of the meaning of a command that stands behind another.
const SECOND_COMMAND: f32 = 0.25;
/// An order for what few tools do is evidence in itself.
const ORDERED: f32 = 0.1;
/// What a write keeps of a word that only speaks of what it does.
const NO_COMMAND: f32 = 0.5;
/// Letters that stand for something in the name of one tool alone ("HM template").
const INITIALS: f32 = 0.14;
/// A bare code or file is most likely to be looked at.
const ONLY_A_NAME: f32 = 0.3;
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

impl Hit {
    /// What a word counts among all that are known. One that no tool is about, but some parameter
    /// mentions, cannot be met in full.
    fn weight(&self) -> f32 {
        const LEAST: f32 = 0.5;
        if self.known {
            self.tells * self.most.max(LEAST)
        } else {
            0.0
        }
    }
}

/// Whether a word is a command that stands behind another: it belongs to what the first
/// one is about ("remind me to check the oven").
fn is_aside(reading: &Reading, term: &Term) -> bool {
    let commands = !reading.meanings[term.word].commands.is_empty();
    let behind =
        |head: &Head| head.word.is_some_and(|word| word < term.word) && !is_looking(&head.actions);
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
    let known: f32 = hits.iter().map(Hit::weight).sum();
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
    let unexplained = unexplained(reading, hits, tool);
    // Words that nobody knows are not made up for by a "what is".
    let likeness = match evidence <= 0.0 && unexplained > 0.0 {
        true => 0.0,
        false => likeness(index, reading, hits, tool),
    };
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
    score += by_action(reading, tool, action);
    if reading
        .head
        .as_ref()
        .is_some_and(|head| tool.openings.contains(&head.lower))
    {
        score += SAME_OPENING;
    }
    if begins_like_example(reading, tool) {
        score += SAME_BEGINNING;
    }
    if is_called_by_initials(reading, tool, index) {
        score += INITIALS;
    }
    score += values.score;
    score += UNKNOWN_WORDS * unexplained;
    let others = || {
        reading
            .terms
            .iter()
            .zip(hits)
            .filter(|(term, _)| !is_bare_head(index, reading, term))
    };
    let bare = !others().any(|(_, hit)| hit.known);
    if !reading.codes.is_empty() && (bare || reading.question) && tool.tells_all() {
        score += ONLY_A_VALUE;
    }
    if reading.is_only_names() && takes_just_a_name(tool) {
        score += ONLY_A_NAME;
    }
    Scored {
        tool: number,
        score,
        evidence,
        likeness,
        action,
    }
}

/// What it counts that a tool does, or does not do, what is to be done.
fn by_action(reading: &Reading, tool: &ToolIndex, action: bool) -> f32 {
    // Whatever answers a question does what is asked.
    let answers = |head: &Head| head.word.is_none() && is_looking(&head.actions) && !tool.writes;
    // "make a comparison" is to compare, before it is to make something.
    let in_general = |head: &Head| {
        let first = head.actions.first();
        head.actions.len() > 1 && first.is_some_and(|action| !tool.actions.contains(action))
    };
    match (action, &reading.head) {
        (true, Some(head)) if in_general(head) && is_light(head) => LIKE_ACTION,
        (true, _) => SAME_ACTION,
        (false, Some(head)) if answers(head) => SAME_ACTION,
        (false, Some(head)) if is_looking(&head.actions) && is_looking(&tool.actions) => {
            LIKE_ACTION
        }
        (false, Some(head)) if !head.actions.is_empty() && !tool.actions.is_empty() => OTHER_ACTION,
        (false, None) if speaks_of_doing(reading, tool) => SPOKEN_ACTION,
        (false, Some(_)) | (false, None) => 0.0,
    }
}

/// Whether the verb says only that something is made, and what follows it says more.
fn is_light(head: &Head) -> bool {
    let last = head.actions.last();
    last.is_some_and(|action| LEXICON.name(*action) == "create")
}

fn speaks_of_doing(reading: &Reading, tool: &ToolIndex) -> bool {
    let spoken = reading
        .meanings
        .iter()
        .flat_map(|meaning| &meaning.concepts);
    let mut doing = spoken.filter(|concept| LEXICON.is_action(**concept));
    tool.writes && !reading.codes.is_empty() && doing.any(|concept| tool.actions.contains(concept))
}

fn is_called_by_initials(reading: &Reading, tool: &ToolIndex, index: &Index) -> bool {
    const LONGEST: usize = 3;
    let in_name = |tool: &ToolIndex, lower: &String| {
        let mut names = tool.name_terms.iter().flatten();
        names.any(|name| name == lower)
    };
    reading.terms.iter().any(|term| {
        let short = term.lower.chars().count() <= LONGEST;
        let plain = reading.meanings[term.word].concepts.is_empty();
        let mut others = index
            .tools
            .iter()
            .filter(|other| in_name(other, &term.lower));
        short && plain && in_name(tool, &term.lower) && others.nth(1).is_none()
    })
}

fn begins_like_example(reading: &Reading, tool: &ToolIndex) -> bool {
    let begins = reading.opening();
    let mut openings = tool.lessons.iter().map(|lesson| &lesson.opening);
    openings.any(|opening| !opening.is_empty() && reading.text.has_at(begins, opening))
}

/// What the word itself, apart from its meanings, says about a tool.
fn literal(index: &Index, term: &Term, number: usize) -> f32 {
    // Half of all tools are named so; it says nothing.
    if ["get", "show", "view", "give", "fetch"].contains(&term.lower.as_str()) {
        return 0.0;
    }
    let weights = index.tools_by(&term.lower).iter();
    weights
        .filter(|(tool, _)| *tool == number)
        .map(|(_, weight)| *weight)
        .fold(0.0, f32::max)
}

/// Whether a name is all that a tool needs to tell something.
fn takes_just_a_name(tool: &ToolIndex) -> bool {
    let mut required = tool.params.iter().filter(|param| param.required);
    let name = required
        .next()
        .is_some_and(|param| matches!(param.kind, Kind::Name));
    !tool.writes && name && required.next().is_none()
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
        head.word == Some(term.word) && bare && index.tools.iter().filter(doing).count() > COMMON
    })
}

/// To show and to find is much the same to who wants to know.
pub(super) fn is_looking<'a>(actions: impl IntoIterator<Item = &'a Concept>) -> bool {
    actions
        .into_iter()
        .any(|a| ["show", "find"].contains(&LEXICON.name(*a)))
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

/// The share of words that neither the tool nor its free parameters can account for.
fn unexplained(reading: &Reading, hits: &[Hit], tool: &ToolIndex) -> f32 {
    let takes_text = |param: &Param| matches!(param.kind, Kind::Text | Kind::LongText);
    let texts = || tool.params.iter().filter(|param| takes_text(param));
    if texts().any(|param| param.required) {
        return 0.0;
    }
    let share = if texts().next().is_some() {
        PERHAPS_TEXT
    } else {
        1.0
    };
    let takes_names = tool
        .params
        .iter()
        .any(|p| matches!(p.kind, Kind::Name) || p.kind.lists_words());
    let head = reading.head.as_ref().and_then(|head| head.word);
    let others = || {
        reading
            .terms
            .iter()
            .zip(hits)
            .filter(|(term, _)| Some(term.word) != head)
    };
    let unknown = others()
        .filter(|(term, hit)| !(hit.known || takes_names && reading.text.is_capitalised(term.word)))
        .count();
    let all = others().count();
    if all == 0 {
        return 0.0;
    }
    let values = reading.codes.len() + reading.numbers.len();
    share * unknown as f32 / (all + 2 * values) as f32
}
