//! Facts about a company that somebody approved in a conversation. They join those of the company's style guide.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::store::StoreError;
use frontdesk_db::{Claims, Db, DbError, Migration, MigrationSet, Tx};
use frontdesk_store::{ApplyChange, Scene, store_error};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::language::Language;

/// The change that a newly approved fact is.
pub(super) const KEEP_FACT: &str = "tata.keep_fact";

/// More facts than this nobody reads, and an ad uses only a few.
const MOST: i64 = 200;

pub(super) const MIGRATIONS: MigrationSet = MigrationSet {
    owner: "tata",
    hooks: None,
    steps: &[Migration {
        version: 1,
        name: "facts",
        sqlite: include_str!("migrations/0001_facts.sqlite.sql"),
        postgres: include_str!("migrations/0001_facts.postgres.sql"),
    }],
};

/// One sentence in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ApprovedFact {
    pub(super) language: Language,
    pub(super) sentence: String,
}

/// Whose facts count in a conversation: its company's, or its owner's where it has none.
fn scope(conversation: &Conversation) -> Uuid {
    match conversation.company_id {
        Some(company) => company.uuid(),
        None => conversation.user_id.uuid(),
    }
}

/// The approved facts that count in a conversation.
pub(super) async fn load(
    db: &Db,
    who: &Principal,
    conversation: &Conversation,
) -> Result<Vec<ApprovedFact>, DbError> {
    const SELECT: &str = "SELECT language, sentence FROM tata_facts WHERE scope_id = $1 ORDER BY at, sentence LIMIT $2";
    let scope = scope(conversation);
    db.read(&Claims::subject(who.subject()), move |tx| {
        Box::pin(async move {
            let mut facts = Vec::new();
            for row in tx.rows(SELECT, &[scope.into(), MOST.into()]).await? {
                let code: String = row.get("language")?;
                let sentence = row.get("sentence")?;
                let language = Language::ALL.into_iter().find(|l| l.code() == code);
                facts.extend(language.map(|language| ApprovedFact { language, sentence }));
            }
            Ok(facts)
        })
    })
    .await
}

/// Puts an approved fact into the table, inside the transaction that records the call.
pub(super) struct KeepFact;

#[derive(Deserialize)]
struct NewFact {
    #[serde(flatten)]
    fact: ApprovedFact,
    at: DateTime<Utc>,
}

#[async_trait]
impl ApplyChange for KeepFact {
    async fn apply(&self, tx: &mut Tx, scene: &Scene<'_>, data: &Value) -> Result<(), StoreError> {
        let NewFact { fact, at } = serde_json::from_value(data.clone())
            .map_err(|error| StoreError::Internal(error.to_string()))?;
        tx.execute(
            "INSERT INTO tata_facts (scope_id, language, sentence, approved_by, at) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT DO NOTHING",
            &[
                scope(scene.conversation).into(),
                fact.language.code().into(),
                fact.sentence.into(),
                scene.principal.profile().uuid().into(),
                at.into(),
            ],
        )
        .await
        .map_err(store_error)?;
        Ok(())
    }
}
