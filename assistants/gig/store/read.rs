//! Reads gigs and candidates. Columns with contact data are never selected.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_core::id::{CompanyId, ConversationId};
use frontdesk_db::{DbError, Dialect, Row, Tx};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{GigError, GigWriteError};
use crate::domain::candidate::CandidateContext;
use crate::domain::gig_context::GigContext;
use crate::domain::gig_fields::GigFields;
use crate::domain::kinds::{GigHrSelectionStatus, GigResponseStatus, GigType, Kind};
use crate::{MESSAGES_A_MINUTE, NAME};

/// A gig in a list.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(example = example())]
pub(crate) struct GigCard {
    pub(crate) id: Uuid,
    pub(crate) workspace_id: Uuid,
    pub(crate) title: String,
    pub(crate) r#type: String,
    pub(crate) is_active: bool,
    pub(crate) responses: i64,
    pub(crate) new_responses: i64,
    /// Responses without a decision.
    pub(crate) undecided: i64,
    pub(crate) created_at: DateTime<Utc>,
}

fn example() -> Value {
    json!({
        "id": "018f6f2e-7c1a-7a31-9a55-3f0c5d1e2b4a", "workspaceId": "018f6f2e-7c1a-7a31-9a55-3f0c5d1e2b4a",
        "title": "Лендинг для онлайн-школы", "type": "DEVELOPMENT", "isActive": true, "responses": 12,
        "newResponses": 4, "undecided": 9, "createdAt": "2026-11-13T09:00:00Z",
    })
}

/// A gig with the version that its context belongs to.
pub(super) struct Gig {
    pub(super) workspace: CompanyId,
    pub(super) version: i64,
    pub(super) context: GigContext,
}

const CARD: &str = "SELECT g.id, g.workspace_id, g.title, g.type, g.is_active, g.created_at, \
     (SELECT count(*) FROM gig_responses r WHERE r.gig_id = g.id) AS responses, \
     (SELECT count(*) FROM gig_responses r WHERE r.gig_id = g.id AND r.status = 'NEW') AS new_responses, \
     (SELECT count(*) FROM gig_responses r WHERE r.gig_id = g.id AND r.hr_selection_status IS NULL) AS undecided \
     FROM gigs g JOIN company_members m ON m.company_id = g.workspace_id AND m.profile_id = $1";

pub(super) async fn cards(tx: &mut Tx, me: Uuid) -> Result<Vec<GigCard>, DbError> {
    let sql = format!("{CARD} ORDER BY g.created_at DESC, g.id DESC LIMIT 500");
    let rows = tx.rows(&sql, &[me.into()]).await?;
    rows.iter().map(read_card).collect()
}

/// A candidate by name, and where to find them.
pub(crate) struct CandidateName {
    pub(crate) response: Uuid,
    pub(crate) name: String,
    pub(crate) gig: Uuid,
    pub(crate) gig_title: String,
}

pub(super) async fn names(tx: &mut Tx, me: Uuid) -> Result<Vec<CandidateName>, DbError> {
    let rows = tx
        .rows(
            "SELECT r.id, r.candidate_name, g.id AS gig, g.title FROM gigs g \
             JOIN company_members m ON m.company_id = g.workspace_id AND m.profile_id = $1 \
             JOIN gig_responses r ON r.gig_id = g.id \
             WHERE r.candidate_name IS NOT NULL ORDER BY r.responded_at DESC, r.id LIMIT 5000",
            &[me.into()],
        )
        .await?;
    rows.iter()
        .map(|row| {
            Ok(CandidateName {
                response: row.get("id")?,
                name: row.get("candidate_name")?,
                gig: row.get("gig")?,
                gig_title: row.get("title")?,
            })
        })
        .collect()
}

pub(super) async fn card(tx: &mut Tx, me: Uuid, gig: Uuid) -> Result<GigCard, GigError> {
    let sql = format!("{CARD} WHERE g.id = $2");
    match tx.row(&sql, &[me.into(), gig.into()]).await? {
        Some(row) => Ok(read_card(&row)?),
        None => Err(refusal(tx, gig).await?),
    }
}

fn read_card(row: &Row) -> Result<GigCard, DbError> {
    Ok(GigCard {
        id: row.get("id")?,
        workspace_id: row.get("workspace_id")?,
        title: row.get("title")?,
        r#type: row.get("type")?,
        is_active: row.get("is_active")?,
        responses: row.get("responses")?,
        new_responses: row.get("new_responses")?,
        undecided: row.get("undecided")?,
        created_at: row.get("created_at")?,
    })
}

