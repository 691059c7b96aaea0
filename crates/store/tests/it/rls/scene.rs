//! A database with a row of everything in a company conversation of Ann's, and those who try.

use std::time::Duration;

use frontdesk_core::access::{Principal, Role};
use frontdesk_core::event::{Entry, Event};
use frontdesk_core::id::ConversationId;
use frontdesk_core::store::Attachments;
use frontdesk_core::store::{AuditOutcome, NewAttachment, NewAudit, Record, Saves, Turns};
use frontdesk_store::Appliers;
use frontdesk_testkit::postgres::TestDatabase;
use serde_json::json;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, SimpleQueryMessage};
use uuid::Uuid;

use crate::approvals::card;
use crate::support::{Ground, at, fresh, key, opened, say};

/// The people of the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// No claims were ever set.
    Nobody,
    /// The claims are empty, as they are after a transaction that set them.
    Empty,
    /// Claims of a person who has no profile.
    Unknown,
    Owner,
    Member,
    Stranger,
    Former,
}

pub(super) const EVERYONE: [Who; 7] = [
    Who::Nobody,
    Who::Empty,
    Who::Unknown,
    Who::Owner,
    Who::Member,
    Who::Stranger,
    Who::Former,
];

pub(super) struct Scene {
    pub(super) ground: Ground,
    pub(super) ann: Principal,
    bob: Principal,
    stranger: Principal,
    former: Principal,
    pub(super) company: Uuid,
    pub(super) conversation: Uuid,
    pub(super) turn: Uuid,
    pub(super) attachment: Uuid,
    pub(super) message: Uuid,
    pub(super) invitation: Uuid,
}

pub(super) async fn scene() -> Scene {
    let ground = Ground::postgres(Appliers::default()).await;
    let ann = ground.person("ann").await;
    let bob = ground.person("bob").await;
    let stranger = ground.person("stranger").await;
    let former = ground.person("former").await;
    let company = ground.company(&ann, &[&bob, &former]).await;
    ground
        .store
        .remove_member(company, former.profile())
        .await
        .unwrap();
    let conversation = ground.conversation_in(&ann, Some(company)).await.id;
    let new = NewAttachment {
        key: None,
        id: fresh(),
        conversation,
        name: "a.png".to_owned(),
        media_type: "image/png".to_owned(),
        bytes: vec![1].into(),
        sent: 1,
        now: at(1),
    };
    let attachment = ground.store.attach(&ann, new).await.unwrap().id;
    let mut request = say(conversation, &"long ".repeat(400), at(2));
    request.rate.bucket = "ann".to_owned();
    request.rate.window = Duration::from_secs(60);
    request.key = Some(key("k", "body"));
    let lease = opened(ground.store.open(&ann, request).await.unwrap()).lease;
    let record = everything(&ann, conversation);
    ground.store.record(&lease, record).await.unwrap();
    let database = ground.test_database().unwrap();
    let invitation = Uuid::now_v7();
    database
        .execute(&format!(
            "INSERT INTO invitations (id, company_id, email, invited_by, expires_at)
             VALUES ('{invitation}', '{company}', 'new@example.com', '{0}', '2100-01-01');
             INSERT INTO message_feedback (message_id, profile_id, conversation_id, scope_id, rating, created_at, updated_at)
             SELECT id, '{0}', conversation_id, scope_id, 'up', now(), now() FROM messages WHERE part = 'said';
             INSERT INTO conversation_marks SELECT '{0}', id, scope_id, true, false FROM conversations;
             INSERT INTO conversation_shares (id, conversation_id, scope_id, created_by, company_id, created_at, expires_at)
             SELECT '{invitation}', id, scope_id, '{0}', '{company}', now(), '2100-01-01' FROM conversations;
             INSERT INTO api_tokens (id, profile_id, name, hash, identity, created_at, expires_at)
             VALUES ('{invitation}', '{0}', 'x', 'hash', '{{}}', now(), '2100-01-01');
             INSERT INTO inbox_mails (profile_id, language, identity, signed_in_at) VALUES ('{0}', 'en', '{{}}', now());
             INSERT INTO usage_days VALUES ('{0}', 1, '{company}', '{company}', 'docs', 1, 10, 20, 0)",
            ann.profile()
        ))
        .await;
    let message: Uuid = database
        .query("SELECT id FROM messages WHERE part = 'said'")
        .await[0]
        .get(0);
    Scene {
        company: company.uuid(),
        conversation: conversation.uuid(),
        turn: lease.turn.uuid(),
        attachment: attachment.uuid(),
        message,
        invitation,
        ground,
        ann,
        bob,
        stranger,
        former,
    }
}

