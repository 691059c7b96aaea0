//! The calls of one reply: each is granted or refused in its turn and gets exactly one answer.

use chrono::{DateTime, Duration, Utc};
use serde_json::Value;

use super::{REPAIR_ROUNDS, Start, Step, Turn};
use crate::approval::{APPROVAL_SECONDS, ApprovalCard, Decision, Seal};
use crate::event::Finished;
use crate::grant::{self, GrantedCall, Grounds, Refusal, RefusalReason, Verdict};
use crate::handle;
use crate::message::ToolCall;
use crate::tool::{ApprovalRule, Effect, ToolDef, ToolErrorKind};

#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    list: Vec<Pending>,
}

#[derive(Clone, Debug)]
struct Pending {
    call: ToolCall,
    state: CallState,
    card: Option<ApprovalCard>,
    decision: Option<Decision>,
    unknown: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallState {
    Waiting,
    Started,
    Answered,
}

impl Calls {
    pub(super) fn new(calls: &[ToolCall]) -> Self {
        Self {
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

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn answered(&self) -> usize {
        self.list
            .iter()
            .filter(|pending| pending.state == CallState::Answered)
            .count()
    }

    pub(super) fn all_answered(&self) -> bool {
        self.answered() == self.list.len()
    }

    /// Whether nobody knows how one of the calls went.
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

    pub(super) fn decide(&mut self, call_id: &str, decision: Decision) {
        if let Some(pending) = self.find(call_id) {
            pending.decision = Some(decision);
        }
    }

    pub(super) fn unanswered(&self) -> impl Iterator<Item = &ToolCall> {
        self.list
            .iter()
            .filter(|pending| pending.state != CallState::Answered)
            .map(|pending| &pending.call)
    }

    fn find(&mut self, call_id: &str) -> Option<&mut Pending> {
        self.list
            .iter_mut()
            .find(|pending| pending.call.id == call_id)
    }
}

/// What the model is told of a write that a crash cut off.
const UNKNOWN_AFTER_CRASH: &str = "Error: the work was interrupted while this ran. It is not known whether it was carried out; check the current state before trying again.";

enum Next {
    Refuse(Finished),
    Run(Start),
    Ask(ApprovalCard),
    Wait,
}

impl Turn {
    /// What to do about the first call that has no answer yet.
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
        let mut missing: Vec<u32> = self
            .calls
            .list
            .iter()
            .filter(|pending| pending.state != CallState::Answered)
            .flat_map(|pending| handle::mentioned_texts(&pending.call.arguments))
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
        if let Some(refusal) = self.over_limit(index, call) {
            return Next::Refuse(refused(call, refusal));
        }
        let verdict = grant::decide(
            call,
            &Grounds {
                toolbox: &self.assistant.toolbox,
                principal: &self.principal,
                phase: &self.conversation.phase,
                progress: &self.conversation.progress,
                handles: &self.handles,
                words: &|| self.words(),
                untrusted_context: self.history_has_results || !self.summaries.is_empty(),
            },
        );
        let Some(def) = self.assistant.toolbox.get(&call.name) else {
            return match verdict {
                Verdict::Refuse(refusal) => Next::Refuse(refused(call, refusal)),
                Verdict::Run(_) | Verdict::Ask(_) => Next::Wait,
            };
        };
        match verdict {
            Verdict::Refuse(refusal) => Next::Refuse(refused(call, refusal)),
            Verdict::Run(granted) if pending.card.is_none() => start(pending, def, granted),
            Verdict::Run(granted) | Verdict::Ask(granted) => {
                self.after_decision(pending, def, granted, approvals_asked, now)
            }
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

    /// Answers for calls that will not run because the turn stops: each call gets one.
    pub fn stopped_calls(&self) -> Vec<Finished> {
        self.calls
            .unanswered()
            .map(|call| {
                refused(
                    call,
                    Refusal {
                        reason: RefusalReason::Stopped,
                        message: format!("{} was not run: the turn was stopped", call.name),
                    },
                )
            })
            .collect()
    }

    fn over_limit(&self, index: usize, call: &ToolCall) -> Option<Refusal> {
        let limits = &self.assistant.limits;
        let message = if self.rounds > limits.rounds {
            format!(
                "{}: limit of {} rounds of calls reached",
                call.name, limits.rounds
            )
        } else if index >= limits.calls_a_round {
            format!(
                "{}: limit of {} calls at a time reached; this one was not run",
                call.name, limits.calls_a_round
            )
        } else if self.invalid.get(&call.name).copied().unwrap_or(0) > REPAIR_ROUNDS {
            format!(
                "{}: its arguments were wrong too often; ask the person instead",
                call.name
            )
        } else {
            return None;
        };
        Some(Refusal {
            reason: RefusalReason::Limit,
            message,
        })
    }

    fn after_decision(
        &self,
        pending: &Pending,
        def: &ToolDef,
        granted: GrantedCall,
        approvals_asked: usize,
        now: DateTime<Utc>,
    ) -> Next {
        let call = &pending.call;
        let seal = Seal::over(
            granted.name(),
            granted.arguments(),
            self.id,
            &call.id,
            self.principal.profile(),
        );
        match (&pending.card, pending.decision) {
            (None, _) if approvals_asked >= self.assistant.limits.approvals_a_turn => {
                Next::Refuse(refused(
                    call,
                    Refusal {
                        reason: RefusalReason::Limit,
                        message: format!(
                            "{}: limit of {} requests for approval in one turn reached",
                            call.name, self.assistant.limits.approvals_a_turn
                        ),
                    },
                ))
            }
            (None, _) => Next::Ask(self.card(call, def, &granted, seal, now)),
            (Some(_), None) => Next::Wait,
            (Some(card), Some(Decision::Approved)) if card.seal == seal => {
                start(pending, def, granted)
            }
            (Some(_), Some(Decision::Approved)) => Next::Refuse(refused(
                call,
                Refusal {
                    reason: RefusalReason::Declined,
                    message: format!("{} is not what was approved; it was not run", call.name),
                },
            )),
            (Some(_), Some(Decision::Rejected)) => Next::Refuse(refused(
                call,
                Refusal {
                    reason: RefusalReason::Declined,
                    message: format!("{} was rejected; it was not run", call.name),
                },
            )),
            (Some(_), Some(Decision::Expired)) => Next::Refuse(refused(
                call,
                Refusal {
                    reason: RefusalReason::Expired,
                    message: format!("nobody decided about {} in time; it was not run", call.name),
                },
            )),
        }
    }

    fn card(
        &self,
        call: &ToolCall,
        def: &ToolDef,
        granted: &GrantedCall,
        seal: Seal,
        now: DateTime<Utc>,
    ) -> ApprovalCard {
        let approvers = match &def.spec.approval {
            ApprovalRule::Always { approvers } => approvers.clone(),
            ApprovalRule::UnlessTargetNamed | ApprovalRule::WhenTargetUnnamed => Vec::new(),
        };
        ApprovalCard {
            call_id: call.id.clone(),
            tool: def.name.to_string(),
            title: def.title(),
            arguments: Value::Object(granted.arguments().clone()),
            seal,
            requested_by: self.principal.profile(),
            requester: self.principal.name().to_owned(),
            approvers,
            expires_at: now + Duration::seconds(APPROVAL_SECONDS),
        }
    }
}

fn start(pending: &Pending, def: &ToolDef, granted: GrantedCall) -> Next {
    let again = pending.state == CallState::Started;
    if again && !def.spec.effect.may_run_again() {
        return Next::Refuse(Finished {
            call_id: pending.call.id.clone(),
            name: def.name.to_string(),
            ok: false,
            summary: "It is not known whether this was carried out.".to_owned(),
            told: UNKNOWN_AFTER_CRASH.to_owned(),
            result: Value::Null,
            files: Vec::new(),
            refused: None,
            error: Some(ToolErrorKind::Unknown),
            duration_ms: 0,
        });
    }
    Next::Run(Start {
        call: pending.call.clone(),
        granted,
        title: def.title(),
        effect: def.spec.effect,
        again,
    })
}

fn refused(call: &ToolCall, refusal: Refusal) -> Finished {
    Finished {
        call_id: call.id.clone(),
        name: call.name.clone(),
        ok: false,
        told: format!("Error: {}", refusal.message),
        summary: refusal.message,
        result: Value::Null,
        files: Vec::new(),
        refused: Some(refusal.reason),
        error: None,
        duration_ms: 0,
    }
}
