//! Documents: every version stays, the newest is found, foreign ones are not.

use frontdesk_core::artifact::{Artifact, ArtifactMark, ArtifactStatus};
use frontdesk_core::id::ConversationId;
use frontdesk_core::store::{Artifacts, Record, Saves, StoreError, Turns};
use serde_json::json;

use crate::support::{at, fresh, on_each, refused};

fn version(conversation: ConversationId, key: &str, version: u32) -> Artifact {
    Artifact {
        id: fresh(),
        conversation,
        kind: "report".to_owned(),
        key: key.to_owned(),
        version,
        status: if version.is_multiple_of(2) {
            ArtifactStatus::Confirmed
        } else {
            ArtifactStatus::Draft
        },
        title: format!("{key} v{version}"),
        content: json!({"version": version}),
        built_from: Vec::new(),
        author: None,
        created_at: at(i64::from(version)),
    }
}

#[tokio::test]
async fn versions_are_kept_and_the_newest_is_found() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let id = ground.conversation(&ann).await.id;
        let lease = ground.open(&ann, id, "Go").await.lease;
        let made: Vec<Artifact> = [("", 1), ("", 2), ("x", 3), ("", 10)]
            .map(|(key, number)| version(id, key, number))
            .into();
        let record = Record {
            saves: Saves {
                artifacts: made.clone(),
                ..Saves::default()
            },
            now: at(20),
            ..Record::default()
        };
        ground.store.record(&lease, record).await.unwrap();
        let latest = |kind: &'static str, key: &'static str| {
            let (store, ann) = (ground.store.clone(), ann.clone());
            async move { store.latest(&ann, id, kind, key).await.unwrap() }
        };
        assert_eq!(latest("report", "").await, Some(made[3].clone()));
        assert_eq!(latest("report", "x").await, Some(made[2].clone()));
        assert_eq!(latest("report", "y").await, None);
        assert_eq!(latest("guide", "").await, None);
        let all = ground.store.all(&ann, id).await.unwrap();
        let expected: Vec<_> = made
            .iter()
            .map(|a| {
                let mark = ArtifactMark {
                    kind: a.kind.clone(),
                    key: a.key.clone(),
                    version: a.version,
                    status: a.status,
                };
                (a.id, mark)
            })
            .collect();
        assert_eq!(all, expected);
        for artifact in &made {
            let found = ground.store.artifact(&ann, id, artifact.id).await.unwrap();
            assert_eq!(&found, artifact);
        }
        let other = ground.conversation(&ann).await.id;
        let errors = [
            (ground.store.artifact(&ann, id, fresh()).await, "not found"),
            (
                ground.store.artifact(&ann, other, made[0].id).await,
                "not found",
            ),
            (
                ground.store.artifact(&bob, id, made[0].id).await,
                "no access",
            ),
            (
                ground.store.artifact(&bob, fresh(), made[0].id).await,
                "not found",
            ),
        ];
        for (result, expected) in errors {
            assert_eq!(refused(result).to_string(), expected);
        }
        let error = refused(ground.store.latest(&bob, id, "report", "").await);
        assert!(matches!(error, StoreError::Forbidden), "{error}");
        let error = refused(ground.store.all(&bob, id).await);
        assert!(matches!(error, StoreError::Forbidden), "{error}");
    })
    .await;
}