/// Distinguishes a gig of another workspace from one that does not exist.
async fn refusal(tx: &mut Tx, gig: Uuid) -> Result<GigError, DbError> {
    let sql = match tx.dialect() {
        Dialect::Postgres => "SELECT fd.gig_exists($1) AS found",
        Dialect::Sqlite => "SELECT EXISTS (SELECT 1 FROM gigs WHERE id = $1) AS found",
    };
    let found = match tx.row(sql, &[gig.into()]).await? {
        Some(row) => row.get("found")?,
        None => false,
    };
    Ok(if found {
        GigError::Forbidden
    } else {
        GigError::NotFound
    })
}

pub(super) async fn gig(tx: &mut Tx, me: Uuid, gig: Uuid) -> Result<Gig, GigError> {
    let row = tx
        .row(
            "SELECT g.id, g.workspace_id, g.version, g.title, g.description, g.requirements, g.type, g.budget_min, \
                 g.budget_max, g.budget_currency, g.deadline, g.estimated_duration, g.custom_bot_instructions \
             FROM gigs g JOIN company_members m ON m.company_id = g.workspace_id AND m.profile_id = $1 WHERE g.id = $2",
            &[me.into(), gig.into()],
        )
        .await?;
    let Some(row) = row else {
        return Err(refusal(tx, gig).await?);
    };
    Ok(Gig {
        workspace: CompanyId::from_uuid(row.get("workspace_id")?),
        version: row.get("version")?,
        context: gig_of(&row)?,
    })
}

/// The design's `loadGigContext`, from a row with its columns.
fn gig_of(row: &Row) -> Result<GigContext, DbError> {
    Ok(GigContext {
        id: row.get("id")?,
        title: row.get("title")?,
        description: row.get("description")?,
        requirements: json(row, "requirements")?,
        r#type: GigType::named(&row.get::<String>("type")?).unwrap_or(GigType::Other),
        budget_min: row.get("budget_min")?,
        budget_max: row.get("budget_max")?,
        budget_currency: row.get("budget_currency")?,
        deadline: row.get("deadline")?,
        estimated_duration: row.get("estimated_duration")?,
        custom_bot_instructions: row.get("custom_bot_instructions")?,
    })
}

/// The fields of a gig that can be edited.
pub(super) async fn fields(tx: &mut Tx, me: Uuid, gig: Uuid) -> Result<GigFields, GigError> {
    let card = card(tx, me, gig).await?;
    let context = self::gig(tx, me, gig).await?.context;
    Ok(GigFields {
        title: context.title,
        description: context.description,
        requirements: context.requirements,
        r#type: context.r#type,
        budget_min: context.budget_min,
        budget_max: context.budget_max,
        budget_currency: context.budget_currency,
        deadline: context.deadline,
        estimated_duration: context.estimated_duration,
        custom_bot_instructions: context.custom_bot_instructions,
        is_active: card.is_active,
    })
}

/// The named workspace if the person is a member there, or their only one.
pub(super) async fn workspace(
    tx: &mut Tx,
    me: Uuid,
    named: Option<Uuid>,
) -> Result<Uuid, GigWriteError> {
    let rows = tx
        .rows(
            "SELECT company_id FROM company_members WHERE profile_id = $1",
            &[me.into()],
        )
        .await?;
    let mut own = Vec::with_capacity(rows.len());
    for row in &rows {
        own.push(row.get::<Uuid>("company_id")?);
    }
    match (named, own.as_slice()) {
        (Some(named), own) if own.contains(&named) => Ok(named),
        (Some(_), _) => Err(GigError::Forbidden.into()),
        (None, [only]) => Ok(*only),
        (None, [] | [_, _, ..]) => Err(GigWriteError::NoWorkspace),
    }
}

/// The design's `loadCandidatesContext`, before it is ranked.
pub(super) async fn candidates(tx: &mut Tx, gig: Uuid) -> Result<Vec<CandidateContext>, DbError> {
    let rows = tx
        .rows(
            "SELECT r.id, r.candidate_id, r.candidate_name, r.proposed_price, r.proposed_currency, \
                 r.proposed_delivery_days, r.cover_letter, r.experience, r.skills, r.rating, r.status, \
                 r.hr_selection_status, r.responded_at, r.experience_score, s.score AS screening_score, \
                 s.detailed_score AS screening_detailed_score, s.analysis AS screening_analysis, \
                 i.score AS interview_score, i.rating AS interview_rating, i.analysis AS interview_analysis \
             FROM gig_responses r LEFT JOIN gig_response_screenings s ON s.response_id = r.id \
             LEFT JOIN interview_scorings i ON i.interview_session_id = (SELECT x.interview_session_id \
                 FROM interview_scorings x WHERE x.response_id = r.id \
                 ORDER BY x.created_at DESC, x.interview_session_id DESC LIMIT 1) \
             WHERE r.gig_id = $1 ORDER BY r.responded_at, r.id",
            &[gig.into()],
        )
        .await?;
    let mut found = Vec::with_capacity(rows.len());
    for row in &rows {
        found.push(candidate(row)?);
    }
    Ok(found)
}

