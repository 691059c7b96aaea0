//! Which tool is meant: every tool gets a score from the words of a request, from the
//! examples it resembles, from what it asks to be done and from the values in it.

use super::dialogue::Said;
use super::index::{Index, ToolIndex};
use super::lexicon::LEXICON;
use super::param::Kind;
use super::reading::{Reading, Term};
use super::similarity::{Asked, similarity};

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
const OTHER_ACTION: f32 = -0.28;
const TAKES_CODE: f32 = 0.14;
const LOSES_CODE: f32 = -0.30;
const LACKS_CODE: f32 = -0.05;
const TAKES_HANDLE: f32 = 0.14;
const LOSES_HANDLE: f32 = -0.20;
const NAMES_CHOICE: f32 = 0.08;
const UNKNOWN_WORDS: f32 = -0.22;
/// A bare code or file is most likely to be looked at.
const ONLY_A_VALUE: f32 = 0.1;

/// All tools, best first.
pub(super) fn rank(index: &Index, reading: &Reading, said: &Said) -> Vec<Scored> {
    let hits: Vec<Hit> = reading.terms.iter().map(|term| Hit::new(index, term)).collect();
    let mut scored: Vec<Scored> = (0..index.tools.len())
        .map(|tool| score(index, reading, said, &hits, tool))
        .collect();
    scored.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.tool.cmp(&b.tool)));
    scored
}

/// What one word says about each tool.
struct Hit {
    by_tool: Vec<f32>,
    tells: f32,
    known: bool,
}

