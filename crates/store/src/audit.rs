//! The record of every attempt to change the world. Rows are added, read, and nothing else.

use std::fmt::Write as _;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use frontdesk_core::access::{Principal, Role};
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::ProfileId;
use frontdesk_core::store::{Audit, AuditOutcome, AuditQuery, AuditRow, Page, StoreError};
use frontdesk_db::{Row, Tx, Value};

use crate::cursor::{List, number_cursor, read_number_cursor};
use crate::fault::{Fault, unreadable};
use crate::rows::{id, optional_id};
use crate::{Store, access};

/// `$1` at, then profile, scope, conversation, turn, call, tool, hash, outcome, approver.
pub(crate) const INSERT: &str = "INSERT INTO audit_log (at, profile_id, scope_id, \
     conversation_id, turn_id, call_id, tool, arguments_hash, outcome, approver) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";

/// `$1` turn, then at, call, tool, hash, outcome, approver; who and where come from the turn.
pub(crate) const INSERT_FOR_TURN: &str = "INSERT INTO audit_log (at, profile_id, scope_id, \
     conversation_id, turn_id, call_id, tool, arguments_hash, outcome, approver) \
     SELECT $2::timestamptz, t.profile_id, t.scope_id, t.conversation_id, t.id, $3::text, \
         $4::text, $5::text, $6::text, $7::uuid FROM turns t WHERE t.id = $1";

const MAX_PAGE: u32 = 100;

/// Rows of the profile `$2`, and of the companies that it runs.
const OWN_AND_ADMINISTERED: &str = "(profile_id = $2 OR scope_id IN (SELECT m.company_id \
     FROM company_members m WHERE m.profile_id = $2 AND m.role IN ('owner', 'admin')))";

#[async_trait]
impl Audit for Store {
    async fn audit(
        &self,
        who: &Principal,
        query: AuditQuery,
    ) -> Result<Page<AuditRow>, StoreError> {
        let me = who.clone();
        self.read(who, move |tx| {
            Box::pin(async move { page(tx, &me, query).await })
        })
        .await
    }
}

async fn page(tx: &mut Tx, who: &Principal, query: AuditQuery) -> Result<Page<AuditRow>, Fault> {
    access::act_with_roles(tx, who).await?;
    let limit = query.limit.clamp(1, MAX_PAGE);
    let (sql, values) = statement(who, &query, limit)?;
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
) -> Result<(String, Vec<Value>), Fault> {
    let mut values: Vec<Value> = vec![(limit + 1).into()];
    let mut conditions = String::from("true");
    if !who.roles().contains(&Role::OPERATOR) {
        values.push(who.profile().uuid().into());
        conditions = String::from(OWN_AND_ADMINISTERED);
    }
    let mut add = |condition: &str, value: Value| {
        values.push(value);
        // Writing to a String cannot fail.
        let _ = write!(conditions, " AND {condition} ${}", values.len());
    };
    if let Some(company) = query.company {
        add("scope_id =", company.uuid().into());
    }
    if let Some(conversation) = query.conversation {
        add("conversation_id =", conversation.uuid().into());
    }
    if let Some(tool) = &query.tool {
        add("tool =", tool.into());
    }
    if let Some(profile) = query.profile {
        add("profile_id =", profile.uuid().into());
    }
    if let Some(turn) = query.turn {
        add("turn_id =", turn.uuid().into());
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
        "SELECT id, at, profile_id, conversation_id, turn_id, call_id, tool, arguments_hash, \
             outcome, approver FROM audit_log WHERE {conditions} ORDER BY id DESC LIMIT $1"
    );
    Ok((sql, values))
}

fn audit_row(row: &Row) -> Result<AuditRow, Fault> {
    let outcome: String = row.get("outcome")?;
    Ok(AuditRow {
        id: row.get("id")?,
        at: row.get("at")?,
        profile: id(row, "profile_id")?,
        conversation: optional_id(row, "conversation_id")?,
        turn: optional_id(row, "turn_id")?,
        call_id: row.get("call_id")?,
        tool: row.get("tool")?,
        arguments_hash: row.get("arguments_hash")?,
        outcome: AuditOutcome::named(&outcome).ok_or_else(|| unreadable("an audit row"))?,
        approver: optional_id(row, "approver")?,
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
) -> Result<(), Fault> {
    let scope = conversation
        .company_id
        .map_or(me.uuid(), |company| company.uuid());
    tx.execute_later(
        INSERT,
        vec![
            now.into(),
            me.uuid().into(),
            scope.into(),
            conversation.id.uuid().into(),
            Value::Null,
            "".into(),
            what.into(),
            "".into(),
            outcome.as_str().into(),
            Value::Null,
        ],
    )
    .await?;
    Ok(())
}
