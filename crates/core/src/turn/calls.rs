//! The calls of one reply: each is granted or refused, and gets exactly one answer.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::{REPAIR_ROUNDS, Start, Step, Turn};
use crate::approval::{ApprovalCard, DECLINED, Decision};
use crate::event::Finished;
use crate::grant::{self, GrantedCall, Grounds, Proposal, RefusalReason, Verdict};
use crate::handle;
use crate::id::TurnId;
use crate::message::ToolCall;
use crate::store::{Opening, has_kept_effects};
use crate::tool::{Effect, ToolDef, ToolErrorKind};
use crate::untrusted;

#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    list: Vec<Pending>,
    /// The requesting model may not write.
    pub(super) proposes: bool,
    /// The reply was cut off, so its calls may be incomplete.
    pub(super) cut: bool,
    /// Text that others wrote reached the model in this turn before these calls.
    pub(super) after_untrusted: bool,
}

#[derive(Clone, Debug)]
struct Pending {
    call: ToolCall,
    state: CallState,
    card: Option<ApprovalCard>,
    decision: Option<CardDecision>,
    unknown: bool,
}

/// The decision about a card, by a person or by expiry.
#[derive(Clone, Debug)]
pub(super) struct CardDecision {
    pub(super) decision: Decision,
    pub(super) by: Option<String>,
    /// The state of a declined card's object.
    pub(super) state: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallState {
    Waiting,
    /// The effect at that time: a later release may have changed or removed the tool.
    Started(Effect),
    Answered,
}

impl Calls {
    pub(super) fn new(calls: &[ToolCall]) -> Self {
        Self {
            proposes: false,
            cut: false,
            after_untrusted: false,
            list: calls
                .iter()
                .map(|call| Pending {
                    call: call.clone(),
                    state: CallState::Waiting,
                    card: None,
                    decision: None,
                    unknown: false,
                })
                .collect(),
        }
    }

    pub(super) fn all_answered(&self) -> bool {
        self.open().next().is_none()
    }

    /// True if the result of some call is unknown.
    pub(super) fn any_unknown(&self) -> bool {
        self.list.iter().any(|pending| pending.unknown)
    }

    pub(super) fn set(&mut self, call_id: &str, state: CallState) {
        if let Some(pending) = self.find(call_id) {
            pending.state = state;
        }
    }

    pub(super) fn answer(&mut self, finished: &Finished) {
        if let Some(pending) = self.find(&finished.call_id) {
            pending.state = CallState::Answered;
            pending.unknown = finished.error == Some(ToolErrorKind::Unknown);
        }
    }

    pub(super) fn request(&mut self, card: &ApprovalCard) {
        if let Some(pending) = self.find(&card.call_id) {
            pending.card = Some(card.clone());
        }
    }

    pub(super) fn decide(&mut self, call_id: &str, decided: CardDecision) {
        if let Some(pending) = self.find(call_id) {
            pending.decision = Some(decided);
        }
    }

    /// Replaces the call's arguments by the person's and seals the card again.
    pub(super) fn edit(&mut self, turn: TurnId, call_id: &str, arguments: &Map<String, Value>) {
        if let Some(pending) = self.find(call_id)
            && let Some(card) = pending.card.take()
        {
            pending.call.arguments = Value::Object(arguments.clone()).to_string();
            pending.card = Some(card.with_arguments(turn, arguments.clone()));
        }
    }

    /// Calls without an answer.
    fn open(&self) -> impl Iterator<Item = &Pending> {
        self.list
            .iter()
            .filter(|pending| pending.state != CallState::Answered)
    }

    fn find(&mut self, call_id: &str) -> Option<&mut Pending> {
        self.list
            .iter_mut()
            .find(|pending| pending.call.id == call_id)
    }
}

/// The model's result for a write that a crash interrupted.
const UNKNOWN_AFTER_CRASH: &str = "Error: the work was interrupted while this ran. It is not known whether it was carried out; check the current state before trying again.";

enum Next {
    Refuse(Finished),
    Run(Start),
    Ask(ApprovalCard),
    Wait,
}

impl Turn {
    pub(super) fn next_call(&self, now: DateTime<Utc>) -> Step {
        let missing = self.texts_to_fetch();
        if !missing.is_empty() {
            return Step::FetchTexts(missing);
        }
        let mut reads = Vec::new();
        let mut refusals = Vec::new();
        let mut cards = Vec::new();
        for (index, pending) in self.calls.list.iter().enumerate() {
            if pending.state == CallState::Answered {
                continue;
            }
            match self.decide_call(index, pending, self.approvals_asked + cards.len(), now) {
                // Once something waits or runs, later answers wait for it.
                Next::Refuse(finished) if reads.is_empty() && cards.is_empty() => {
                    refusals.push(finished);
                }
                Next::Run(start)
                    if start.effect == Effect::Read && refusals.is_empty() && cards.is_empty() =>
                {
                    reads.push(start);
                }
                Next::Run(start) if reads.is_empty() && refusals.is_empty() && cards.is_empty() => {
                    return Step::Run(vec![start]);
                }
                Next::Ask(card) if reads.is_empty() && refusals.is_empty() => cards.push(card),
                Next::Wait if reads.is_empty() && refusals.is_empty() && cards.is_empty() => {
                    return Step::Wait;
                }
                Next::Refuse(_) | Next::Run(_) | Next::Ask(_) | Next::Wait => break,
            }
        }
        if !refusals.is_empty() {
            Step::Refuse(refusals)
        } else if !reads.is_empty() {
            Step::Run(reads)
        } else {
            Step::RequestApproval(cards)
        }
    }

