//! Writing gigs, responses and decisions. Whatever changes what a ranking is made of has the
//! ranking written anew in the same transaction.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use frontdesk_core::store::StoreError;
use frontdesk_db::{DbError, Dialect, Tx, Value};
use frontdesk_store::{ApplyChange, Scene, store_error};
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use super::{GigError, read};
use crate::domain::gig_context::GigRequirements;
use crate::domain::kinds::{GigHrSelectionStatus, GigResponseStatus, GigType, ImportSource, Kind};
use crate::domain::pool::Pool;

/// The change that a decision about a candidate is.
pub(crate) const SET_HR_STATUS: &str = "gig.set_hr_status";

/// A gig to be put in.
#[derive(Clone, Debug)]
pub(crate) struct NewGig {
    pub(crate) id: Uuid,
    pub(crate) workspace: Uuid,
    pub(crate) title: String,
    pub(crate) description: Option<String>,
    pub(crate) requirements: Option<GigRequirements>,
    pub(crate) r#type: GigType,
    pub(crate) budget: (Option<i64>, Option<i64>),
    pub(crate) deadline: Option<DateTime<Utc>>,
    pub(crate) estimated_duration: Option<String>,
    pub(crate) instructions: Option<String>,
    pub(crate) created_at: DateTime<Utc>,
}

/// A response to be taken in, with what screening and interview said of it.
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

/// What became of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    New,
    /// The candidate has responded to this gig before.
    Known,
}

pub(super) async fn add(tx: &mut Tx, gig: NewGig, now: DateTime<Utc>) -> Result<bool, DbError> {
    let requirements = gig.requirements.map(|wanted| json!(wanted).to_string());
    let added = tx
        .execute(
            "INSERT INTO gigs (id, workspace_id, title, description, requirements, type, budget_min, budget_max, \
                 deadline, estimated_duration, custom_bot_instructions, created_at, updated_at) \
             VALUES ($1, $2, $3, $4, $5::text::json, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT (id) DO NOTHING",
            &[
                gig.id.into(),
                gig.workspace.into(),
                gig.title.into(),
                gig.description.into(),
                requirements.into(),
                gig.r#type.as_str().into(),
                gig.budget.0.into(),
                gig.budget.1.into(),
                gig.deadline.into(),
                gig.estimated_duration.into(),
                gig.instructions.into(),
                gig.created_at.into(),
                now.into(),
            ],
        )
        .await?;
    Ok(added == 1)
}

pub(super) async fn respond(
    tx: &mut Tx,
    me: Uuid,
    gig: Uuid,
    responses: Vec<NewResponse>,
    ids: Vec<[Uuid; 2]>,
    now: DateTime<Utc>,
) -> Result<Vec<Stored>, GigError> {
    let found = read::gig(tx, me, gig).await?;
    let scope = found.workspace.uuid();
    let mut stored = Vec::with_capacity(responses.len());
    for (response, [id, session]) in responses.into_iter().zip(ids) {
        let row = Place {
            id,
            gig,
            scope,
            now,
        };
        stored.push(insert(tx, &row, session, response).await?);
    }
    tx.execute(
        "UPDATE gigs SET responses = (SELECT count(*) FROM gig_responses r WHERE r.gig_id = $1), \
             new_responses = (SELECT count(*) FROM gig_responses r WHERE r.gig_id = $1 AND r.status = 'NEW') WHERE id = $1",
        &[gig.into()],
    )
    .await?;
    rank(tx, found.context, now).await?;
    Ok(stored)
}

/// Where a new response stands.
struct Place {
    id: Uuid,
    gig: Uuid,
    scope: Uuid,
    now: DateTime<Utc>,
}

async fn insert(
    tx: &mut Tx,
    place: &Place,
    session: Uuid,
    new: NewResponse,
) -> Result<Stored, DbError> {
    let list = |texts: &[String]| json!(texts).to_string();
    let added = tx
        .execute(
            "INSERT INTO gig_responses (id, gig_id, scope_id, candidate_id, candidate_name, profile_url, \
                 telegram_username, phone, email, resume_language, proposed_price, proposed_currency, \
                 proposed_delivery_days, cover_letter, portfolio_links, experience, skills, rating, status, \
                 hr_selection_status, import_source, responded_at, experience_score, created_at, updated_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15::text::json, $16, \
                 $17::text::json, $18, $19, $20, $21, $22, $23, $24, $24) \
             ON CONFLICT (gig_id, candidate_id) DO NOTHING",
            &[
                place.id.into(),
                place.gig.into(),
                place.scope.into(),
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
                new.responded_at.unwrap_or(place.now).into(),
                new.experience_score.into(),
                place.now.into(),
            ],
        )
        .await?;
    if added == 0 {
        return Ok(Stored::Known);
    }
    if let Some(screening) = new.screening {
        tx.execute_later(
            "INSERT INTO gig_response_screenings (response_id, scope_id, score, detailed_score, analysis, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6)",
            assessed(place.id, place, screening),
        )
        .await?;
    }
    if let Some(interview) = new.interview {
        let mut values = assessed(place.id, place, interview);
        values.push(session.into());
        tx.execute_later(
            "INSERT INTO interview_scorings (response_id, scope_id, score, rating, analysis, created_at, interview_session_id) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            values,
        )
        .await?;
    }
    Ok(Stored::New)
}

