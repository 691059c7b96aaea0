//! The schema on servers as they are found: a connecting role that is no superuser, an `auth`
//! schema that is there already, and an application role of another name.

use frontdesk_core::store::{Conversations, People, StoreError, Turns};
use frontdesk_db::{Db, PostgresOptions};
use frontdesk_store::{Appliers, Store};
use frontdesk_testkit::postgres::{PrivateCluster, TestPostgres};
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

// design: promises deployments
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

/// A project as Supabase makes it: `auth` belongs to an administrator, the connecting role is no
/// superuser and does not bypass the rules, and whatever it creates in `public` is granted whole to
/// the roles of the data API. Role names belong to a whole cluster, so they have one of their own.
async fn supabase() -> (PrivateCluster, tokio_postgres::Client) {
    let cluster = tokio::task::spawn_blocking(PrivateCluster::start);
    let cluster = cluster.await.unwrap();
    let client = connect(&cluster.url).await;
    client
        .batch_execute(
            "CREATE ROLE supabase_admin SUPERUSER LOGIN;
             CREATE ROLE owner_of_project LOGIN CREATEROLE CREATEDB;
             CREATE ROLE anon NOLOGIN; CREATE ROLE authenticated NOLOGIN;
             CREATE ROLE service_role NOLOGIN BYPASSRLS;
             CREATE ROLE authenticator LOGIN NOINHERIT;
             GRANT anon, authenticated, service_role TO authenticator;
             GRANT anon, authenticated, service_role TO owner_of_project WITH ADMIN OPTION;
             ALTER DATABASE postgres OWNER TO owner_of_project;
             ALTER SCHEMA public OWNER TO owner_of_project;
             CREATE SCHEMA auth AUTHORIZATION supabase_admin;
             SET ROLE supabase_admin;
             CREATE TABLE auth.users (id uuid PRIMARY KEY, email text);
             CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE AS $$
                 SELECT coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''),
                     (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'))::uuid
             $$;
             CREATE FUNCTION auth.role() RETURNS text LANGUAGE sql STABLE AS $$
                 SELECT nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'
             $$;
             CREATE FUNCTION auth.jwt() RETURNS jsonb LANGUAGE sql STABLE AS $$
                 SELECT nullif(current_setting('request.jwt.claims', true), '')::jsonb
             $$;
             GRANT USAGE ON SCHEMA auth TO anon, authenticated, service_role, owner_of_project;
             RESET ROLE;
             GRANT USAGE ON SCHEMA public TO anon, authenticated, service_role;
             ALTER DEFAULT PRIVILEGES FOR ROLE owner_of_project IN SCHEMA public
                 GRANT ALL ON TABLES TO anon, authenticated, service_role;
             ALTER DEFAULT PRIVILEGES FOR ROLE owner_of_project IN SCHEMA public
                 GRANT ALL ON FUNCTIONS TO anon, authenticated, service_role;",
        )
        .await
        .unwrap();
    (cluster, client)
}

async fn connect(url: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls)
        .await
        .unwrap();
    tokio::spawn(connection);
    client
}

/// What a role of the data API sees of the messages with these claims; `None` when it is refused.
async fn seen_by(client: &tokio_postgres::Client, role: &str, claims: &str) -> Option<i64> {
    let sql = format!("BEGIN; SET LOCAL request.jwt.claims = '{claims}'; SET LOCAL ROLE {role};");
    client.batch_execute(&sql).await.unwrap();
    let row = client.query_one("SELECT count(*) FROM messages", &[]).await;
    client.batch_execute("ROLLBACK").await.unwrap();
    row.ok().map(|row| row.get(0))
}

// design: promises deployments
#[tokio::test]
async fn a_supabase_project_is_home_and_its_data_api_shows_nothing_foreign() {
    let (cluster, client) = supabase().await;
    let url = cluster.url.replacen("postgres@", "owner_of_project@", 1);
    works(url.clone(), "fd_app").await;
    let subjects = client
        .query(
            "SELECT p.user_id::text FROM profiles p ORDER BY p.display_name",
            &[],
        )
        .await
        .unwrap();
    let claims = |person: usize| {
        let subject: String = subjects[person].get(0);
        format!(r#"{{"sub":"{subject}","role":"authenticated"}}"#)
    };
    // The data API has rights on the tables and none on the functions that the rules ask.
    assert_eq!(seen_by(&client, "anon", "").await, None);
    assert_eq!(seen_by(&client, "authenticated", &claims(0)).await, None);
    for verb in [
        "UPDATE audit_log SET tool = 'x'",
        "DELETE FROM audit_log",
        "TRUNCATE audit_log",
    ] {
        let sql = format!("BEGIN; SET LOCAL ROLE authenticated; {verb}");
        assert!(client.batch_execute(&sql).await.is_err(), "{verb}");
        client.batch_execute("ROLLBACK").await.unwrap();
    }
}

// design: promises deployments
#[tokio::test]
async fn the_data_api_role_of_supabase_can_be_the_application_role() {
    let (cluster, client) = supabase().await;
    let url = cluster.url.replacen("postgres@", "owner_of_project@", 1);
    let url = format!("{url}?options=-c%20fd.app_role%3Dauthenticated");
    works(url, "authenticated").await;
    let subjects = client
        .query(
            "SELECT p.user_id::text FROM profiles p ORDER BY p.display_name",
            &[],
        )
        .await
        .unwrap();
    let claims = |person: usize| {
        let subject: String = subjects[person].get(0);
        format!(r#"{{"sub":"{subject}","role":"authenticated"}}"#)
    };
    // Ann talked and Bob did not: through the data API each sees what is theirs.
    let (ann, bob) = (claims(0), claims(1));
    assert!(seen_by(&client, "authenticated", &ann).await.unwrap() > 0);
    assert_eq!(seen_by(&client, "authenticated", &bob).await, Some(0));
    assert_eq!(seen_by(&client, "authenticated", "").await, Some(0));
    assert_eq!(seen_by(&client, "anon", &ann).await, None);
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