fn candidate(row: &Row) -> Result<CandidateContext, DbError> {
    let decision: Option<String> = row.get("hr_selection_status")?;
    let rating: Option<f64> = row.get("interview_rating")?;
    Ok(CandidateContext {
        id: row.get("id")?,
        candidate_id: row.get("candidate_id")?,
        candidate_name: row.get("candidate_name")?,
        proposed_price: row.get("proposed_price")?,
        proposed_currency: row.get("proposed_currency")?,
        proposed_delivery_days: row.get("proposed_delivery_days")?,
        cover_letter: row.get("cover_letter")?,
        experience: row.get("experience")?,
        skills: json(row, "skills")?,
        rating: row.get("rating")?,
        status: GigResponseStatus::named(&row.get::<String>("status")?)
            .unwrap_or(GigResponseStatus::New),
        hr_selection_status: decision.as_deref().and_then(GigHrSelectionStatus::named),
        screening_score: row.get("screening_score")?,
        screening_detailed_score: row.get("screening_detailed_score")?,
        screening_analysis: row.get("screening_analysis")?,
        interview_score: row.get("interview_score")?,
        interview_detailed_score: rating.map(|of_five| of_five * 20.0),
        interview_analysis: row.get("interview_analysis")?,
        composite_score: None,
        strengths: None,
        weaknesses: None,
        recommendation: None,
        responded_at: row.get("responded_at")?,
        experience_score: row.get("experience_score")?,
        comparable_price: None,
        ranked: None,
    })
}

/// A JSON column. A value that does not fit the type counts as not given.
fn json<T: DeserializeOwned>(row: &Row, column: &str) -> Result<Option<T>, DbError> {
    let value: Option<Value> = row.get(column)?;
    Ok(value.and_then(|value| serde_json::from_value(value).ok()))
}

pub(super) async fn session(
    tx: &mut Tx,
    me: Uuid,
    gig: Uuid,
) -> Result<Option<ConversationId>, DbError> {
    let row = tx
        .row(
            "SELECT id FROM conversations WHERE assistant = 'gig' AND subject = $1 AND user_id = $2",
            &[gig.to_string().into(), me.into()],
        )
        .await?;
    row.map(|row| Ok(ConversationId::from_uuid(row.get("id")?)))
        .transpose()
}

pub(super) async fn earlier_questions(
    tx: &mut Tx,
    conversation: ConversationId,
    newest: i64,
) -> Result<Vec<String>, DbError> {
    let rows = tx
        .rows(
            "SELECT content FROM messages WHERE conversation_id = $1 AND part = 'said' AND aside IS NULL AND role = 'user' \
             AND seq < (SELECT coalesce(min(x.seq), 0) FROM (SELECT seq FROM messages WHERE conversation_id = $1 \
                 AND part = 'said' AND aside IS NULL ORDER BY seq DESC LIMIT $2) x) \
             ORDER BY seq DESC LIMIT 20",
            &[conversation.uuid().into(), newest.into()],
        )
        .await?;
    let mut questions = Vec::with_capacity(rows.len());
    for row in rows.iter().rev() {
        questions.push(row.get("content")?);
    }
    Ok(questions)
}

/// The same window as the store's: 20 messages per minute and person.
pub(super) async fn rate_limit(
    tx: &mut Tx,
    me: Uuid,
    now: DateTime<Utc>,
) -> Result<Option<Duration>, DbError> {
    let window = TimeDelta::minutes(1);
    let most = i64::from(MESSAGES_A_MINUTE);
    let row = tx
        .row(
            "SELECT r.at FROM rate_events r WHERE r.bucket = $1 AND r.at > $2 ORDER BY r.at DESC LIMIT 1 OFFSET $3",
            &[
                format!("messages:{NAME}:{me}").into(),
                (now - window).into(),
                (most - 1).into(),
            ],
        )
        .await?;
    let Some(row) = row else { return Ok(None) };
    let oldest: DateTime<Utc> = row.get("at")?;
    Ok((oldest + window - now).to_std().ok())
}