    fn texts_to_fetch(&self) -> Vec<u32> {
        let toolbox = &self.assistant.toolbox;
        let mut missing: Vec<u32> = self
            .calls
            .open()
            .filter_map(|pending| Some((toolbox.get(&pending.call.name)?, &pending.call)))
            .flat_map(|(def, call)| handle::mentioned_texts(&def.parameters, call))
            .filter(|number| !self.fetched.contains(number))
            .collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    fn decide_call(
        &self,
        index: usize,
        pending: &Pending,
        approvals_asked: usize,
        now: DateTime<Utc>,
    ) -> Next {
        let call = &pending.call;
        let def = self.assistant.toolbox.get(&call.name);
        if let CallState::Started(effect) = pending.state
            && !effect.may_run_again()
        {
            return Next::Refuse(unknown(call));
        }
        if self.calls.cut {
            let message = format!("{} was not run: the reply was cut off", call.name);
            return self.refuse(pending, RefusalReason::CutOff, message);
        }
        if let Some(message) = self.over_limit(index, call) {
            return self.refuse(pending, RefusalReason::Limit, message);
        }
        if let Some(Err(refusal)) = def.map(|d| grant::check_sign_in(d, &self.principal, now)) {
            return self.refuse(pending, refusal.reason, refusal.message);
        }
        let grounds = Grounds {
            toolbox: &self.assistant.toolbox,
            principal: &self.principal,
            phase: &self.conversation.phase,
            progress: &self.conversation.progress,
            handles: &self.handles,
            message: &|| self.current_message(),
            own_form: self.message_is_own && matches!(self.opening, Opening::Form { .. }),
            foreign_text: self.history_has_results
                || self.colleagues_words
                || self.calls.after_untrusted
                || !self.handles.is_empty(),
            untrusted_text: self.calls.after_untrusted,
            may_write: !self.calls.proposes && !self.keeps_effects(),
        };
        if let (Some(card), Some(def)) = (&pending.card, def) {
            return match grant::propose(call, &grounds) {
                Ok(proposal) => self.after_decision(pending, card, def, proposal, now),
                Err(refusal) => self.refuse(pending, refusal.reason, refusal.message),
            };
        }
        match (grant::decide(call, &grounds), def) {
            (Verdict::Refuse(refusal), Some(def)) if refusal.reason == RefusalReason::Needs => {
                // People know tools by their titles and need the missing step.
                let missing = refusal.message.split_once("requires ");
                let missing = missing.map_or("", |(_, missing)| missing);
                let summary = format!("“{}” needs {missing} first.", def.title());
                Next::Refuse(self.not_run(pending, refusal.reason, &refusal.message, &summary))
            }
            (Verdict::Refuse(refusal), _) => self.refuse(pending, refusal.reason, refusal.message),
            (Verdict::Run(granted), Some(def)) => start(pending, def, granted),
            (Verdict::Ask(granted), Some(def)) => {
                self.ask(pending, def, &granted.into(), approvals_asked, now)
            }
            (Verdict::Propose(proposal), Some(def)) => {
                self.ask(pending, def, &proposal, approvals_asked, now)
            }
            (Verdict::Run(_) | Verdict::Ask(_) | Verdict::Propose(_), None) => Next::Wait,
        }
    }

    /// Effects of an earlier version of the message stay, so a person confirms each further one.
    fn keeps_effects(&self) -> bool {
        match &self.opening {
            Opening::Message { metadata, .. } => has_kept_effects(metadata),
            Opening::Form { .. } | Opening::Retry { .. } => false,
        }
    }

    /// The arguments of a call of the current reply, as the model wrote them.
    pub fn arguments_of(&self, call_id: &str) -> &str {
        self.calls
            .list
            .iter()
            .find(|pending| pending.call.id == call_id)
            .map_or("", |pending| pending.call.arguments.as_str())
    }

    pub fn decision_of(&self, call_id: &str) -> Option<Decision> {
        let mut calls = self.calls.list.iter();
        let pending = calls.find(|pending| pending.call.id == call_id)?;
        Some(pending.decision.as_ref()?.decision)
    }

    /// A call's object: the value of its tool's declared target.
    pub fn target_of(&self, tool: &str, arguments: &Value) -> Option<String> {
        const LONGEST: usize = 200;
        let def = self.assistant.toolbox.get(tool)?;
        let value = arguments.get(def.spec.target.as_deref()?)?;
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Null => return None,
            Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                value.to_string()
            }
        };
        let text: String = text.chars().filter(|c| *c != '\0').take(LONGEST).collect();
        (!text.is_empty()).then_some(text)
    }