fn assessed(response: Uuid, place: &Place, given: Assessment) -> Vec<Value> {
    vec![
        response.into(),
        place.scope.into(),
        given.score.into(),
        given.detailed.into(),
        given.analysis.into(),
        place.now.into(),
    ]
}

/// One candidate's place, as it is written.
#[derive(Serialize)]
struct Rank {
    id: Uuid,
    composite: Option<f64>,
    price: Option<f64>,
    delivery: Option<f64>,
    skills: Option<f64>,
    place: Option<usize>,
    recommendation: Option<&'static str>,
    strengths: String,
    weaknesses: String,
}

/// Ranks all candidates of a gig and writes where each stands, in one statement.
async fn rank(
    tx: &mut Tx,
    gig: crate::domain::gig_context::GigContext,
    now: DateTime<Utc>,
) -> Result<(), DbError> {
    let id = gig.id;
    let raw = read::candidates(tx, id).await?;
    let pool = Pool::build(gig, raw, now);
    let ranks: Vec<Rank> = pool
        .candidates
        .iter()
        .map(|one| {
            let ranked = one.ranked.as_ref();
            let scores = ranked.map(|ranked| &ranked.scores);
            Rank {
                id: one.id,
                composite: ranked.and_then(|ranked| ranked.composite),
                price: scores.and_then(|scores| scores.price),
                delivery: scores.and_then(|scores| scores.delivery),
                skills: scores.and_then(|scores| scores.skills),
                place: one.place(),
                recommendation: one.recommendation.map(|kind| kind.as_str()),
                strengths: json!(one.strengths).to_string(),
                weaknesses: json!(one.weaknesses).to_string(),
            }
        })
        .collect();
    let sql = match tx.dialect() {
        Dialect::Postgres => {
            "UPDATE gig_responses r SET composite_score = x.composite, price_score = x.price, delivery_score = x.delivery, \
                 skills_match_score = x.skills, ranking_position = x.place, recommendation = x.recommendation, \
                 strengths = x.strengths::json, weaknesses = x.weaknesses::json, ranked_at = $3 \
             FROM jsonb_to_recordset($1::text::jsonb) AS x (id uuid, composite float8, price float8, delivery float8, \
                 skills float8, place bigint, recommendation text, strengths text, weaknesses text) \
             WHERE r.id = x.id AND r.gig_id = $2"
        }
        // The plus keeps SQLite from going over the whole list for each row of the gig.
        Dialect::Sqlite => {
            "UPDATE gig_responses SET composite_score = x.value ->> 'composite', price_score = x.value ->> 'price', \
                 delivery_score = x.value ->> 'delivery', skills_match_score = x.value ->> 'skills', \
                 ranking_position = x.value ->> 'place', recommendation = x.value ->> 'recommendation', \
                 strengths = x.value ->> 'strengths', weaknesses = x.value ->> 'weaknesses', ranked_at = $3 \
             FROM json_each($1) AS x WHERE gig_responses.id = x.value ->> 'id' AND +gig_responses.gig_id = $2"
        }
    };
    let ranks = json!(ranks).to_string();
    tx.execute(sql, &[ranks.into(), id.into(), now.into()])
        .await?;
    Ok(())
}

/// Writes a decision down, inside the transaction that records the call.
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
        // Rights as they are now, not as they were when the card was laid out.
        let found = read::gig(tx, me, gig).await.map_err(refused)?;
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
        rank(tx, found.context, scene.now)
            .await
            .map_err(store_error)
    }
}

fn refused(error: GigError) -> StoreError {
    match error {
        GigError::NotFound => StoreError::NotFound,
        GigError::Forbidden => StoreError::Forbidden,
        GigError::Db(error) => store_error(error),
    }
}
