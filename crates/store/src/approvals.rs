//! Decisions that wait for a person, and how they are taken: once, by somebody who may.

use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::approval::{ApprovalCard, DecideError, Decision};
use frontdesk_core::change_notice::{ApprovalStep, ChangeNotice};
use frontdesk_core::event::Event;
use frontdesk_core::handle::Handles;
use frontdesk_core::id::{ConversationId, ProfileId, TurnId};
use frontdesk_core::store::{
    AuditOutcome, DecidedApproval, NewDecision, PendingApproval, StoreError,
};
use frontdesk_db::{Dialect, Row, Tx, Value};

use crate::access::{self, ACCESS, Kind, refusal};
use crate::audit::{self, TurnFact};
use crate::change_feed::publish_turn;
use crate::decided::decided;
use crate::rows::{self, json_text, name_of};
use crate::turns::{UNLEASED, append_next, load_files, load_texts};
use crate::tx_error::TxError;
use crate::{Store, change_feed};

/// Whether a card `a` is addressed to roles, in a company that the profile `$1` belongs to
/// when the conversation has one. Which roles is decided from the card.
pub(crate) const ADDRESSED: &str = "(a.for_roles AND (a.company_id IS NULL OR a.company_id IN \
     (SELECT am.company_id FROM company_members am WHERE am.profile_id = $1)))";

/// The reason of a card whose turn was cancelled.
pub(crate) const WITHDRAWN: &str = "the turn was cancelled";

/// Pending decisions.
impl Store {
    /// Cards that this person may decide, oldest first.
    pub async fn pending(
        &self,
        who: &Principal,
        now: DateTime<Utc>,
    ) -> Result<Vec<PendingApproval>, StoreError> {
        let me = who.clone();
        self.read(who, move |tx, _| Box::pin(pending(tx, me, now)))
            .await
    }

    /// Cards decided since then that this person requested or could decide, newest first.
    pub async fn decided(
        &self,
        who: &Principal,
        since: DateTime<Utc>,
    ) -> Result<Vec<DecidedApproval>, StoreError> {
        let me = who.clone();
        self.read(who, move |tx, _| Box::pin(decided(tx, me, since)))
            .await
    }

    /// A card that this person may decide now; same errors as [`Store::decide`].
    pub async fn awaiting(
        &self,
        who: &Principal,
        turn: TurnId,
        call_id: &str,
        now: DateTime<Utc>,
    ) -> Result<PendingApproval, StoreError> {
        let look = Verdict {
            who: who.clone(),
            turn,
            call_id: call_id.to_owned(),
            new: Decision::Approved.into(),
            now,
        };
        self.read(who, move |tx, _| {
            Box::pin(async move { Ok(look.undecided(tx).await?.1) })
        })
        .await
    }

    /// Decides by compare-and-set; a second decision is a conflict. New arguments get a new seal.
    /// Returns the card as approved.
    pub async fn decide(
        &self,
        who: &Principal,
        turn: TurnId,
        call_id: &str,
        decision: NewDecision,
        now: DateTime<Utc>,
    ) -> Result<PendingApproval, StoreError> {
        let verdict = Verdict {
            who: who.clone(),
            turn,
            call_id: call_id.to_owned(),
            new: decision,
            now,
        };
        self.write_again(who, || {
            let verdict = verdict.clone();
            Box::new(move |tx| Box::pin(async move { verdict.take(tx).await }))
        })
        .await
    }

    /// The handles that a decision's arguments may name: the conversation's files, and the pasted
    /// texts with these numbers.
    pub async fn handles(
        &self,
        who: &Principal,
        conversation: ConversationId,
        texts: &[u32],
    ) -> Result<Handles, StoreError> {
        let (me, texts) = (who.profile(), texts.to_vec());
        self.read(who, move |tx, _| {
            Box::pin(async move { handles(tx, me, conversation, &texts).await })
        })
        .await
    }
}

async fn handles(
    tx: &mut Tx,
    me: ProfileId,
    conversation: ConversationId,
    numbers: &[u32],
) -> Result<Handles, TxError> {
    let sql = format!("SELECT c.file_count FROM conversations c WHERE c.id = $2 AND {ACCESS}");
    let values: [Value; 2] = [me.into(), conversation.into()];
    let Some(row) = tx.row(&sql, &values).await? else {
        return Err(refusal(tx, Kind::Conversation, conversation.uuid()).await?);
    };
    let file_count = row.get("file_count")?;
    Ok(Handles {
        texts: load_texts(tx, conversation, numbers).await?,
        files: load_files(tx, conversation, file_count).await?,
    })
}

