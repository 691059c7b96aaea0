//! The record of every attempt to change the world. Rows are added, read, and nothing else.

use std::fmt::Write as _;

use chrono::{DateTime, Utc};
use frontdesk_core::access::{Principal, Role};
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::{ConversationId, ProfileId, TurnId};
use frontdesk_core::store::{AuditOutcome, AuditQuery, AuditRow, Page, StoreError};
use frontdesk_db::{Row, Tx, Value};
use uuid::Uuid;

use crate::cursor::{List, number_cursor, read_number_cursor};
use crate::rows::named;
use crate::tx_error::TxError;
use crate::{Store, access};

/// `$1` at, then profile, scope, conversation, what was done, the object, outcome. The person's
/// own name is looked up.
const INSERT: &str = "INSERT INTO audit_log (at, profile_id, profile_name, scope_id, \
     conversation_id, call_id, tool, target, outcome) \
     SELECT $1::timestamptz, p.id, p.display_name, $3::uuid, $4::uuid, '', $5::text, $6::text, \
         $7::text FROM profiles p WHERE p.id = $2";

/// `$1` turn, then at, call, tool, the object, outcome, approver and their name; who and where
/// come from the turn. Where nobody is named as approver, it is who approved the call's card.
const INSERT_FOR_TURN: &str = "INSERT INTO audit_log (at, profile_id, profile_name, scope_id, \
     conversation_id, turn_id, call_id, tool, target, outcome, approver, approver_name) \
     SELECT $2::timestamptz, t.profile_id, t.principal ->> 'name', t.scope_id, t.conversation_id, \
         t.id, $3::text, $4::text, coalesce($5::text, d.target), $6::text, \
         coalesce($7::uuid, a.decided_by), coalesce($8::text, p.display_name) \
     FROM turns t LEFT JOIN approvals d ON d.turn_id = t.id AND d.call_id = $3::text \
     LEFT JOIN approvals a ON a.turn_id = t.id AND a.call_id = $3::text AND a.decision = 'approved' \
     LEFT JOIN profiles p ON p.id = a.decided_by WHERE t.id = $1";

/// A fact of a turn.
pub(crate) struct TurnFact<'a> {
    pub(crate) call_id: &'a str,
    pub(crate) tool: &'a str,
    /// The object; that of the call's card where this is absent.
    pub(crate) target: Option<&'a str>,
    pub(crate) outcome: AuditOutcome,
    /// The decider and their name; if absent, the approver of the call's card counts.
    pub(crate) decider: Option<(ProfileId, Option<&'a str>)>,
}

pub(crate) async fn note_for_turn(
    tx: &mut Tx,
    turn: TurnId,
    fact: TurnFact<'_>,
    now: DateTime<Utc>,
) -> Result<(), TxError> {
    let values = vec![
        turn.into(),
        now.into(),
        fact.call_id.into(),
        fact.tool.into(),
        fact.target.into(),
        fact.outcome.as_str().into(),
        fact.decider.map(|(profile, _)| profile.uuid()).into(),
        fact.decider.and_then(|(_, name)| name).into(),
    ];
    Ok(tx.execute_later(INSERT_FOR_TURN, values).await?)
}

const MAX_PAGE: u32 = 100;

/// Rows of the profile `$2`, and of the companies that it runs.
const OWN_AND_ADMINISTERED: &str = "(profile_id = $2 OR scope_id IN (SELECT m.company_id \
     FROM company_members m WHERE m.profile_id = $2 AND m.role IN ('owner', 'admin')))";

impl Store {
    /// Newest first. Non-operators see their own rows and those of companies that they run.
    pub async fn audit(
        &self,
        who: &Principal,
        query: AuditQuery,
    ) -> Result<Page<AuditRow>, StoreError> {
        let me = who.clone();
        self.read(who, move |tx, _| Box::pin(page(tx, me, query)))
            .await
    }
}

