//! What the values in a request say about a tool: whether it can take them, and has
//! those it must have.

use super::super::dialogue::Said;
use super::super::index::ToolIndex;
use super::super::param::{Kind, NumberRule};
use super::super::reading::Reading;
use super::super::values::choices::{find_all as find_choices, stated};
use super::super::values::pattern::Pattern;

const TAKES_CODE: f32 = 0.14;
const LOSES_CODE: f32 = -0.45;
const LACKS_CODE: f32 = -0.05;
const TAKES_HANDLE: f32 = 0.14;
const LOSES_HANDLE: f32 = -0.20;
const CODE_EVIDENCE: f32 = 0.15;
const TAKES_NAME: f32 = 0.06;
const LOSES_NAME: f32 = -0.12;
const NAME_EVIDENCE: f32 = 0.06;
/// A question about somebody is answered by who tells of one.
const ASKED_ABOUT_NAME: f32 = 0.35;
const LOSES_WHOM: f32 = -0.45;
const TAKES_MOMENT: f32 = 0.06;
const LOSES_MOMENT: f32 = -0.04;
const TAKES_NUMBER: f32 = 0.06;
const LOSES_NUMBER: f32 = -0.08;
const NAMES_CHOICE: f32 = 0.08;

/// What the values in a request say about a tool.
#[derive(Clone, Copy, Default)]
pub(super) struct Values {
    pub(super) score: f32,
    /// A value of a shape that only this kind of tool takes is evidence in itself.
    pub(super) evidence: f32,
}

impl Values {
    fn plain(score: f32) -> Self {
        Self {
            score,
            evidence: 0.0,
        }
    }
}

/// Whether the tool can take the codes, files, texts, names and numbers that were given,
/// and has those it must have.
pub(super) fn by_values(reading: &Reading, said: &Said, tool: &ToolIndex) -> Values {
    let grounds = [
        by_codes(reading, tool),
        by_handles(reading, said, tool),
        by_names(reading, tool),
        by_moments(reading, tool),
        by_numbers(reading, tool),
        by_choices(reading, tool),
    ];
    Values {
        score: grounds.iter().map(|ground| ground.score).sum(),
        evidence: grounds.iter().map(|ground| ground.evidence).sum(),
    }
}

fn takes(tool: &ToolIndex, is_kind: impl Fn(&Kind) -> bool) -> bool {
    tool.params.iter().any(|param| is_kind(&param.kind))
}

fn is_free(kind: &Kind) -> bool {
    matches!(kind, Kind::Text | Kind::LongText)
}

fn by_codes(reading: &Reading, tool: &ToolIndex) -> Values {
    if reading.codes.is_empty() {
        let lacks = tool
            .params
            .iter()
            .any(|p| p.required && matches!(p.kind, Kind::Pattern(_) | Kind::Id));
        return Values::plain(if lacks { LACKS_CODE } else { 0.0 });
    }
    let shaped = |kind: &Kind| {
        let fits = |p: &Pattern| reading.codes.iter().any(|code| p.is_match(&code.value));
        kind.pattern().is_some_and(fits)
    };
    if takes(tool, shaped) || is_taught_codes(reading, tool) {
        return Values {
            score: TAKES_CODE,
            evidence: CODE_EVIDENCE,
        };
    }
    let loses = !takes(tool, is_free) && !takes(tool, |kind| matches!(kind, Kind::Id));
    // A question about one thing is not about all of them.
    let lost = if reading.question {
        LOSES_CODE * 1.5
    } else {
        LOSES_CODE
    };
    Values::plain(if loses { lost } else { 0.0 })
}

/// Whether the examples give an identifier that looks like a code of the request.
fn is_taught_codes(reading: &Reading, tool: &ToolIndex) -> bool {
    let ids = tool.params.iter().filter(|p| matches!(p.kind, Kind::Id));
    ids.into_iter().any(|param| {
        let mut values = tool
            .lessons
            .iter()
            .filter_map(|lesson| lesson.arguments.get(&param.name)?.as_str());
        values.any(|value| is_shaped_alike(value, reading))
    })
}