async fn pending(
    tx: &mut Tx,
    who: Principal,
    now: DateTime<Utc>,
) -> Result<Vec<PendingApproval>, TxError> {
    access::act_with_roles(tx, &who).await?;
    let sql = format!(
        "SELECT a.turn_id, a.conversation_id, a.assistant, a.card FROM approvals a \
         LEFT JOIN conversations c ON c.id = a.conversation_id \
         WHERE a.decision IS NULL AND a.expires_at >= $2 \
             AND ((a.requested_by = $1 AND {ACCESS}) OR {ADDRESSED}) \
         ORDER BY a.requested_at, a.turn_id, a.call_id"
    );
    let found = tx.rows(&sql, &[who.profile().into(), now.into()]).await?;
    let mut pending = Vec::new();
    for row in &found {
        let request = request(row, row.get("turn_id")?)?;
        if request.card.may_be_decided_by(&who, now).is_ok() {
            pending.push(request);
        }
    }
    Ok(pending)
}

fn request(row: &Row, turn: TurnId) -> Result<PendingApproval, TxError> {
    Ok(PendingApproval {
        conversation_id: row.get("conversation_id")?,
        turn_id: turn,
        assistant: row.get("assistant")?,
        card: rows::json(row, "card")?,
    })
}

/// A person's decision about a card.
#[derive(Clone)]
struct Verdict {
    who: Principal,
    turn: TurnId,
    call_id: String,
    new: NewDecision,
    now: DateTime<Utc>,
}

impl Verdict {
    async fn take(self, tx: &mut Tx) -> Result<PendingApproval, TxError> {
        let (row, mut request) = self.undecided(tx).await?;
        request.card = self.sealed(request.card)?;
        self.store(tx, request.conversation_id, &request.card)
            .await?;
        let told = ChangeNotice::Approval {
            step: ApprovalStep::Decided,
            conversation: request.conversation_id,
            turn: self.turn,
            call_id: change_feed::short_call_id(&self.call_id),
            requester: request.card.requested_by,
            company: row.get("company_id")?,
            approvers: request.card.approvers.clone(),
        };
        change_feed::publish(tx, &told)?;
        Ok(request)
    }

    /// The card, if this person may decide it and nobody has.
    async fn undecided(&self, tx: &mut Tx) -> Result<(Row, PendingApproval), TxError> {
        access::act_with_roles(tx, &self.who).await?;
        let row = self.look(tx).await?;
        let request = request(&row, self.turn)?;
        let sees = row.get::<Option<bool>>("sees")? == Some(true);
        let addressed = row.get::<Option<bool>>("addressed")? == Some(true)
            && self.who.holds_any(&request.card.approvers);
        if !sees && !addressed {
            return Err(StoreError::Forbidden.into());
        }
        match row.get::<Option<String>>("decision")?.as_deref() {
            None => {}
            // Whether time or a person was first to notice makes no difference to the answer.
            Some("rejected")
                if row.get::<Option<String>>("reason")?.as_deref() == Some(WITHDRAWN) =>
            {
                let problem = "this request was withdrawn; ask for it again".to_owned();
                return Err(StoreError::Conflict(problem).into());
            }
            Some("expired") => return Err(StoreError::Undecidable(DecideError::Expired).into()),
            Some(_) => return Err(decided_already()),
        }
        if self.new.decision == Decision::Expired {
            return Err(StoreError::Conflict("only time lets a request expire".to_owned()).into());
        }
        request
            .card
            .may_be_decided_by(&self.who, self.now)
            .map_err(StoreError::Undecidable)?;
        Ok((row, request))
    }

    /// The card with the arguments that are approved. Only who may edit it may change them.
    fn sealed(&self, card: ApprovalCard) -> Result<ApprovalCard, TxError> {
        match &self.new.arguments {
            None => Ok(card),
            Some(arguments)
                if card.editable
                    && self.new.decision == Decision::Approved
                    && card.requested_by == self.who.profile() =>
            {
                Ok(card.with_arguments(self.turn, arguments.clone()))
            }
            Some(_) => Err(StoreError::Conflict(
                "the arguments of this request cannot be changed".to_owned(),
            )
            .into()),
        }
    }

