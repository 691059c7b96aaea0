//! Chats about gigs over HTTP: access, the order of checks, and that every figure and name comes
//! from the gig.

mod chat;
mod context;
mod editing;
mod figures;
mod inbox;
mod isolation;
mod offline;
mod privacy;
mod properties;
mod table;
mod trpc;
mod views;
mod wire;

use std::collections::HashMap;

use frontdesk::app::App;
use frontdesk::identity::Verified;
use frontdesk_core::access::{CompanyRole, Identity, Principal, Proof, Role};
use frontdesk_core::id::{CompanyId, ProfileId};
use frontdesk_core::store::{Account, NewCompany};
use frontdesk_db::{Claims, DbError};
use frontdesk_testkit::model_server::ModelServer;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::harness::{Backing, TODAY, TestApp};
use crate::server::TestServer;

/// A recruiter with their own account.
pub async fn recruiter(app: &App, name: &str) -> Principal {
    let account = Account {
        subject: Uuid::new_v4(),
        profile: ProfileId::from_uuid(app.env.id()),
        name: name.to_owned(),
        email: Some(format!("{name}@example.com")),
        now: app.env.now(),
    };
    let subject = account.subject;
    let (profile, companies) = app.runtime.store().sign_in(account).await.unwrap();
    Principal::authenticated(
        Identity {
            subject,
            profile: profile.id,
            name: profile.display_name,
            email: profile.email,
            roles: [Role::RECRUITER].into(),
            companies,
            expires: None,
        },
        Proof::Token,
    )
}

/// A workspace owned by this person.
pub async fn workspace(app: &App, owner: &Principal, name: &str) -> CompanyId {
    let new = NewCompany {
        id: CompanyId::from_uuid(Uuid::now_v7()),
        name: name.to_owned(),
        owner: owner.profile(),
        now: app.env.now(),
    };
    app.runtime.store().ensure_company(new).await.unwrap()
}

pub async fn join(app: &App, workspace: CompanyId, who: &Principal) {
    let store = app.runtime.store();
    store
        .add_member(workspace, who.profile(), CompanyRole::Member, app.env.now())
        .await
        .unwrap();
}

/// A gig with a budget of 10,000–60,000 that requires HTML and CSS.
pub async fn gig(app: &App, owner: &Principal, workspace: CompanyId, title: &str) -> Uuid {
    let id = Uuid::now_v7();
    let (title, now) = (title.to_owned(), app.env.now());
    let deadline = now + chrono::TimeDelta::days(20);
    app.db
        .write::<_, DbError, _>(&Claims::subject(owner.subject()), move |tx| {
            Box::pin(async move {
                tx.execute(
                    "INSERT INTO gigs (id, workspace_id, title, description, requirements, type, budget_min, budget_max, \
                         deadline, estimated_duration, custom_bot_instructions, created_at, updated_at) \
                     VALUES ($1, $2, $3, 'Сверстать страницу', $4::text::json, 'DESIGN', 10000, 60000, $5, '2 недели', \
                         'Пиши кратко', $6, $6)",
                    &[
                        id.into(),
                        workspace.uuid().into(),
                        title.into(),
                        json!({ "required_skills": ["HTML", "CSS"] }).to_string().into(),
                        deadline.into(),
                        now.into(),
                    ],
                )
                .await
            })
        })
        .await
        .unwrap();
    id
}

/// Adds responses to a gig.
pub async fn respond(app: &App, who: &Principal, gig: Uuid, responses: &Value) -> (usize, usize) {
    let import = &app.imports["gig"];
    let bytes = responses.to_string();
    let report = import
        .import(
            who,
            Some(&gig.to_string()),
            "responses.json",
            bytes.as_bytes(),
        )
        .await
        .unwrap();
    assert_eq!(report.refused, [], "every row is good");
    (report.new, report.unchanged)
}

/// This many candidates whose every field contains the gig's mark; contact details are marked, too.
pub fn people(mark: &str, count: usize) -> Value {
    let each = (0..count).map(|number| {
        json!({
            "candidate_id": format!("{mark}-{number}"),
            "candidate_name": format!("{mark}ов Иван{number}"),
            "phone": format!("+7-КОНТАКТ-{mark}"),
            "email": format!("kontakt-{mark}@example.com"),
            "telegram_username": format!("@kontakt{mark}"),
            "proposed_price": 10_000 + number * 1_000,
            "proposed_delivery_days": 3 + number,
            "skills": ["HTML"],
            "cover_letter": format!("Письмо {mark} номер {number}"),
            "status": (["NEW", "EVALUATED", "INTERVIEW"][number % 3]),
            "screening_score": 4,
        })
    });
    each.collect()
}

/// A token for this person, signed as the issuer signs it.
pub fn token(app: &App, who: &Principal) -> String {
    let now = app.env.now();
    let identity = Verified::of(who, now + chrono::Duration::hours(6));
    app.tokens.sign(&identity, now).unwrap()
}

/// An app with a model server, and one recruiter with a workspace and a gig.
pub struct Scene {
    pub test: TestApp,
    pub model: ModelServer,
    pub who: Principal,
    pub workspace: CompanyId,
    pub gig: Uuid,
}

pub async fn scene(backing: Backing, candidates: usize) -> Scene {
    scene_with(backing, candidates, &[]).await
}

pub async fn scene_with(
    backing: Backing,
    candidates: usize,
    settings: &[(&'static str, &str)],
) -> Scene {
    let model = ModelServer::start().await;
    let test = TestApp::start_on(TODAY, backing, &model.url(), settings).await;
    let who = recruiter(&test.app, "Рита").await;
    let workspace = workspace(&test.app, &who, "Студия").await;
    let gig = gig(&test.app, &who, workspace, "Лендинг").await;
    if candidates > 0 {
        respond(&test.app, &who, gig, &people("Студийн", candidates)).await;
    }
    Scene {
        test,
        model,
        who,
        workspace,
        gig,
    }
}

impl Scene {
    /// Serves the scene on a socket, with a token for each person.
    pub async fn serve(self, people: &[(&'static str, &Principal)]) -> (TestServer, Uuid) {
        let mut tokens = HashMap::from([("rita".to_owned(), token(&self.test.app, &self.who))]);
        for (name, who) in people {
            tokens.insert((*name).to_owned(), token(&self.test.app, who));
        }
        (
            TestServer::serve(self.test, self.model, tokens).await,
            self.gig,
        )
    }
}
