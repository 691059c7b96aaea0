//! Writes gigs, responses and decisions. The database raises the gig's version with each of them.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use frontdesk_core::store::StoreError;
use frontdesk_db::{DbError, Tx, Value};
use frontdesk_store::{ApplyChange, Scene, store_error};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::{GigError, read};
use crate::domain::gig_fields::GigFields;
use crate::domain::kinds::{GigHrSelectionStatus, GigResponseStatus, ImportSource, Kind};

/// The kind of change of a decision about a candidate.
pub(crate) const SET_HR_STATUS: &str = "gig.set_hr_status";

/// A gig to create.
#[derive(Clone, Debug)]
pub(crate) struct NewGig {
    pub(crate) id: Uuid,
    pub(crate) workspace: Uuid,
    pub(crate) fields: GigFields,
    pub(crate) created_at: DateTime<Utc>,
}

/// A response to import, with its screening and interview.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct NewResponse {
    pub(crate) candidate_id: String,
    pub(crate) candidate_name: Option<String>,
    pub(crate) profile_url: Option<String>,
    pub(crate) telegram_username: Option<String>,
    pub(crate) phone: Option<String>,
    pub(crate) email: Option<String>,
    pub(crate) resume_language: Option<String>,
    pub(crate) proposed_price: Option<i64>,
    pub(crate) proposed_currency: Option<String>,
    pub(crate) proposed_delivery_days: Option<i64>,
    pub(crate) cover_letter: Option<String>,
    pub(crate) portfolio_links: Vec<String>,
    pub(crate) experience: Option<String>,
    pub(crate) skills: Option<Vec<String>>,
    pub(crate) rating: Option<String>,
    pub(crate) status: Option<GigResponseStatus>,
    pub(crate) hr_selection_status: Option<GigHrSelectionStatus>,
    pub(crate) import_source: Option<ImportSource>,
    pub(crate) responded_at: Option<DateTime<Utc>>,
    pub(crate) experience_score: Option<f64>,
    pub(crate) screening: Option<Assessment>,
    pub(crate) interview: Option<Assessment>,
}

/// Screening: `score` of 5 and `detailed` of 100. Interview: `score` of 100 and `detailed` as a rating of 5.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Assessment {
    pub(crate) score: Option<f64>,
    pub(crate) detailed: Option<f64>,
    pub(crate) analysis: Option<String>,
}

/// The effect of importing a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ImportOutcome {
    New,
    Changed,
    Unchanged,
}

pub(super) async fn create(tx: &mut Tx, gig: NewGig, now: DateTime<Utc>) -> Result<bool, DbError> {
    let mut values: Vec<Value> = vec![gig.id.into(), gig.workspace.into(), gig.created_at.into()];
    values.extend(columns(gig.fields, now));
    let added = tx
        .execute(
            "INSERT INTO gigs (id, workspace_id, created_at, title, description, requirements, type, budget_min, \
                 budget_max, budget_currency, deadline, estimated_duration, custom_bot_instructions, is_active, updated_at) \
             VALUES ($1, $2, $3, $4, $5, $6::text::json, $7, $8, $9, $10, $11, $12, $13, $14, $15) \
             ON CONFLICT (id) DO NOTHING",
            &values,
        )
        .await?;
    Ok(added == 1)
}

pub(super) async fn edit(
    tx: &mut Tx,
    gig: Uuid,
    fields: GigFields,
    now: DateTime<Utc>,
) -> Result<(), DbError> {
    let mut values: Vec<Value> = vec![gig.into()];
    values.extend(columns(fields, now));
    tx.execute(
        "UPDATE gigs SET title = $2, description = $3, requirements = $4::text::json, type = $5, budget_min = $6, \
             budget_max = $7, budget_currency = $8, deadline = $9, estimated_duration = $10, \
             custom_bot_instructions = $11, is_active = $12, updated_at = $13 WHERE id = $1",
        &values,
    )
    .await?;
    Ok(())
}

