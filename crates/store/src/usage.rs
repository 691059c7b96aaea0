//! Token usage: added when a turn ends, and reported to those it concerns.

use std::fmt::Write as _;

use chrono::{DateTime, NaiveDate, Utc};
use frontdesk_core::access::{Principal, Role};
use frontdesk_core::model::Usage;
use frontdesk_core::store::{Lease, StoreError, UsageQuery, UsageRow, day_number};
use frontdesk_db::{Row, Tx, Value};

use crate::rows;
use crate::tx_error::{TxError, unreadable};
use crate::{Store, access};

/// The most rows of one report.
const MAX_ROWS: u32 = 5_000;

impl Store {
    /// Newest day first: the caller's usage and that of companies they run; all for operators.
    pub async fn usage(
        &self,
        who: &Principal,
        query: UsageQuery,
    ) -> Result<Vec<UsageRow>, StoreError> {
        let me = who.clone();
        self.read(who, move |tx, _| Box::pin(usage(tx, me, query)))
            .await
    }
}

/// Adds the usage of a turn to its person's day.
pub(crate) async fn count(
    tx: &mut Tx,
    lease: &Lease,
    usage: Usage,
    now: DateTime<Utc>,
) -> Result<(), TxError> {
    Ok(tx
        .execute_later(
            "INSERT INTO usage_days (profile_id, day, scope_id, company_id, assistant, turns, \
             input_tokens, output_tokens, cached_tokens, estimated_turns) \
         SELECT t.profile_id, $2::bigint, c.scope_id, c.company_id, c.assistant, 1, $3::bigint, \
             $4::bigint, $5::bigint, $6::bigint \
         FROM turns t JOIN conversations c ON c.id = t.conversation_id WHERE t.id = $1 \
         ON CONFLICT (profile_id, day, scope_id, assistant) DO UPDATE SET \
             turns = usage_days.turns + 1, \
             input_tokens = usage_days.input_tokens + excluded.input_tokens, \
             output_tokens = usage_days.output_tokens + excluded.output_tokens, \
             cached_tokens = usage_days.cached_tokens + excluded.cached_tokens, \
             estimated_turns = usage_days.estimated_turns + excluded.estimated_turns",
            vec![
                lease.turn.into(),
                day_number(now).into(),
                rows::int(usage.input_tokens)?,
                rows::int(usage.output_tokens)?,
                rows::int(usage.cached_tokens)?,
                i64::from(usage.estimated).into(),
            ],
        )
        .await?)
}

async fn usage(tx: &mut Tx, who: Principal, query: UsageQuery) -> Result<Vec<UsageRow>, TxError> {
    access::act_with_roles(tx, &who).await?;
    if let Some(company) = query.company {
        crate::companies::seen(tx, who.profile(), company).await?;
    }
    let (sql, values) = statement(&who, &query);
    let found = tx.rows(&sql, &values).await?;
    found.iter().map(usage_row).collect()
}

fn statement(who: &Principal, query: &UsageQuery) -> (String, Vec<Value>) {
    let mut values: Vec<Value> = vec![
        days(query.from).into(),
        days(query.to).into(),
        MAX_ROWS.into(),
    ];
    let mut conditions = String::from("u.day >= $1 AND u.day <= $2");
    if !who.roles().contains(&Role::OPERATOR) {
        values.push(who.profile().into());
        // Writing to a String cannot fail.
        let _ = write!(
            conditions,
            " AND (u.profile_id = ${0} OR u.scope_id IN (SELECT m.company_id \
                 FROM company_members m WHERE m.profile_id = ${0} AND m.role IN ('owner', 'admin')))",
            values.len()
        );
    }
    if let Some(company) = query.company {
        values.push(company.into());
        let _ = write!(conditions, " AND u.company_id = ${}", values.len());
    }
    if let Some(assistant) = &query.assistant {
        values.push(assistant.into());
        let _ = write!(conditions, " AND u.assistant = ${}", values.len());
    }
    let sql = format!(
        "SELECT u.profile_id, u.day, u.company_id, u.assistant, u.turns, u.input_tokens, \
             u.output_tokens, u.cached_tokens, u.estimated_turns FROM usage_days u WHERE {conditions} \
         ORDER BY u.day DESC, u.assistant, u.profile_id, u.scope_id LIMIT $3"
    );
    (sql, values)
}

fn days(date: NaiveDate) -> i64 {
    day_number(date.and_time(chrono::NaiveTime::MIN).and_utc())
}

fn usage_row(row: &Row) -> Result<UsageRow, TxError> {
    let day = row.get::<i64>("day")?;
    let day = day
        .checked_mul(86_400)
        .and_then(|seconds| DateTime::from_timestamp(seconds, 0))
        .ok_or_else(|| unreadable("a day"))?;
    Ok(UsageRow {
        day: day.date_naive(),
        profile_id: row.get("profile_id")?,
        company_id: row.get("company_id")?,
        assistant: row.get("assistant")?,
        turns: row.get("turns")?,
        input_tokens: row.get("input_tokens")?,
        output_tokens: row.get("output_tokens")?,
        cached_tokens: row.get("cached_tokens")?,
        estimated_turns: row.get("estimated_turns")?,
    })
}
