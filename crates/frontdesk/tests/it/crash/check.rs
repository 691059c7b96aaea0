//! The checker: acknowledgements to clients, stored rows and effects must agree.

use std::collections::HashMap;

use frontdesk_core::event::{Event, Finished};
use frontdesk_core::tool::{Effect, ToolErrorKind};
use serde_json::Value;
use uuid::Uuid;

use super::clients::Ack;
use super::effects::Done;
use super::facts::{Facts, StoredTurn};
use super::model;

/// Every violated invariant; empty in a correct run.
pub fn violations(acks: &[Ack], facts: &Facts, done: &[Done]) -> Vec<String> {
    let mut found = Vec::new();
    acknowledged_is_stored_once(acks, facts, &mut found);
    for turn in &facts.turns {
        turn_has_ended(turn, facts, &mut found);
        calls_have_results(turn, facts, done, &mut found);
    }
    effects_were_journalled(facts, done, &mut found);
    histories_are_fit(facts, &mut found);
    found
}

fn acknowledged_is_stored_once(acks: &[Ack], facts: &Facts, found: &mut Vec<String>) {
    let mut times: HashMap<&str, Vec<Uuid>> = HashMap::new();
    for line in facts
        .messages
        .iter()
        .filter(|line| line.said && line.role == "user")
    {
        times.entry(&line.content).or_default().push(line.id);
    }
    for (content, ids) in &times {
        if ids.len() > 1 {
            found.push(format!("{content:?} is stored {} times", ids.len()));
        }
    }
    for ack in acks {
        match times.get(ack.content.as_str()).map(Vec::as_slice) {
            Some(ids) if ids.contains(&ack.message) => {}
            Some(_) => found.push(format!("{:?} is stored under another id", ack.content)),
            None => found.push(format!("{:?} was acknowledged and is lost", ack.content)),
        }
        if !facts.turns.iter().any(|turn| turn.id == ack.turn) {
            found.push(format!("the turn of {:?} is lost", ack.content));
        }
    }
}

/// A turn has exactly one terminal event, in last place; positions increase; streamed text equals
/// stored text.
fn turn_has_ended(turn: &StoredTurn, facts: &Facts, found: &mut Vec<String>) {
    let mut bad = |what: String| found.push(format!("turn {}: {what}", turn.id));
    let ends = turn
        .journal
        .iter()
        .filter(|entry| entry.event.ended().is_some());
    let last = turn.journal.last();
    if ends.count() != 1 || last.is_none_or(|entry| entry.event.ended().is_none()) {
        bad(format!("{} and not one end, at the end", turn.state));
    }
    if !matches!(
        turn.state.as_str(),
        "completed" | "failed" | "cancelled" | "interrupted"
    ) {
        bad(format!("is {}", turn.state));
    }
    for pair in turn.journal.windows(2) {
        if pair[0].position >= pair[1].position || pair[0].epoch > pair[1].epoch {
            bad(format!("{:?} is before {:?}", pair[0], pair[1]));
        }
    }
    let mut text = String::new();
    for entry in &turn.journal {
        if let Event::TextDelta { text: more } = &entry.event {
            text.push_str(more);
        } else if let Event::TextReset { .. } = &entry.event {
            text.clear();
        }
    }
    let answers: Vec<&str> = facts
        .messages
        .iter()
        .filter(|line| Some(line.id) == turn.agent_message)
        .map(|line| line.content.as_str())
        .collect();
    match (turn.agent_message, answers.as_slice()) {
        (None, []) if turn.state != "completed" => {}
        (Some(_), [answer]) if *answer == text => {}
        (_, answers) => bad(format!("said {text:?} and kept {answers:?}")),
    }
    let asked = facts
        .messages
        .iter()
        .filter(|line| line.id == turn.user_message);
    if asked.count() != 1 {
        bad("its message is not stored once".to_owned());
    }
}