async fn page(tx: &mut Tx, who: Principal, query: AuditQuery) -> Result<Page<AuditRow>, TxError> {
    access::act_with_roles(tx, &who).await?;
    let limit = query.limit.clamp(1, MAX_PAGE);
    let (sql, values) = statement(&who, &query, limit)?;
    let found = tx.last_rows(&sql, &values).await?;
    let items = found
        .iter()
        .take(limit as usize)
        .map(audit_row)
        .collect::<Result<Vec<_>, _>>()?;
    let has_more = found.len() > limit as usize;
    let cursor = items
        .last()
        .filter(|_| has_more)
        .map(|last| number_cursor(who.profile(), List::Audit, last.id));
    Ok(Page {
        items,
        cursor,
        has_more,
    })
}

fn statement(
    who: &Principal,
    query: &AuditQuery,
    limit: u32,
) -> Result<(String, Vec<Value>), TxError> {
    let mut values: Vec<Value> = vec![(limit + 1).into()];
    let mut conditions = String::from("true");
    if !who.roles().contains(&Role::OPERATOR) {
        values.push(who.profile().into());
        conditions = String::from(OWN_AND_ADMINISTERED);
    }
    let mut add = |condition: &str, value: Value| {
        values.push(value);
        // Writing to a String cannot fail.
        let _ = write!(conditions, " AND {condition} ${}", values.len());
    };
    if let Some(company) = query.company {
        add("scope_id =", company.into());
    }
    if let Some(conversation) = query.conversation {
        add("conversation_id =", conversation.into());
    }
    if let Some(tool) = &query.tool {
        add("tool =", tool.into());
    }
    if let Some(profile) = query.profile {
        add("profile_id =", profile.into());
    }
    if let Some(turn) = query.turn {
        add("turn_id =", turn.into());
    }
    if let Some(outcome) = query.outcome {
        add("outcome =", outcome.as_str().into());
    }
    if let Some(since) = query.since {
        add("at >=", since.into());
    }
    if let Some(until) = query.until {
        add("at <", until.into());
    }
    if let Some(cursor) = &query.cursor {
        let after = read_number_cursor(who.profile(), List::Audit, cursor)?;
        add("id <", after.into());
    }
    let sql = format!(
        "SELECT id, at, profile_id, profile_name, conversation_id, turn_id, call_id, tool, target, \
             outcome, approver, approver_name FROM audit_log WHERE {conditions} ORDER BY id DESC LIMIT $1"
    );
    Ok((sql, values))
}

fn audit_row(row: &Row) -> Result<AuditRow, TxError> {
    Ok(AuditRow {
        id: row.get("id")?,
        at: row.get("at")?,
        profile: row.get("profile_id")?,
        profile_name: row.get("profile_name")?,
        conversation: row.get("conversation_id")?,
        turn: row.get("turn_id")?,
        call_id: row.get("call_id")?,
        tool: row.get("tool")?,
        target: row.get("target")?,
        outcome: named(row, "outcome")?,
        approver: row.get("approver")?,
        approver_name: row.get("approver_name")?,
    })
}

/// Notes what a person did to a conversation outside of any turn.
pub(crate) async fn note(
    tx: &mut Tx,
    me: ProfileId,
    conversation: &Conversation,
    what: &str,
    outcome: AuditOutcome,
    now: DateTime<Utc>,
) -> Result<(), TxError> {
    let scope = conversation
        .company_id
        .map_or(me.uuid(), |company| company.uuid());
    let target = conversation.subject.as_deref();
    note_act(
        tx,
        Act {
            me,
            scope,
            conversation: Some(conversation.id),
            what,
            target,
            outcome,
        },
        now,
    )
    .await
}

/// An action of a person outside of any turn.
pub(crate) struct Act<'a> {
    pub(crate) me: ProfileId,
    pub(crate) scope: Uuid,
    pub(crate) conversation: Option<ConversationId>,
    pub(crate) what: &'a str,
    pub(crate) target: Option<&'a str>,
    pub(crate) outcome: AuditOutcome,
}

pub(crate) async fn note_act(tx: &mut Tx, act: Act<'_>, now: DateTime<Utc>) -> Result<(), TxError> {
    let values = vec![
        now.into(),
        act.me.into(),
        act.scope.into(),
        act.conversation.into(),
        act.what.into(),
        act.target.into(),
        act.outcome.as_str().into(),
    ];
    Ok(tx.execute_later(INSERT, values).await?)
}