    async fn look(&self, tx: &mut Tx) -> Result<Row, TxError> {
        let sql = format!(
            "SELECT a.conversation_id, a.assistant, a.card, a.company_id, a.decision, a.reason, \
                 {ACCESS} AS sees, {ADDRESSED} AS addressed \
             FROM approvals a LEFT JOIN conversations c ON c.id = a.conversation_id \
             WHERE a.turn_id = $2 AND a.call_id = $3"
        );
        let me: Value = self.who.profile().into();
        let turn: Value = self.turn.into();
        let values = [me.clone(), turn.clone(), (&self.call_id).into()];
        if let Some(row) = tx.row(&sql, &values).await? {
            return Ok(row);
        }
        let sql = format!(
            "SELECT t.id FROM turns t JOIN conversations c ON c.id = t.conversation_id \
             WHERE t.id = $2 AND {ACCESS}"
        );
        match tx.row(&sql, &[me, turn]).await? {
            Some(_) => Err(StoreError::NotFound.into()),
            None => Err(refusal(tx, Kind::Turn, self.turn.uuid()).await?),
        }
    }

    async fn store(
        &self,
        tx: &mut Tx,
        conversation: ConversationId,
        card: &ApprovalCard,
    ) -> Result<(), TxError> {
        access::lock(tx, conversation).await?;
        // The requester may have named another object.
        let (approved_card, target) = match &self.new.arguments {
            Some(_) => (json_text(card)?, card.target.as_ref()),
            None => (Value::Null, None),
        };
        let changed = tx
            .execute(
                "UPDATE approvals SET decision = $3, decided_by = $4, reason = $5, \
                     decided_at = $6, approved_card = $7::text::json, target = coalesce($8::text, target) \
                 WHERE turn_id = $1 AND call_id = $2 AND decision IS NULL",
                &[
                    self.turn.into(),
                    (&self.call_id).into(),
                    name_of(&self.new.decision)?.into(),
                    self.who.profile().into(),
                    self.new.reason.as_deref().into(),
                    self.now.into(),
                    approved_card,
                    target.map(|target| target.value.as_str()).into(),
                ],
            )
            .await?;
        if changed == 0 {
            return Err(decided_already());
        }
        match tx.dialect() {
            Dialect::Postgres => self.tell_postgres(tx, card).await,
            Dialect::Sqlite => self.tell_sqlite(tx, card).await,
        }
    }

    fn event(&self) -> Event {
        Event::ApprovalDecided {
            call_id: self.call_id.clone(),
            decision: self.new.decision,
            by: Some(self.who.name().to_owned()),
            reason: self.new.reason.clone(),
            arguments: self.new.arguments.clone(),
            state: self.new.state.clone(),
        }
    }

    fn outcome(&self) -> AuditOutcome {
        match self.new.decision {
            Decision::Approved => AuditOutcome::Approved,
            Decision::Rejected => AuditOutcome::Rejected,
            Decision::Expired => AuditOutcome::Expired,
        }
    }

    /// An approver need not have access to the conversation: the rest is done by a function
    /// that does only this, for a card that this person has just decided.
    async fn tell_postgres(&self, tx: &mut Tx, card: &ApprovalCard) -> Result<(), TxError> {
        let values = vec![
            self.turn.into(),
            self.now.into(),
            (&self.call_id).into(),
            (&card.tool).into(),
            self.who.name().into(),
            self.outcome().as_str().into(),
            self.who.profile().into(),
            json_text(&self.event())?,
            UNLEASED.into(),
        ];
        tx.execute_later(
            "SELECT fd.decided($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            values,
        )
        .await?;
        publish_turn(tx, self.turn)
    }

    async fn tell_sqlite(&self, tx: &mut Tx, card: &ApprovalCard) -> Result<(), TxError> {
        append_next(tx, self.turn, &self.event()).await?;
        tx.execute(
            "UPDATE turns SET lease_until = coalesce((SELECT max(a.expires_at) FROM approvals a \
                 WHERE a.turn_id = $1 AND a.decision IS NULL), $2) \
             WHERE id = $1 AND state = 'awaiting_approval'",
            &[self.turn.into(), UNLEASED.into()],
        )
        .await?;
        let fact = TurnFact {
            call_id: &self.call_id,
            tool: &card.tool,
            target: None,
            outcome: self.outcome(),
            decider: Some((self.who.profile(), Some(self.who.name()))),
        };
        audit::note_for_turn(tx, self.turn, fact, self.now).await?;
        publish_turn(tx, self.turn)
    }
}

fn decided_already() -> TxError {
    StoreError::Conflict("this request has been decided already".to_owned()).into()
}
