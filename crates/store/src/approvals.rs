//! Decisions that wait for a person, and how they are taken: once, by somebody who may.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::approval::{ApprovalCard, DecideError, Decision};
use frontdesk_core::change_notice::{ApprovalStep, ChangeNotice};
use frontdesk_core::event::Event;
use frontdesk_core::handle::Handles;
use frontdesk_core::id::{ConversationId, ProfileId, TurnId};
use frontdesk_core::store::{
    Approvals, AuditOutcome, DecidedApproval, NewDecision, PendingApproval, StoreError,
};
use frontdesk_db::{Dialect, Row, Tx, Value};
use serde_json::{Map, Value as Json};

use crate::access::{self, ACCESS, Kind, refusal};
use crate::audit::{self, TurnFact};
use crate::change_feed::publish_turn;
use crate::decided::decided;
use crate::fault::Fault;
use crate::rows::{self, json_text, name_of};
use crate::turns::{NOBODY, append_next, load_files, load_texts};
use crate::{Store, change_feed};

/// Whether a card `a` is addressed to roles, in a company that the profile `$1` belongs to
/// when the conversation has one. Which roles is decided from the card.
pub(crate) const ADDRESSED: &str = "(a.for_roles AND (a.company_id IS NULL OR a.company_id IN \
     (SELECT am.company_id FROM company_members am WHERE am.profile_id = $1)))";

#[async_trait]
impl Approvals for Store {
    async fn pending(
        &self,
        who: &Principal,
        now: DateTime<Utc>,
    ) -> Result<Vec<PendingApproval>, StoreError> {
        let me = who.clone();
        self.read(who, move |tx| {
            Box::pin(async move { pending(tx, &me, now).await })
        })
        .await
    }

    async fn decided(
        &self,
        who: &Principal,
        since: DateTime<Utc>,
    ) -> Result<Vec<DecidedApproval>, StoreError> {
        let me = who.clone();
        self.read(who, move |tx| {
            Box::pin(async move { decided(tx, &me, since).await })
        })
        .await
    }