    /// Answers for all open calls when the turn stops.
    pub fn stopped_calls(&self) -> Vec<Finished> {
        self.calls
            .open()
            .map(|pending| {
                let message = format!("{} was not run: the turn was stopped", pending.call.name);
                self.not_run(pending, RefusalReason::Stopped, &message, &message)
            })
            .collect()
    }

    /// True if the result of some call is unknown.
    pub fn has_unknown(&self) -> bool {
        self.calls.any_unknown()
    }

    fn over_limit(&self, index: usize, call: &ToolCall) -> Option<String> {
        let limits = &self.assistant.limits;
        let name = &call.name;
        if self.rounds > limits.rounds {
            let rounds = limits.rounds;
            Some(format!("{name}: limit of {rounds} rounds of calls reached"))
        } else if index >= limits.calls_a_round {
            Some(format!(
                "{name}: limit of {} calls at a time reached; this one was not run",
                limits.calls_a_round
            ))
        } else if self.invalid_rounds(name) > REPAIR_ROUNDS {
            Some(format!(
                "{name}: its arguments were wrong too often; ask the person instead"
            ))
        } else {
            None
        }
    }

    /// The number of earlier rounds in which this tool got invalid arguments.
    fn invalid_rounds(&self, name: &str) -> usize {
        self.invalid
            .iter()
            .filter(|(tool, round)| tool == name && *round < self.rounds)
            .count()
    }

    fn ask(
        &self,
        pending: &Pending,
        def: &ToolDef,
        proposal: &Proposal,
        approvals_asked: usize,
        now: DateTime<Utc>,
    ) -> Next {
        let limit = self.assistant.limits.approvals_a_turn;
        if approvals_asked < limit {
            return Next::Ask(self.card(&pending.call, def, proposal, now));
        }
        let name = &pending.call.name;
        let message = format!("{name}: limit of {limit} requests for approval in one turn reached");
        self.refuse(pending, RefusalReason::Limit, message)
    }

    fn after_decision(
        &self,
        pending: &Pending,
        card: &ApprovalCard,
        def: &ToolDef,
        proposal: Proposal,
        now: DateTime<Utc>,
    ) -> Next {
        let decided = pending.decision.as_ref();
        let decision = match decided.map(|decided| decided.decision) {
            Some(Decision::Approved) if card.seal == self.seal(&pending.call, &proposal) => {
                return match proposal.complete(&self.assistant.toolbox) {
                    Ok(granted) => start(pending, def, granted),
                    Err(refusal) => self.refuse(pending, refusal.reason, refusal.message),
                };
            }
            None if now <= card.expires_at => return Next::Wait,
            decision => decision,
        };
        let (reason, message) = without_approval(decision, &pending.call.name);
        // The card showed its title to people.
        let (_, summary) = without_approval(decision, &format!("“{}”", card.title));
        let summary = match decided {
            Some(decided) if decided.decision == Decision::Rejected => {
                card.cancelled(decided.by.as_deref(), decided.state.as_deref())
            }
            Some(_) | None => summary,
        };
        Next::Refuse(self.not_run(pending, reason, &message, &summary))
    }

    fn refuse(&self, pending: &Pending, reason: RefusalReason, message: String) -> Next {
        Next::Refuse(self.not_run(pending, reason, &message, &message))
    }

    /// The answer of a call that will not run, for the model and for people. A call that started
    /// before a crash may have taken effect, so its result is unknown.
    fn not_run(
        &self,
        pending: &Pending,
        reason: RefusalReason,
        message: &str,
        summary: &str,
    ) -> Finished {
        if let CallState::Started(effect) = pending.state
            && effect.leaves_doubt()
        {
            return unknown(&pending.call);
        }
        Finished {
            told: untrusted::for_model(&Value::String(format!("Error: {message}"))),
            summary: summary.to_owned(),
            refused: Some(reason),
            error: None,
            ..unknown(&pending.call)
        }
    }
}

/// The reason why a call without approval does not run; `call` is its title or name.
fn without_approval(decision: Option<Decision>, call: &str) -> (RefusalReason, String) {
    match decision {
        Some(Decision::Approved) => (
            RefusalReason::Declined,
            format!("{call} is not what was approved; it was not run"),
        ),
        Some(Decision::Rejected) => (RefusalReason::Declined, format!("{call}{DECLINED}")),
        Some(Decision::Expired) | None => (
            RefusalReason::Expired,
            format!("nobody decided about {call} in time; it was not run"),
        ),
    }
}

fn start(pending: &Pending, def: &ToolDef, granted: GrantedCall) -> Next {
    Next::Run(Start {
        call: pending.call.clone(),
        granted,
        title: def.title(),
        effect: def.spec.effect,
        again: matches!(pending.state, CallState::Started(_)),
    })
}

/// The answer of a call that a crash interrupted.
fn unknown(call: &ToolCall) -> Finished {
    Finished {
        call_id: call.id.clone(),
        name: call.name.clone(),
        summary: "It is not known whether this was carried out.".to_owned(),
        told: UNKNOWN_AFTER_CRASH.to_owned(),
        error: Some(ToolErrorKind::Unknown),
        ..Finished::default()
    }
}
