//! Checks every promise about a finished turn.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};
use frontdesk_core::approval::Decision;
use frontdesk_core::event::{Entry, Event, Finished};
use frontdesk_core::grant::RefusalReason;
use frontdesk_core::outcome::{Outcome, TurnState};
use frontdesk_core::store::AuditOutcome;
use frontdesk_core::tool::{Effect, ToolErrorKind};
use serde_json::Value;

use super::history;
use super::lab::{Lab, SECRET};
use super::state::{State, TurnRow};
use super::watch::Reader;

const POSITIONS_AN_EPOCH: u64 = 1 << 32;

pub(crate) struct Case<'a> {
    pub(crate) state: &'a State,
    pub(crate) row: &'a TurnRow,
    pub(crate) lab: &'a Lab,
    /// Entries shown live, in order.
    pub(crate) seen: &'a [Entry],
    /// The start of the last worker, and its maximum delay in writing.
    pub(crate) began: DateTime<Utc>,
    pub(crate) slack: Duration,
}

impl Case<'_> {
    pub(crate) fn check(&self) -> Result<(), String> {
        history::valid_lines(&self.state.lines)?;
        self.positions_rise_without_a_gap()?;
        self.calls_have_one_answer()?;
        self.effects_match_results()?;
        self.writes_were_confirmed()?;
        match self.row.state {
            TurnState::Running => Err("nobody works on it and it is not over".to_owned()),
            TurnState::AwaitingApproval => Ok(()),
            TurnState::Completed
            | TurnState::Failed
            | TurnState::Cancelled
            | TurnState::Interrupted => {
                self.there_is_one_end()?;
                self.readers_have_the_answer()?;
                self.it_ended_in_time()
            }
        }
    }

    fn finished(&self) -> BTreeMap<&str, Vec<&Finished>> {
        let mut by_call: BTreeMap<&str, Vec<&Finished>> = BTreeMap::new();
        for entry in &self.row.entries {
            if let Event::ToolFinished(finished) = &entry.event {
                by_call
                    .entry(finished.call_id.as_str())
                    .or_default()
                    .push(finished);
            }
        }
        by_call
    }

    fn there_is_one_end(&self) -> Result<(), String> {
        let ends: Vec<_> = self
            .row
            .entries
            .iter()
            .filter_map(|e| e.event.ended())
            .collect();
        let [end] = ends.as_slice() else {
            return Err(format!("{} ends", ends.len()));
        };
        let last = self
            .row
            .entries
            .last()
            .and_then(|entry| entry.event.ended());
        if last != Some(*end) || Some(&end.outcome) != self.row.outcome.as_ref() {
            return Err("the terminal event is not the last one".to_owned());
        }
        if end.outcome.state() != self.row.state
            || end.message != self.row.answer.as_ref().map(|answer| answer.id)
        {
            return Err("the end differs from what is stored".to_owned());
        }
        Ok(())
    }

    fn positions_rise_without_a_gap(&self) -> Result<(), String> {
        let mut before = 0;
        for entry in &self.row.entries {
            let start = entry.position - entry.event.advance();
            let epoch = entry.position / POSITIONS_AN_EPOCH;
            if entry.position <= before {
                return Err(format!("{} does not rise: {entry:?}", entry.position));
            }
            if start != before && start != epoch * POSITIONS_AN_EPOCH {
                return Err(format!(
                    "something is missing between {before} and {entry:?}"
                ));
            }
            before = entry.position;
        }
        Ok(())
    }

    fn calls_have_one_answer(&self) -> Result<(), String> {
        let finished = self.finished();
        let mut asked = Vec::new();
        for entry in &self.row.entries {
            if let Event::ModelReplied { calls, .. } = &entry.event {
                asked.extend(calls.iter().map(|call| call.id.as_str()));
            }
        }
        for id in &asked {
            let answers = finished.get(id).map_or(0, Vec::len);
            if answers > 1 || (answers == 0 && self.row.state.is_over()) {
                return Err(format!("{id} has {answers} answers"));
            }
        }
        match finished.keys().find(|id| !asked.contains(id)) {
            Some(stray) => Err(format!("{stray} was answered but not asked")),
            None => Ok(()),
        }
    }

    fn effects_match_results(&self) -> Result<(), String> {
        let prefix = format!("{}:", self.row.id);
        let finished = self.finished();
        let mut started: BTreeMap<&str, Effect> = BTreeMap::new();
        for entry in &self.row.entries {
            if let Event::ToolStarted {
                call_id, effect, ..
            } = &entry.event
                && started.insert(call_id, *effect).is_some()
            {
                return Err(format!("{call_id} started twice"));
            }
        }
        for key in self.lab.effects() {
            let call = key.strip_prefix(&prefix);
            if call.is_some_and(|call| !started.contains_key(call)) {
                return Err(format!("{key} took effect and its start is not recorded"));
            }
        }
        for (call, effect) in &started {
            let happened = self.happened(&format!("{prefix}{call}"), *effect);
            let result = finished.get(call).and_then(|answers| answers.first());
            if let Some(result) = result {
                self.matches_effects(result, *effect, happened)?;
            } else if happened > 1 {
                return Err(format!("{call} took effect {happened} times"));
            }
        }
        finished.values().flatten().try_for_each(|result| {
            let effect = started.get(result.call_id.as_str());
            self.audited(result, effect.copied())
        })
    }

    /// A write of a model that may not write runs only as a person approved it.
    fn writes_were_confirmed(&self) -> Result<(), String> {
        let mut proposes = false;
        let mut cards: BTreeMap<&str, &Value> = BTreeMap::new();
        let mut approved: BTreeMap<&str, Value> = BTreeMap::new();
        for entry in &self.row.entries {
            if let Event::ModelReplied { proposes: only, .. } = &entry.event {
                proposes = *only;
            } else if let Event::ApprovalRequested { card } = &entry.event {
                cards.insert(&card.call_id, &card.arguments);
            } else if let Event::ApprovalDecided {
                call_id,
                decision: Decision::Approved,
                arguments,
                ..
            } = &entry.event
            {
                let edited = arguments.clone().map(Value::Object);
                let shown = cards.get(call_id.as_str()).map(|shown| (*shown).clone());
                approved.extend(edited.or(shown).map(|what| (call_id.as_str(), what)));
            } else if let Event::ToolStarted {
                call_id,
                name,
                arguments,
                effect,
                ..
            } = &entry.event
                && proposes
                && effect.writes()
                && name != "draft_profile"
                && approved.get(call_id.as_str()) != Some(arguments)
            {
                return Err(format!("{name} {call_id} was not approved like this"));
            }
        }
        Ok(())
    }

    /// The number of effects of this call, in external systems or in our tables.
    fn happened(&self, key: &str, effect: Effect) -> usize {
        match effect {
            Effect::Read => 0,
            Effect::Transactional => {
                let of_call = |data: &serde_json::Value| data["key"] == key;
                self.state
                    .applied
                    .iter()
                    .filter(|c| of_call(&c.data))
                    .count()
            }
            Effect::Idempotent | Effect::AtMostOnce => self
                .lab
                .effects()
                .iter()
                .filter(|seen| *seen == key)
                .count(),
        }
    }

    fn matches_effects(
        &self,
        result: &Finished,
        effect: Effect,
        happened: usize,
    ) -> Result<(), String> {
        let unknown = result.error == Some(ToolErrorKind::Unknown);
        let wanted = if result.ok && effect.writes() {
            1..=1
        } else {
            0..=usize::from(unknown)
        };
        if !wanted.contains(&happened) {
            return Err(format!(
                "{effect:?} took effect {happened} times: {result:?}"
            ));
        }
        if unknown && self.row.state.is_over() && self.row.outcome != Some(Outcome::Interrupted) {
            return Err(format!("{:?} after an unknown call", self.row.outcome));
        }
        Ok(())
    }

    /// One audit row per attempted change, with its outcome.
    fn audited(&self, result: &Finished, started: Option<Effect>) -> Result<(), String> {
        let of_call = self
            .state
            .audit
            .iter()
            .filter(|(turn, audit)| *turn == self.row.id && audit.call_id == result.call_id);
        let rows: Vec<AuditOutcome> = of_call
            .map(|(_, audit)| audit.outcome)
            .filter(|o| !matches!(o, AuditOutcome::ApprovalRequested | AuditOutcome::Approved))
            .collect();
        let decided = self.row.entries.iter().rev().find_map(|entry| {
            let Event::ApprovalDecided {
                call_id, decision, ..
            } = &entry.event
            else {
                return None;
            };
            (*call_id == result.call_id).then_some(*decision)
        });
        let wanted = match (result.ok, result.refused, result.error) {
            // Audited at the decision, and only once.
            (_, Some(_), _) if decided == Some(Decision::Rejected) => vec![AuditOutcome::Rejected],
            (_, Some(_), _) if decided == Some(Decision::Expired) => vec![AuditOutcome::Expired],
            (_, Some(RefusalReason::Expired), _) => vec![AuditOutcome::Expired],
            (_, Some(_), _) => vec![AuditOutcome::Denied],
            _ if started.is_none_or(|effect| !effect.writes()) => vec![],
            (true, None, _) => vec![AuditOutcome::Executed],
            (false, None, Some(ToolErrorKind::Unknown)) => vec![AuditOutcome::Unknown],
            (false, None, _) => vec![AuditOutcome::Failed],
        };
        if rows == wanted {
            return Ok(());
        }
        Err(format!("audit {rows:?}, not {wanted:?}, for {result:?}"))
    }

    /// Live, from the journal, and after a disconnect at any position.
    fn readers_have_the_answer(&self) -> Result<(), String> {
        let Some(answer) = &self.row.answer else {
            return Ok(());
        };
        let mut live = Reader::default();
        for cut in 0..=self.seen.len() {
            let mut again = live.clone();
            self.row.entries.iter().for_each(|entry| again.read(entry));
            if again.text != answer.content {
                return Err(format!(
                    "a reader that left after {cut} ({}) has {:?}, stored is {:?}",
                    live.position, again.text, answer.content
                ));
            }
            if let Some(entry) = self.seen.get(cut) {
                live.read(entry);
            }
        }
        if live.text != answer.content {
            return Err(format!("live {:?}, stored {:?}", live.text, answer.content));
        }
        Ok(())
    }

    fn it_ended_in_time(&self) -> Result<(), String> {
        let latest = self.row.deadline.max(self.began) + self.slack;
        match self.row.ended_at {
            Some(at) if at <= latest => Ok(()),
            at => Err(format!("ended at {at:?}, should by {latest}")),
        }
    }

    /// Journal entries can be parsed and contain no operator-only text. Expensive, so long
    /// simulations run it only sometimes.
    pub(crate) fn check_journal(&self) -> Result<(), String> {
        for entry in &self.row.entries {
            let text = serde_json::to_string(&entry).unwrap();
            if text.contains(SECRET) || text.contains("sk-secret") {
                return Err(format!("the operator's text was exposed: {text}"));
            }
            let back: Entry = serde_json::from_str(&text).map_err(|e| format!("{e}: {text}"))?;
            if back != *entry {
                return Err(format!("the journal does not give back {text}"));
            }
        }
        Ok(())
    }
}