    async fn awaiting(
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
            decision: Decision::Approved,
            reason: None,
            arguments: None,
            state: None,
            now,
        };
        self.read(who, move |tx| {
            Box::pin(async move { Ok(look.undecided(tx).await?.1) })
        })
        .await
    }

    async fn decide(
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
            decision: decision.decision,
            reason: decision.reason,
            arguments: decision.arguments,
            state: decision.state,
            now,
        };
        self.write_again(who, || {
            let verdict = verdict.clone();
            Box::new(move |tx| Box::pin(async move { verdict.take(tx).await }))
        })
        .await
    }

    async fn handles(
        &self,
        who: &Principal,
        conversation: ConversationId,
        texts: &[u32],
    ) -> Result<Handles, StoreError> {
        let (me, texts) = (who.profile(), texts.to_vec());
        self.read(who, move |tx| {
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
) -> Result<Handles, Fault> {
    let sql = format!("SELECT c.file_count FROM conversations c WHERE c.id = $2 AND {ACCESS}");
    let values: [Value; 2] = [me.uuid().into(), conversation.uuid().into()];
    let Some(row) = tx.row(&sql, &values).await? else {
        return Err(refusal(tx, Kind::Conversation, conversation.uuid()).await?);
    };
    let file_count = rows::natural(&row, "file_count")?;
    Ok(Handles {
        texts: load_texts(tx, conversation, numbers).await?,
        files: load_files(tx, conversation, file_count).await?,
    })
}

async fn pending(
    tx: &mut Tx,
    who: &Principal,
    now: DateTime<Utc>,
) -> Result<Vec<PendingApproval>, Fault> {
    access::act_with_roles(tx, who).await?;
    let sql = format!(
        "SELECT a.turn_id, a.conversation_id, a.assistant, a.card FROM approvals a \
         LEFT JOIN conversations c ON c.id = a.conversation_id \
         WHERE a.decision IS NULL AND a.expires_at >= $2 \
             AND ((a.requested_by = $1 AND {ACCESS}) OR {ADDRESSED}) \
         ORDER BY a.requested_at, a.turn_id, a.call_id"
    );
    let found = tx
        .rows(&sql, &[who.profile().uuid().into(), now.into()])
        .await?;
    let mut pending = Vec::new();
    for row in &found {
        let request = request(row, rows::id(row, "turn_id")?)?;
        if request.card.may_be_decided_by(who, now).is_ok() {
            pending.push(request);
        }
    }
    Ok(pending)
}

fn request(row: &Row, turn: TurnId) -> Result<PendingApproval, Fault> {
    Ok(PendingApproval {
        conversation_id: rows::id(row, "conversation_id")?,
        turn_id: turn,
        assistant: row.get("assistant")?,
        card: rows::json(row, "card")?,
    })
}

/// What a person says about a card.
#[derive(Clone)]
struct Verdict {
    who: Principal,
    turn: TurnId,
    call_id: String,
    decision: Decision,
    reason: Option<String>,
    arguments: Option<Map<String, Json>>,
    state: Option<String>,
    now: DateTime<Utc>,
}

impl Verdict {
    async fn take(self, tx: &mut Tx) -> Result<PendingApproval, Fault> {
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
            company: rows::optional_id(&row, "company_id")?,
            approvers: request.card.approvers.clone(),
        };
        change_feed::publish(tx, &told)?;
        Ok(request)
    }

    /// The card, if this person may decide it and nobody has.
    async fn undecided(&self, tx: &mut Tx) -> Result<(Row, PendingApproval), Fault> {
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
            Some("expired") => return Err(StoreError::Undecidable(DecideError::Expired).into()),
            Some(_) => return Err(decided_already()),
        }
        if self.decision == Decision::Expired {
            return Err(StoreError::Conflict("only time lets a request expire".to_owned()).into());
        }
        request
            .card
            .may_be_decided_by(&self.who, self.now)
            .map_err(StoreError::Undecidable)?;
        Ok((row, request))
    }

    /// The card with the arguments that are approved. Only who may edit it may change them.
    fn sealed(&self, card: ApprovalCard) -> Result<ApprovalCard, Fault> {
        match &self.arguments {
            None => Ok(card),
            Some(arguments)
                if card.editable
                    && self.decision == Decision::Approved
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

    async fn look(&self, tx: &mut Tx) -> Result<Row, Fault> {
        let sql = format!(
            "SELECT a.conversation_id, a.assistant, a.card, a.company_id, a.decision, \
                 {ACCESS} AS sees, {ADDRESSED} AS addressed \
             FROM approvals a LEFT JOIN conversations c ON c.id = a.conversation_id \
             WHERE a.turn_id = $2 AND a.call_id = $3"
        );
        let me: Value = self.who.profile().uuid().into();
        let turn: Value = self.turn.uuid().into();
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
    ) -> Result<(), Fault> {
        access::lock(tx, conversation).await?;
        let approved_card = match &self.arguments {
            Some(_) => json_text(card)?,
            None => Value::Null,
        };
        let changed = tx
            .execute(
                "UPDATE approvals SET decision = $3, decided_by = $4, reason = $5, \
                     decided_at = $6, approved_card = $7::text::json WHERE turn_id = $1 AND call_id = $2 AND decision IS NULL",
                &[
                    self.turn.uuid().into(),
                    (&self.call_id).into(),
                    name_of(&self.decision)?.into(),
                    self.who.profile().uuid().into(),
                    self.reason.as_deref().into(),
                    self.now.into(),
                    approved_card,
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
            decision: self.decision,
            by: Some(self.who.name().to_owned()),
            reason: self.reason.clone(),
            arguments: self.arguments.clone(),
            state: self.state.clone(),
        }
    }

    fn outcome(&self) -> AuditOutcome {
        match self.decision {
            Decision::Approved => AuditOutcome::Approved,
            Decision::Rejected => AuditOutcome::Rejected,
            Decision::Expired => AuditOutcome::Expired,
        }
    }

    /// An approver need not have access to the conversation: the rest is done by a function
    /// that does only this, for a card that this person has just decided.
    async fn tell_postgres(&self, tx: &mut Tx, card: &ApprovalCard) -> Result<(), Fault> {
        let values = vec![
            self.turn.uuid().into(),
            self.now.into(),
            (&self.call_id).into(),
            (&card.tool).into(),
            self.who.name().into(),
            self.outcome().as_str().into(),
            self.who.profile().uuid().into(),
            json_text(&self.event())?,
            NOBODY.into(),
        ];
        tx.execute_later(
            "SELECT fd.decided($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            values,
        )
        .await?;
        publish_turn(tx, self.turn)
    }

    async fn tell_sqlite(&self, tx: &mut Tx, card: &ApprovalCard) -> Result<(), Fault> {
        append_next(tx, self.turn, &self.event()).await?;
        tx.execute(
            "UPDATE turns SET lease_until = coalesce((SELECT max(a.expires_at) FROM approvals a \
                 WHERE a.turn_id = $1 AND a.decision IS NULL), $2) \
             WHERE id = $1 AND state = 'awaiting_approval'",
            &[self.turn.uuid().into(), NOBODY.into()],
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

fn decided_already() -> Fault {
    StoreError::Conflict("this request has been decided already".to_owned()).into()
}