/// Every call has one result, and the result, the audit and the effects agree.
fn calls_have_results(turn: &StoredTurn, facts: &Facts, done: &[Done], found: &mut Vec<String>) {
    let mut bad = |what: String| found.push(format!("turn {}: {what}", turn.id));
    let mut answers: HashMap<&str, Vec<&Finished>> = HashMap::new();
    for entry in &turn.journal {
        if let Event::ToolFinished(finished) = &entry.event {
            answers.entry(&finished.call_id).or_default().push(finished);
        }
    }
    let called = turn.journal.iter().flat_map(|entry| {
        if let Event::ModelReplied { calls, .. } = &entry.event {
            calls.as_slice()
        } else {
            &[]
        }
    });
    for call in called {
        let Some([answer]) = answers.get(call.id.as_str()).map(Vec::as_slice) else {
            bad(format!("{} has not one answer", call.id));
            continue;
        };
        if answer.error == Some(ToolErrorKind::Unknown) && turn.state != "interrupted" {
            bad(format!(
                "{} is unknown in a turn that is {}",
                call.id, turn.state
            ));
        }
    }
    for (call_id, effect, tag) in started(turn) {
        let Some([answer]) = answers.get(call_id).map(Vec::as_slice) else {
            continue;
        };
        let key = format!("{}:{call_id}", turn.id);
        let times = done.iter().filter(|done| done.key == key).count();
        let notes = facts.notes.iter().filter(|note| **note == tag).count();
        let fine = match (effect, answer.ok) {
            (Effect::Read, _) => true,
            (Effect::Idempotent, true) => times >= 1,
            (Effect::Idempotent, false) => {
                answer.error == Some(ToolErrorKind::Unknown) || times == 0
            }
            (Effect::Transactional, ok) => notes == usize::from(ok),
            (Effect::AtMostOnce, true) => times == 1,
            (Effect::AtMostOnce, false) => {
                times == 0 || (times == 1 && answer.error == Some(ToolErrorKind::Unknown))
            }
        };
        if !fine {
            bad(format!(
                "{call_id} ({effect:?}) was done {times} times, noted {notes} times, told as {answer:?}"
            ));
        }
        if effect.writes() {
            let expected = match (answer.ok, answer.error) {
                (true, _) => "executed",
                (false, Some(ToolErrorKind::Unknown)) => "unknown",
                (false, Some(_)) => "failed",
                (false, None) => "denied",
            };
            let rows: Vec<&str> = facts
                .audit
                .iter()
                .filter(|row| row.turn == Some(turn.id) && row.call_id == call_id)
                .map(|row| row.outcome.as_str())
                .collect();
            if rows != [expected] {
                bad(format!("{call_id} is {expected} and audited as {rows:?}"));
            }
        }
    }
}

/// Calls that were started, each with the tag of its message.
fn started(turn: &StoredTurn) -> impl Iterator<Item = (&str, Effect, &str)> {
    turn.journal.iter().filter_map(|entry| {
        let Event::ToolStarted {
            call_id,
            arguments,
            effect,
            ..
        } = &entry.event
        else {
            return None;
        };
        let tag = arguments.get("tag").or(arguments.get("text"))?.as_str()?;
        Some((call_id.as_str(), *effect, tag))
    })
}

/// Every effect was journalled as started before it happened, and none happened twice for a
/// message.
fn effects_were_journalled(facts: &Facts, done: &[Done], found: &mut Vec<String>) {
    let mut keys: HashMap<(&str, &str), Vec<&str>> = HashMap::new();
    let turns: HashMap<String, &StoredTurn> = facts
        .turns
        .iter()
        .map(|turn| (turn.id.to_string(), turn))
        .collect();
    for effect in done.iter().filter(|effect| effect.tool != "look") {
        keys.entry((&effect.tool, &effect.tag))
            .or_default()
            .push(&effect.key);
        let meant = effect.key.split_once(':').is_some_and(|(turn, call)| {
            let turn = turns.get(turn);
            turn.is_some_and(|turn| started(turn).any(|(known, ..)| known == call))
        });
        if !meant {
            found.push(format!("{effect:?} was done and never begun"));
        }
    }
    for ((tool, tag), mut times) in keys {
        if tool != "send" {
            // A repetition under the same key is allowed.
            times.dedup();
        }
        if times.len() > 1 {
            found.push(format!("{tool} was done for {tag} as {times:?}"));
        }
    }
    for note in &facts.notes {
        let times = facts.notes.iter().filter(|other| *other == note).count();
        if times > 1 {
            found.push(format!("{note} was noted {times} times"));
        }
    }
    let executed = |row: &&super::facts::Audited| row.tool == "send" && row.outcome == "executed";
    for row in facts.audit.iter().filter(executed) {
        let key = format!("{}:{}", row.turn.unwrap_or_default(), row.call_id);
        if !done.iter().any(|done| done.key == key) {
            found.push(format!("{row:?} was never done"));
        }
    }
}

fn histories_are_fit(facts: &Facts, found: &mut Vec<String>) {
    let mut by_conversation: HashMap<Uuid, Vec<Value>> = HashMap::new();
    for line in &facts.messages {
        if let Some(wire) = &line.wire {
            let lines = by_conversation.entry(line.conversation).or_default();
            lines.push(wire.clone());
        }
    }
    for (conversation, lines) in by_conversation {
        if let Some(problem) = model::unfit(&lines) {
            found.push(format!("the history of {conversation} has {problem}"));
        }
    }
}