impl Hit {
    fn new(index: &Index, term: &Term) -> Self {
        let mut by_tool = vec![0.0_f32; index.tools.len()];
        for (key, _) in &term.keys {
            let share = if key.starts_with('#') { super::index::BY_MEANING } else { 1.0 };
            for (tool, weight) in index.tools_by(key) {
                by_tool[*tool] = by_tool[*tool].max(weight * share * term.quality);
            }
        }
        let met = by_tool.iter().filter(|hit| **hit > 0.3).count();
        let known = by_tool.iter().any(|hit| *hit > 0.0);
        Self {
            tells: tells(index.tools.len(), met),
            by_tool,
            known,
        }
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
    let known: f32 = hits.iter().filter(|hit| hit.known).map(|hit| hit.tells).sum();
    let matched: f32 = hits.iter().map(|hit| hit.tells * hit.by_tool[number]).sum();
    let coverage = if known > 0.0 { matched / known } else { 0.0 };
    // "show me" is about nothing yet.
    let about = |term: &(&Term, &Hit)| !is_bare_head(reading, term.0);
    let evidence: f32 = reading
        .terms
        .iter()
        .zip(hits)
        .filter(about)
        .map(|(_, hit)| hit.tells * hit.by_tool[number])
        .sum();
    let likeness = likeness(index, reading, hits, tool);
    let action = does_what_is_asked(reading, tool);
    let mut score = COVERAGE * coverage + LIKENESS * likeness + NAME * name_share(index, reading, tool);
    score += match (action, &reading.head) {
        (true, _) => SAME_ACTION,
        (false, Some(head)) if !head.actions.is_empty() && !tool.actions.is_empty() => OTHER_ACTION,
        (false, Some(_)) | (false, None) => 0.0,
    };
    score += by_values(reading, said, tool);
    score += UNKNOWN_WORDS * unexplained(reading, hits, tool);
    let bare = reading.terms.is_empty() && (!reading.codes.is_empty() || !said.files.is_empty());
    if bare && looks(tool) {
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

/// Whether a word only says that something is wanted, not what.
fn is_bare_head(reading: &Reading, term: &Term) -> bool {
    reading.head.as_ref().is_some_and(|head| {
        let names = || head.actions.iter().map(|a| LEXICON.name(*a));
        head.word == term.word && names().count() > 0 && names().all(|n| ["show", "find", "need"].contains(&n))
    })
}

/// Whether the tool's business is to show something.
fn looks(tool: &ToolIndex) -> bool {
    let names = || tool.actions.iter().map(|a| LEXICON.name(*a));
    !tool.writes && names().any(|name| name == "show") && !names().any(|name| name == "print")
        && tool.params.iter().filter(|p| p.required).count() == 1
}

fn does_what_is_asked(reading: &Reading, tool: &ToolIndex) -> bool {
    reading.head.as_ref().is_some_and(|head| {
        head.actions.iter().any(|action| tool.actions.contains(action))
            || (head.actions.is_empty() && tool.heads.contains(&head.lower))
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
            quality: term.quality,
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
            reading.terms.iter().any(|term| term.keys.iter().any(|(key, _)| word.contains(key)))
        };
        let weight = |word: &Vec<String>| {
            let met = word.iter().map(|key| index.tools_by(key).len()).max().unwrap_or(0);
            tells(index.tools.len(), met)
        };
        let all: f32 = terms.iter().map(weight).sum();
        let met: f32 = terms.iter().filter(said).map(weight).sum();
        if all > 0.0 { met / all } else { 0.0 }
    };
    f32::max(share(&tool.name_terms), share(&tool.title_terms))
}

/// Whether the tool can take the codes, files and texts that were given, and has those
/// it must have.
fn by_values(reading: &Reading, said: &Said, tool: &ToolIndex) -> f32 {
    let mut score = 0.0;
    let absorbs = |kind: &Kind| matches!(kind, Kind::Id | Kind::Text | Kind::LongText);
    if !reading.codes.is_empty() {
        let takes = |code: &str| {
            let shaped = |kind: &Kind| kind.pattern().is_some_and(|p| p.is_match(code));
            tool.params.iter().any(|param| shaped(&param.kind))
        };
        let taken = reading.codes.iter().any(|code| takes(&code.value));
        score += match (taken, tool.params.iter().any(|param| absorbs(&param.kind))) {
            (true, _) => TAKES_CODE,
            (false, true) => 0.0,
            (false, false) => LOSES_CODE,
        };
    } else if tool.params.iter().any(|p| p.required && matches!(p.kind, Kind::Pattern(_))) {
        score += LACKS_CODE;
    }
    for (given, is_kind) in [
        (!said.files.is_empty(), &(|kind: &Kind| matches!(kind, Kind::File)) as &dyn Fn(&Kind) -> bool),
        (!said.texts.is_empty(), &|kind: &Kind| matches!(kind, Kind::LongText)),
    ] {
        let takes = tool.params.iter().any(|param| is_kind(&param.kind));
        score += match (given, takes) {
            (true, true) => TAKES_HANDLE,
            (true, false) => LOSES_HANDLE,
            (false, _) => 0.0,
        };
    }
    let names_choice = tool.params.iter().any(|param| {
        let Kind::Enum(choices) = &param.kind else {
            return false;
        };
        let head = reading.head.as_ref().map(|head| head.word);
        let taken = |at: usize| head == Some(at);
        !super::values::choices::find_all(reading, choices, &taken).is_empty()
    });
    if names_choice {
        score += NAMES_CHOICE;
    }
    score
}

/// The share of words that neither the tool nor its free parameters can account for.
fn unexplained(reading: &Reading, hits: &[Hit], tool: &ToolIndex) -> f32 {
    let absorbs = |kind: &Kind| {
        let single = matches!(kind, Kind::Name | Kind::Text | Kind::LongText);
        let listed = if let Kind::List(items) = kind { matches!(items.as_ref(), Kind::Name | Kind::Text) } else { false };
        single || listed
    };
    if reading.terms.is_empty() || tool.params.iter().any(|param| absorbs(&param.kind)) {
        return 0.0;
    }
    let unknown = hits.iter().filter(|hit| !hit.known).count();
    unknown as f32 / reading.terms.len() as f32
}

#[cfg(test)]
#[path = "rank_tests.rs"]
mod rank_tests;
