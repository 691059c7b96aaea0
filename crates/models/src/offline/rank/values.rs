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
const TAKES_MOMENT: f32 = 0.06;
const LOSES_MOMENT: f32 = -0.04;
const TAKES_NUMBER: f32 = 0.06;
const LOSES_NUMBER: f32 = -0.08;
const NAMES_CHOICE: f32 = 0.08;

/// What the values in a request say about a tool.
#[derive(Default)]
pub(super) struct Values {
    pub(super) score: f32,
    /// A value of a shape that only this kind of tool takes is evidence in itself.
    pub(super) evidence: f32,
}

/// Whether the tool can take the codes, files, texts, names and numbers that were given,
/// and has those it must have.
pub(super) fn by_values(reading: &Reading, said: &Said, tool: &ToolIndex) -> Values {
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
        // Asking about something does not use up the file.
        if given && (has(is_kind) || !reading.question) {
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
    if !(reading.when.days.is_empty() && reading.when.times.is_empty()) {
        values.score += match (has(&moment), has(&free)) {
            (true, _) => TAKES_MOMENT,
            (false, true) => 0.0,
            (false, false) => LOSES_MOMENT,
        };
    }
    let fitting = by_numbers(reading, tool);
    values.score += fitting;
    values.evidence += fitting.max(0.0);
    let states = tool.params.iter().any(|param| {
        matches!(param.kind, Kind::Boolean)
            && stated(reading, &param.labels, &param.hints, &|_| false).is_some()
    });
    if states {
        values.score += NAMES_CHOICE;
    }
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
