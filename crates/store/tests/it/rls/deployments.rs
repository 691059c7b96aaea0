//! The schema on servers as they are found: a connecting role that is no superuser, an `auth`
//! schema that is there already, and an application role of another name.

use frontdesk_core::store::{Conversations, People, StoreError, Turns};
use frontdesk_db::{Db, PostgresOptions};
use frontdesk_store::{Appliers, Store};
use frontdesk_testkit::postgres::TestPostgres;
use uuid::Uuid;

use crate::support::{account, answered, at, new_conversation, opened, principal, refused, say};

/// A person talks, a stranger does not, and a turn that was left is taken over.
async fn works(url: String, app_role: &str) {
    let options = PostgresOptions {
        app_role: Some(app_role.to_owned()),
        system_role: Some("fd_worker".to_owned()),
        ..PostgresOptions::default()
    };
    works_with(url, options).await;
}

async fn works_with(url: String, options: PostgresOptions) {
    let db = Db::connect_postgres(&url.into(), options).await.unwrap();
    db.migrate(&[Store::migrations()]).await.unwrap();
    let store = Store::new(db.clone(), Appliers::default());
    let mut people = Vec::new();
    for name in ["ann", "bob"] {
        let subject = Uuid::now_v7();
        let (profile, _) = store.sign_in(account(subject, name)).await.unwrap();
        people.push(principal(&profile));
    }
    let (ann, bob) = (&people[0], &people[1]);
    let made = store.create(ann, new_conversation(at(0))).await.unwrap();
    let error = refused(store.get(bob, made.id).await);
    assert!(matches!(error, StoreError::Forbidden), "{error}");
    opened(store.open(ann, say(made.id, "Hello", at(1))).await.unwrap());
    let lease = store
        .take_over("n", at(500), std::time::Duration::from_secs(9))
        .await
        .unwrap()
        .unwrap()
        .lease;
    store
        .finish(&lease, answered("Hi", 1, at(501)))
        .await
        .unwrap();
    assert_eq!(store.get(ann, made.id).await.unwrap().message_count, 2);
    db.close().await;
}

#[tokio::test]
async fn an_owner_of_the_database_who_is_no_superuser_is_enough() {
    let database = TestPostgres::database().await;
    let role = database.create_role("LOGIN CREATEROLE").await;
    database
        .execute(&format!(
            "ALTER DATABASE {} OWNER TO {role}; ALTER SCHEMA public OWNER TO {role}",
            database.name
        ))
        .await;
    works(database.url_as(&role), "fd_app").await;
    // The rules bind the owner of the tables as well.
    works_with(database.url_as(&role), PostgresOptions::default()).await;
}

#[tokio::test]
async fn an_auth_schema_that_is_there_is_left_alone() {
    let database = TestPostgres::database().await;
    database
        .execute(
            "CREATE SCHEMA auth;
             CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE AS $$
                 SELECT coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''),
                     (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'))::uuid
             $$;
             GRANT USAGE ON SCHEMA auth TO PUBLIC;",
        )
        .await;
    works(database.url.clone(), "fd_app").await;
    let source = database
        .query("SELECT prosrc FROM pg_proc WHERE oid = 'auth.uid()'::regprocedure")
        .await;
    let source: String = source[0].get(0);
    assert!(source.contains("request.jwt.claim.sub"), "{source}");
}

#[tokio::test]
async fn the_application_role_may_have_another_name() {
    let database = TestPostgres::database().await;
    let role = database.create_role("NOLOGIN").await;
    let url = format!("{}?options=-c%20fd.app_role%3D{role}", database.url);
    works(url, &role).await;
    let rights = database
        .query("SELECT has_table_privilege('fd_app', 'messages', 'SELECT')")
        .await;
    assert!(!rights[0].get::<_, bool>(0));
}

#[tokio::test]
async fn a_role_that_may_not_create_roles_is_told_what_to_do() {
    let database = TestPostgres::database().await;
    let role = database.create_role("LOGIN").await;
    database
        .execute(&format!(
            "ALTER DATABASE {} OWNER TO {role}; ALTER SCHEMA public OWNER TO {role}",
            database.name
        ))
        .await;
    let url = format!(
        "{}?options=-c%20fd.app_role%3Dfd_missing",
        database.url_as(&role)
    );
    let db = Db::connect_postgres(&url.into(), PostgresOptions::default())
        .await
        .unwrap();
    let error = db.migrate(&[Store::migrations()]).await.unwrap_err();
    let text = error.to_string();
    assert!(text.contains("fd_missing is missing and"), "{text}");
    db.close().await;
}