fn by_handles(reading: &Reading, said: &Said, tool: &ToolIndex) -> Values {
    let file = takes(tool, |kind| matches!(kind, Kind::File));
    let text = takes(tool, |kind| matches!(kind, Kind::LongText));
    let mut score = 0.0;
    for (given, taken) in [(!said.files.is_empty(), file), (said.has_text(), text)] {
        // Asking about something does not use up the file.
        score += match (given, taken) {
            (true, true) => TAKES_HANDLE,
            (true, false) if !reading.question => LOSES_HANDLE,
            (true, false) | (false, _) => 0.0,
        };
    }
    Values::plain(score)
}

fn by_names(reading: &Reading, tool: &ToolIndex) -> Values {
    if reading.names == 0 {
        return Values::default();
    }
    let lists = takes(tool, Kind::lists_words) && (reading.names > 1 || is_taught_one(tool));
    let about_one = reading.asks_about_one();
    if about_one && super::takes_just_a_name(tool) {
        return Values {
            score: ASKED_ABOUT_NAME,
            evidence: NAME_EVIDENCE,
        };
    }
    if !lists && !takes(tool, |kind| matches!(kind, Kind::Name)) {
        let loses = !takes(tool, is_free);
        let ordered = reading
            .head
            .as_ref()
            .is_some_and(|head| head.command && !super::is_looking(&head.actions));
        let lost = match (about_one, ordered && !reading.question) {
            (true, _) => LOSES_WHOM,
            (false, true) => LOSES_NAME * 1.5,
            (false, false) => LOSES_NAME,
        };
        return Values::plain(if loses || about_one { lost } else { 0.0 });
    }
    Values {
        score: if lists { TAKES_NAME * 2.0 } else { TAKES_NAME },
        evidence: if reading.has_unknown {
            0.0
        } else {
            NAME_EVIDENCE
        },
    }
}

/// Whether some example gives a list of one.
fn is_taught_one(tool: &ToolIndex) -> bool {
    let mut arguments = tool.lessons.iter().filter_map(|l| l.arguments.as_object());
    arguments.any(|all| {
        let mut lists = all.values().filter_map(|value| value.as_array());
        lists.any(|list| list.len() == 1 && list[0].is_string())
    })
}

fn by_moments(reading: &Reading, tool: &ToolIndex) -> Values {
    if reading.when.days.is_empty() && reading.when.times.is_empty() {
        return Values::default();
    }
    let moment = |kind: &Kind| {
        matches!(
            kind,
            Kind::Date { .. } | Kind::Time { .. } | Kind::DateTime { .. }
        )
    };
    Values::plain(match (takes(tool, moment), takes(tool, is_free)) {
        (true, _) => TAKES_MOMENT,
        (false, true) => 0.0,
        (false, false) => LOSES_MOMENT,
    })
}

fn by_choices(reading: &Reading, tool: &ToolIndex) -> Values {
    let mut values = Values::default();
    let states = tool.params.iter().any(|param| {
        matches!(param.kind, Kind::Boolean)
            && stated(reading, &param.labels, &param.hints, &|_| false).is_some()
    });
    if states {
        values.score += NAMES_CHOICE;
    }
    let names_choice = takes(tool, |kind| {
        if let Kind::Enum(choices) = kind {
            !find_choices(reading, choices, &|_| false).is_empty()
        } else {
            false
        }
    });
    if names_choice {
        values.score += if reading.question || reading.asks_indirectly() {
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

fn by_numbers(reading: &Reading, tool: &ToolIndex) -> Values {
    if reading.numbers.is_empty() {
        return Values::default();
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
    // No list is 35000 long.
    let holds = |rule: &&NumberRule| {
        let mut numbers = reading.numbers.iter();
        numbers.any(|n| (rule.least..=rule.most).contains(&n.value))
    };
    let fitting = rules.iter().any(holds);
    let score = match (rules.is_empty(), rules.into_iter().any(fits)) {
        (_, true) => TAKES_NUMBER * 3.0,
        (false, false) if !fitting => LOSES_NUMBER,
        (false, false) => TAKES_NUMBER,
        (true, false) if measured && !takes_text => LOSES_NUMBER,
        (true, false) => 0.0,
    };
    Values {
        score,
        evidence: score.max(0.0),
    }
}