fn columns(gig: GigFields, now: DateTime<Utc>) -> Vec<Value> {
    let requirements = gig.requirements.map(|needs| json!(needs).to_string());
    vec![
        gig.title.into(),
        gig.description.into(),
        requirements.into(),
        gig.r#type.as_str().into(),
        gig.budget_min.into(),
        gig.budget_max.into(),
        gig.budget_currency.into(),
        gig.deadline.into(),
        gig.estimated_duration.into(),
        gig.custom_bot_instructions.into(),
        gig.is_active.into(),
        now.into(),
    ]
}

/// Adds responses, and updates those whose candidate has responded before.
pub(super) async fn respond(
    tx: &mut Tx,
    me: Uuid,
    gig: Uuid,
    responses: Vec<NewResponse>,
    ids: Vec<[Uuid; 2]>,
    now: DateTime<Utc>,
) -> Result<Vec<ImportOutcome>, GigError> {
    let found = read::gig(tx, me, gig).await?;
    let scope = found.workspace.uuid();
    let mut outcomes = Vec::with_capacity(responses.len());
    for (response, [id, session]) in responses.into_iter().zip(ids) {
        let target = ResponseTarget {
            id,
            gig,
            scope,
            now,
        };
        outcomes.push(upsert(tx, target, session, response).await?);
    }
    Ok(outcomes)
}

/// The row that a response is written to.
struct ResponseTarget {
    id: Uuid,
    gig: Uuid,
    scope: Uuid,
    now: DateTime<Utc>,
}

async fn upsert(
    tx: &mut Tx,
    mut target: ResponseTarget,
    session: Uuid,
    mut new: NewResponse,
) -> Result<ImportOutcome, DbError> {
    let (screening, interview) = (new.screening.take(), new.interview.take());
    let known = tx
        .row(
            "SELECT id FROM gig_responses WHERE gig_id = $1 AND candidate_id = $2",
            &[target.gig.into(), new.candidate_id.clone().into()],
        )
        .await?;
    let mut changed = 0;
    let is_new = known.is_none();
    match known {
        None => insert(tx, &target, new).await?,
        Some(row) => {
            target.id = row.get("id")?;
            changed += update(tx, &target, new).await?;
        }
    }
    if let Some(screening) = screening {
        changed += write_screening(tx, &target, screening).await?;
    }
    if let Some(interview) = interview {
        changed += write_interview(tx, &target, session, interview).await?;
    }
    Ok(match (is_new, changed) {
        (true, _) => ImportOutcome::New,
        (false, 0) => ImportOutcome::Unchanged,
        (false, _) => ImportOutcome::Changed,
    })
}

fn list(texts: &[String]) -> String {
    json!(texts).to_string()
}

async fn insert(tx: &mut Tx, target: &ResponseTarget, new: NewResponse) -> Result<(), DbError> {
    tx.execute(
        "INSERT INTO gig_responses (id, gig_id, scope_id, candidate_id, candidate_name, profile_url, \
             telegram_username, phone, email, resume_language, proposed_price, proposed_currency, \
             proposed_delivery_days, cover_letter, portfolio_links, experience, skills, rating, status, \
             hr_selection_status, import_source, responded_at, experience_score, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15::text::json, $16, \
             $17::text::json, $18, $19, $20, $21, $22, $23, $24, $24)",
        &[
            target.id.into(),
            target.gig.into(),
            target.scope.into(),
            new.candidate_id.into(),
            new.candidate_name.into(),
            new.profile_url.into(),
            new.telegram_username.into(),
            new.phone.into(),
            new.email.into(),
            new.resume_language.into(),
            new.proposed_price.into(),
            new.proposed_currency.unwrap_or_else(|| "RUB".to_owned()).into(),
            new.proposed_delivery_days.into(),
            new.cover_letter.into(),
            list(&new.portfolio_links).into(),
            new.experience.into(),
            new.skills.as_deref().map(list).into(),
            new.rating.into(),
            new.status.unwrap_or(GigResponseStatus::New).as_str().into(),
            new.hr_selection_status.map(GigHrSelectionStatus::as_str).into(),
            new.import_source.unwrap_or(ImportSource::Manual).as_str().into(),
            new.responded_at.unwrap_or(target.now).into(),
            new.experience_score.into(),
            target.now.into(),
        ],
    )
    .await?;
    Ok(())
}

