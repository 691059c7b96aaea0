//! Cards that were decided, for the people whom they concern.

use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::approval::ApprovalCard;
use frontdesk_core::artifact::Author;
use frontdesk_core::id::ProfileId;
use frontdesk_core::store::DecidedApproval;
use frontdesk_db::{Dialect, Row, Tx};

use crate::access::{self, ACCESS};
use crate::approvals::ADDRESSED;
use crate::rows;
use crate::tx_error::TxError;

/// More than this nobody reads in an inbox; the audit has all of them.
const MOST: usize = 50;
/// Cards that are looked at: some are addressed to roles that the person does not hold.
const MOST_READ: i64 = 500;

/// Those that the person asked for, decided, or might have decided, newest first.
pub(crate) async fn decided(
    tx: &mut Tx,
    who: Principal,
    since: DateTime<Utc>,
) -> Result<Vec<DecidedApproval>, TxError> {
    access::act_with_roles(tx, &who).await?;
    // A decider need not be a colleague, and Postgres shows the profiles of colleagues alone.
    let name = match tx.dialect() {
        Dialect::Sqlite => "p.display_name",
        Dialect::Postgres => "coalesce(p.display_name, fd.decider_name(a.turn_id, a.call_id))",
    };
    let sql = format!(
        "SELECT a.turn_id, a.conversation_id, a.assistant, a.card, a.approved_card, a.decision, \
             a.decided_by, a.decided_at, a.reason, {name} AS decider \
         FROM approvals a LEFT JOIN profiles p ON p.id = a.decided_by \
         LEFT JOIN conversations c ON c.id = a.conversation_id \
         WHERE a.decision IS NOT NULL AND a.decided_at >= $2 \
             AND (((a.requested_by = $1 OR a.decided_by = $1) AND {ACCESS}) OR {ADDRESSED}) \
         ORDER BY a.decided_at DESC, a.turn_id, a.call_id LIMIT $3"
    );
    let values = [who.profile().into(), since.into(), MOST_READ.into()];
    let found = tx.rows(&sql, &values).await?;
    let mut decided = Vec::new();
    for row in &found {
        let one = read(row)?;
        if concerns(&one, &who) {
            decided.push(one);
        }
    }
    decided.truncate(MOST);
    Ok(decided)
}

fn read(row: &Row) -> Result<DecidedApproval, TxError> {
    let approved: Option<ApprovalCard> = rows::optional_json(row, "approved_card")?;
    let by: Option<ProfileId> = row.get("decided_by")?;
    let name: Option<String> = row.get("decider")?;
    Ok(DecidedApproval {
        conversation_id: row.get("conversation_id")?,
        turn_id: row.get("turn_id")?,
        assistant: row.get("assistant")?,
        card: match approved {
            Some(card) => card,
            None => rows::json(row, "card")?,
        },
        decision: rows::named(row, "decision")?,
        decided_by: by.map(|id| Author::known_as(id, name)),
        decided_at: row.get("decided_at")?,
        reason: row.get("reason")?,
    })
}

fn concerns(one: &DecidedApproval, who: &Principal) -> bool {
    let me = who.profile();
    one.card.requested_by == me
        || one.decided_by.as_ref().is_some_and(|by| by.id == me)
        || who.holds_any(&one.card.approvers)
}
