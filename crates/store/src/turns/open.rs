//! Opens a turn in one transaction: load the state that decides, check the rules, load the
//! history, insert the turn. On Postgres this takes two round trips: one loads under the locks,
//! one writes and commits.

mod check;
mod history;
mod insert;
mod load;
mod message;
mod revise;
mod write;

use frontdesk_core::access::Principal;
use frontdesk_core::store::{Accepted, OpenTurn};
use frontdesk_db::Tx;

use super::files;
use crate::rows::{self, micros};
use crate::tx_error::TxError;
use check::Plan;
pub(super) use history::{HISTORY, load_history, role};
use insert::TurnInsert;
pub(crate) use load::prepare;
pub(crate) use message::with_content;

pub(super) async fn open(
    tx: &mut Tx,
    who: Principal,
    mut request: OpenTurn,
) -> Result<Accepted, TxError> {
    request.now = micros(request.now);
    let row = load::load_state(tx, &who, &request).await?;
    let next_seq: i64 = row.get("next_seq")?;
    let named = load::load_named_turn(tx, &row, &request).await?;
    let earlier = match check::check(&row, named, &request)? {
        Plan::Replay(earlier) => {
            return Ok(Accepted::Replay {
                turn: earlier.turn,
                state: earlier.state,
                user_message: Box::new(earlier.user_message),
            });
        }
        Plan::Again(earlier) => Some(earlier),
        Plan::New => None,
    };
    let first_seq = earlier.as_ref().map_or(next_seq, |found| found.first_seq);
    let revised = match request.revision.clone() {
        // A replayed request that runs again has its version already.
        Some(revision) if earlier.is_none() => {
            let me = who.profile().uuid();
            Some(revise::set_aside(tx, me, &mut request, &revision).await?)
        }
        Some(_) | None => None,
    };
    let history = match &revised {
        None => history::load_for_turn(tx, &row, request.conversation, first_seq).await?,
        Some(_) => history::load_all(tx, request.conversation, first_seq).await?,
    };
    let attached = match &earlier {
        Some(_) => &[],
        None => message::attachments(&request.opening),
    };
    let file_count: u64 = row.get("file_count")?;
    let files = files::number_files(tx, request.conversation, file_count, attached).await?;
    let insert = TurnInsert {
        rate: check::rate_left(&row, &request)?,
        allowance: check::allowance(&row, &request.budget)?,
        conversation: rows::conversation(&row)?,
        scope: row.get("scope_id")?,
        next_seq,
        first_seq,
        text_count: row.get("text_count")?,
        who,
        request,
        lines: Vec::new(),
    };
    insert.insert(tx, earlier, history, files, revised).await
}