/// Writes the given values over the stored ones; absent values stay. Returns 0 when nothing differs.
async fn update(tx: &mut Tx, target: &ResponseTarget, new: NewResponse) -> Result<u64, DbError> {
    let links = (!new.portfolio_links.is_empty()).then(|| list(&new.portfolio_links));
    tx.execute(
        "UPDATE gig_responses SET candidate_name = coalesce($3, candidate_name), profile_url = coalesce($4, profile_url), \
             telegram_username = coalesce($5, telegram_username), phone = coalesce($6, phone), email = coalesce($7, email), \
             resume_language = coalesce($8, resume_language), proposed_price = coalesce($9, proposed_price), \
             proposed_currency = coalesce($10, proposed_currency), \
             proposed_delivery_days = coalesce($11, proposed_delivery_days), cover_letter = coalesce($12, cover_letter), \
             portfolio_links = coalesce($13::text::json, portfolio_links), experience = coalesce($14, experience), \
             skills = coalesce($15::text::json, skills), rating = coalesce($16, rating), status = coalesce($17, status), \
             hr_selection_status = coalesce($18, hr_selection_status), import_source = coalesce($19, import_source), \
             responded_at = coalesce($20, responded_at), experience_score = coalesce($21, experience_score), updated_at = $22 \
         WHERE id = $1 AND gig_id = $2 AND (coalesce($3, candidate_name) IS DISTINCT FROM candidate_name \
             OR coalesce($4, profile_url) IS DISTINCT FROM profile_url \
             OR coalesce($5, telegram_username) IS DISTINCT FROM telegram_username \
             OR coalesce($6, phone) IS DISTINCT FROM phone OR coalesce($7, email) IS DISTINCT FROM email \
             OR coalesce($8, resume_language) IS DISTINCT FROM resume_language \
             OR coalesce($9, proposed_price) IS DISTINCT FROM proposed_price \
             OR coalesce($10, proposed_currency) IS DISTINCT FROM proposed_currency \
             OR coalesce($11, proposed_delivery_days) IS DISTINCT FROM proposed_delivery_days \
             OR coalesce($12, cover_letter) IS DISTINCT FROM cover_letter \
             OR coalesce($13::text, CAST(portfolio_links AS text)) IS DISTINCT FROM CAST(portfolio_links AS text) \
             OR coalesce($14, experience) IS DISTINCT FROM experience \
             OR coalesce($15::text, CAST(skills AS text)) IS DISTINCT FROM CAST(skills AS text) \
             OR coalesce($16, rating) IS DISTINCT FROM rating OR coalesce($17, status) IS DISTINCT FROM status \
             OR coalesce($18, hr_selection_status) IS DISTINCT FROM hr_selection_status \
             OR coalesce($19, import_source) IS DISTINCT FROM import_source \
             OR coalesce($20, responded_at) IS DISTINCT FROM responded_at \
             OR coalesce($21, experience_score) IS DISTINCT FROM experience_score)",
        &[
            target.id.into(),
            target.gig.into(),
            new.candidate_name.into(),
            new.profile_url.into(),
            new.telegram_username.into(),
            new.phone.into(),
            new.email.into(),
            new.resume_language.into(),
            new.proposed_price.into(),
            new.proposed_currency.into(),
            new.proposed_delivery_days.into(),
            new.cover_letter.into(),
            links.into(),
            new.experience.into(),
            new.skills.as_deref().map(list).into(),
            new.rating.into(),
            new.status.map(GigResponseStatus::as_str).into(),
            new.hr_selection_status.map(GigHrSelectionStatus::as_str).into(),
            new.import_source.map(ImportSource::as_str).into(),
            new.responded_at.into(),
            new.experience_score.into(),
            target.now.into(),
        ],
    )
    .await
}

