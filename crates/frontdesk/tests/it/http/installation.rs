//! The operator's overview of the installation.

use super::identity::{claims, signed, somebody};
use crate::server::TestServer;

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_sees_the_installation_and_nobody_else_does() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        assert_eq!(server.get(&ann, "/installation").await.status, 403);
        let operator = signed(&server, &claims(&server, "op", &["Operator"]));
        let seen = server.get(&operator, "/installation").await;
        assert_eq!(seen.status, 200, "{seen:?}");
        let body = seen.body;
        // The test's model server answers, with or without a list of models.
        assert_eq!(body["model"]["health"]["state"], "answers");
        assert!(
            body["limits"]["turns_in_flight"].as_u64() > Some(0),
            "{body}"
        );
        assert!(
            body["storage"]["database_bytes"].as_i64() > Some(0),
            "{body}"
        );
        assert!(body["storage"]["folder_bytes"].is_u64(), "{body}");
        let names = |list: &str, key: &str| -> Vec<String> {
            let all = body[list].as_array().unwrap().iter();
            all.map(|one| one[key].as_str().unwrap().to_owned())
                .collect()
        };
        assert!(!names("assistants", "name").is_empty());
        let people = names("people", "id");
        assert_eq!(people.len(), 2, "{body}");
        let text = body.to_string();
        assert!(
            !text.contains("test-key") && !text.contains("Bearer"),
            "{text}"
        );
        server.stop().await;
    }
}
