//! Guarantees of the tables themselves, independent of the code above them.

use frontdesk_db::{Claims, DbError};

use crate::site::{Kind, Site, on_both};

#[tokio::test]
async fn the_record_of_changes_can_only_be_appended_to() {
    on_both(|site| async move {
        site.new_pass(true).await;
        for sql in [
            "UPDATE gatepass_status_changes SET changed_by = 'Mallory'",
            "DELETE FROM gatepass_status_changes",
        ] {
            let who = Claims::system("test");
            let tried = site.db.write(&who, move |tx| {
                Box::pin(async move { tx.execute(sql, &[]).await })
            });
            let error: DbError = tried.await.unwrap_err();
            assert!(
                error.to_string().contains("only appended to")
                    || matches!(error, DbError::Denied { .. }),
                "{error:?}"
            );
        }
        assert_eq!(
            site.count("gatepass_status_changes WHERE changed_by = 'Ayesha'")
                .await,
            1
        );
    })
    .await;
}

#[tokio::test]
async fn on_postgres_nobody_but_the_service_sees_the_tables() {
    let site = Site::start(Kind::Postgres).await;
    site.new_pass(true).await;
    let database = site.postgres.as_ref().unwrap();
    let role = database.create_role("LOGIN").await;
    database
        .execute(&format!(
            "GRANT ALL ON ALL TABLES IN SCHEMA public TO {role}"
        ))
        .await;
    let tables = database
        .query("SELECT relname::text, relrowsecurity, relforcerowsecurity FROM pg_class WHERE relname LIKE 'gatepass\\_%' AND relkind = 'r'")
        .await;
    assert_eq!(tables.len(), 6);
    let client = tokio_client(&database.url_as(&role)).await;
    for table in tables {
        let (name, secured, forced): (String, bool, bool) =
            (table.get(0), table.get(1), table.get(2));
        assert!(secured && forced, "{name}");
        for claims in [
            "",
            r#"{"role":"authenticated","sub":"0192f3b4-0000-7000-8000-000000000000"}"#,
        ] {
            client
                .batch_execute(&format!("SET request.jwt.claims = '{claims}'"))
                .await
                .unwrap();
            let seen = client
                .query_one(&format!("SELECT count(*) FROM {name}"), &[])
                .await
                .unwrap();
            assert_eq!(seen.get::<_, i64>(0), 0, "{name} with claims {claims:?}");
        }
    }
    // The control: the same role under the service's claims sees the pass.
    client
        .batch_execute(r#"SET request.jwt.claims = '{"role":"service_role"}'"#)
        .await
        .unwrap();
    let seen = client
        .query_one("SELECT count(*) FROM gatepass_passes", &[])
        .await
        .unwrap();
    assert_eq!(seen.get::<_, i64>(0), 1);
}

async fn tokio_client(url: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls)
        .await
        .unwrap();
    tokio::spawn(connection);
    client
}

#[tokio::test]
async fn old_idempotency_keys_are_forgotten_and_young_ones_kept() {
    on_both(|site| async move {
        let body =
            serde_json::json!({"person_name": "A", "description": "B", "is_returnable": true});
        site.hr()
            .post_keyed("/hr/gatepass/create", &body, "young")
            .await;
        let old = chrono::Utc::now() - chrono::TimeDelta::hours(49);
        site.sql(
            "UPDATE gatepass_requests SET created_at = $1",
            vec![old.into()],
        )
        .await;
        // A newly started service purges keys after the first request with one.
        let photos =
            frontdesk_service_gatepass::Photos::folder(site.folder.path().join("photos")).unwrap();
        let settings = frontdesk_service_gatepass::Settings::new(
            crate::site::SECRET.to_owned().into(),
            "https://x",
        );
        let fresh = frontdesk_service_gatepass::GatePass::new(
            site.db.clone(),
            settings,
            photos,
            std::sync::Arc::new(chrono::Utc::now),
        )
        .unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!(
            "http://{}/hr/gatepass/create",
            listener.local_addr().unwrap()
        );
        tokio::spawn(async move {
            axum::serve(listener, frontdesk_service_gatepass::router(fresh))
                .await
                .unwrap()
        });
        let request = site
            .client
            .post(url)
            .bearer_auth(site.hr().token)
            .json(&body)
            .header("Idempotency-Key", "new");
        assert_eq!(request.send().await.unwrap().status(), 201);
        assert_eq!(site.count("gatepass_requests").await, 1);
        assert_eq!(site.count("gatepass_requests WHERE key = 'new'").await, 1);
    })
    .await;
}