/// A document, an attempt and a request for approval.
fn everything(ann: &Principal, conversation: ConversationId) -> Record {
    let asked = card(ann, "c", &[Role::ADMIN_USER]);
    Record {
        entries: vec![Entry {
            position: 2,
            event: Event::ApprovalRequested {
                card: asked.clone(),
            },
        }],
        saves: Saves {
            artifacts: vec![frontdesk_core::artifact::Artifact {
                id: fresh(),
                conversation,
                kind: "report".to_owned(),
                key: String::new(),
                version: 1,
                status: frontdesk_core::artifact::ArtifactStatus::Draft,
                title: "Report".to_owned(),
                content: json!({}),
                built_from: Vec::new(),
                author: None,
                created_at: at(3),
            }],
            ..Saves::default()
        },
        audit: vec![NewAudit {
            call_id: "c".to_owned(),
            tool: "t".to_owned(),
            target: Some("h".to_owned()),
            outcome: AuditOutcome::Executed,
            approver: None,
        }],
        awaiting: vec![asked],
        now: at(3),
    }
}

impl Scene {
    pub(super) fn database(&self) -> &TestDatabase {
        self.ground.test_database().unwrap()
    }

    fn principal(&self, who: Who) -> Option<&Principal> {
        match who {
            Who::Nobody | Who::Empty | Who::Unknown => None,
            Who::Owner => Some(&self.ann),
            Who::Member => Some(&self.bob),
            Who::Stranger => Some(&self.stranger),
            Who::Former => Some(&self.former),
        }
    }

    /// The claims of somebody, if there are any.
    pub(super) fn claims(&self, who: Who) -> Option<String> {
        let subject = match who {
            Who::Nobody => return None,
            Who::Empty => return Some(String::new()),
            Who::Unknown => Uuid::nil(),
            Who::Owner | Who::Member | Who::Stranger | Who::Former => {
                self.principal(who).map_or(Uuid::nil(), Principal::subject)
            }
        };
        Some(json!({"sub": subject, "role": "authenticated"}).to_string())
    }

    /// The profile of somebody; an id of nobody where there is none.
    pub(super) fn profile(&self, who: Who) -> Uuid {
        self.principal(who)
            .map_or(Uuid::nil(), |who| who.profile().uuid())
    }

    pub(super) fn subject(&self, who: Who) -> Uuid {
        self.principal(who).map_or(Uuid::nil(), Principal::subject)
    }
}

/// Runs one statement as a role with claims, undoes it, and tells whether the rules let it
/// pass: rows were seen or changed, or only a constraint was in the way.
pub(super) async fn passes(client: &Client, role: &str, claims: Option<&str>, sql: &str) -> bool {
    let attempt = attempt(client, role, claims, sql).await;
    attempt.unwrap_or_else(|error| panic!("{sql}: {error:?}"))
}

/// The same; an error that is no refusal is returned.
pub(super) async fn attempt(
    client: &Client,
    role: &str,
    claims: Option<&str>,
    sql: &str,
) -> Result<bool, SqlState> {
    let mut setup = "SAVEPOINT attempt;".to_owned();
    if let Some(claims) = claims {
        setup.push_str(&format!(
            "SELECT set_config('request.jwt.claims', '{claims}', true);"
        ));
    }
    setup.push_str(&format!("SET LOCAL ROLE {role}"));
    client.batch_execute(&setup).await.unwrap();
    let result = client.simple_query(sql).await;
    client
        .batch_execute("ROLLBACK TO attempt; RELEASE attempt")
        .await
        .unwrap();
    match result {
        Ok(messages) => Ok(messages
            .iter()
            .any(|message| matches!(message, SimpleQueryMessage::CommandComplete(1..)))),
        Err(error) => match error.code().cloned().unwrap() {
            SqlState::INSUFFICIENT_PRIVILEGE => Ok(false),
            // A foreign key keeps rows out of scopes that are not theirs.
            SqlState::FOREIGN_KEY_VIOLATION => Ok(!sql.starts_with("INSERT")),
            SqlState::UNIQUE_VIOLATION => Ok(true),
            other => Err(other),
        },
    }
}