/// One screening per response. Returns 0 when the stored one has the given values.
async fn write_screening(
    tx: &mut Tx,
    target: &ResponseTarget,
    given: Assessment,
) -> Result<u64, DbError> {
    tx.execute(
        "INSERT INTO gig_response_screenings AS s (response_id, scope_id, score, detailed_score, analysis, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6) \
         ON CONFLICT (response_id) DO UPDATE SET score = coalesce(excluded.score, s.score), \
             detailed_score = coalesce(excluded.detailed_score, s.detailed_score), \
             analysis = coalesce(excluded.analysis, s.analysis) \
         WHERE coalesce(excluded.score, s.score) IS DISTINCT FROM s.score \
             OR coalesce(excluded.detailed_score, s.detailed_score) IS DISTINCT FROM s.detailed_score \
             OR coalesce(excluded.analysis, s.analysis) IS DISTINCT FROM s.analysis",
        &assessment(target, given),
    )
    .await
}

/// Another result is another interview; the newest one counts. Returns 0 when that one has the given values.
async fn write_interview(
    tx: &mut Tx,
    target: &ResponseTarget,
    session: Uuid,
    given: Assessment,
) -> Result<u64, DbError> {
    let newest = tx
        .row(
            "SELECT score, rating, analysis FROM interview_scorings WHERE response_id = $1 \
             ORDER BY created_at DESC, interview_session_id DESC LIMIT 1",
            &[target.id.into()],
        )
        .await?;
    let mut given = given;
    if let Some(row) = newest {
        let stored = Assessment {
            score: row.get("score")?,
            detailed: row.get("rating")?,
            analysis: row.get("analysis")?,
        };
        given = Assessment {
            score: given.score.or(stored.score),
            detailed: given.detailed.or(stored.detailed),
            analysis: given.analysis.or_else(|| stored.analysis.clone()),
        };
        if given == stored {
            return Ok(0);
        }
    }
    let mut values = assessment(target, given);
    values.push(session.into());
    tx.execute(
        "INSERT INTO interview_scorings (response_id, scope_id, score, rating, analysis, created_at, interview_session_id) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        &values,
    )
    .await
}

fn assessment(target: &ResponseTarget, given: Assessment) -> Vec<Value> {
    vec![
        target.id.into(),
        target.scope.into(),
        given.score.into(),
        given.detailed.into(),
        given.analysis.into(),
        target.now.into(),
    ]
}

/// Stores a decision in the transaction that records the call.
pub(crate) struct SetHrStatus;

#[derive(Deserialize)]
struct Decision {
    gig: Uuid,
    response: Uuid,
    status: GigHrSelectionStatus,
}

#[async_trait]
impl ApplyChange for SetHrStatus {
    async fn apply(
        &self,
        tx: &mut Tx,
        scene: &Scene<'_>,
        data: &serde_json::Value,
    ) -> Result<(), StoreError> {
        let Decision {
            gig,
            response,
            status,
        } = serde_json::from_value(data.clone())
            .map_err(|error| StoreError::Internal(error.to_string()))?;
        let me = scene.principal.profile().uuid();
        // Checks rights again: they may have changed since the card was shown.
        read::gig(tx, me, gig).await.map_err(refused)?;
        let changed = tx
            .execute(
                "UPDATE gig_responses SET hr_selection_status = $3, updated_at = $4 WHERE id = $1 AND gig_id = $2",
                &[
                    response.into(),
                    gig.into(),
                    status.as_str().into(),
                    scene.now.into(),
                ],
            )
            .await
            .map_err(store_error)?;
        if changed == 0 {
            return Err(StoreError::NotFound);
        }
        Ok(())
    }
}

fn refused(error: GigError) -> StoreError {
    match error {
        GigError::NotFound => StoreError::NotFound,
        GigError::Forbidden => StoreError::Forbidden,
        GigError::Db(error) => store_error(error),
    }
}
