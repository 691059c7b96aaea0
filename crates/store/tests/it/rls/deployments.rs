//! The schema on servers as they are found: the oldest and the newest PostgreSQL, a connecting role
//! that is no superuser, tables of another program, Supabase, and another application role.

use frontdesk_core::access::{CompanyRole, Principal};
use frontdesk_core::store::{NewCompany, NewConversation, StoreError, Turns};
use frontdesk_db::{Db, DbError, PostgresOptions};
use frontdesk_store::{Appliers, Store};
use frontdesk_testkit::postgres::{PrivateCluster, TestPostgres, Version};
use uuid::Uuid;

use crate::support::{
    account, answered, at, fresh, new_conversation, opened, principal, refused, say,
};

const VERSIONS: [Version; 2] = [Version::System, Version::Newest];

async fn cluster(version: Version) -> PrivateCluster {
    let cluster = tokio::task::spawn_blocking(move || PrivateCluster::start_version(version));
    cluster.await.unwrap()
}

/// The options of a server with the default settings, except the application role and the schema.
fn options(app_role: &str, schema: &str) -> PostgresOptions {
    PostgresOptions {
        app_role: Some(app_role.to_owned()),
        system_role: Some("fd_worker".to_owned()),
        schema: Some(schema.to_owned()),
        ..PostgresOptions::default()
    }
}

fn as_role(cluster: &PrivateCluster, role: &str) -> String {
    cluster.url.replacen("postgres@", &format!("{role}@"), 1)
}

async fn migrate(url: &str, options: PostgresOptions) -> Result<Db, DbError> {
    let db = Db::connect_postgres(&url.to_owned().into(), options).await?;
    match db.migrate(&[Store::migrations()]).await {
        Ok(()) => Ok(db),
        Err(error) => {
            db.close().await;
            Err(error)
        }
    }
}

/// A person talks, a stranger does not, and a turn that was left is taken over.
async fn works(url: String, app_role: &str) {
    let options = PostgresOptions {
        schema: None,
        ..options(app_role, "")
    };
    works_with(url, options).await;
}

async fn works_with(url: String, options: PostgresOptions) {
    let db = migrate(&url, options).await.unwrap();
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

/// The messages that the connecting role itself sees without claims.
async fn seen_by_connection(url: &str, schema: &str) -> i64 {
    let client = connect(url).await;
    let sql = format!("SELECT count(*) FROM {schema}.messages");
    client.query_one(&sql, &[]).await.unwrap().get(0)
}

/// The tables of another program, as Supabase's templates have them.
const OTHER_TABLES: &str = "CREATE TABLE public.profiles (id bigint PRIMARY KEY, nickname text);
     INSERT INTO public.profiles VALUES (1, 'theirs');
     CREATE TABLE public.companies (id bigint PRIMARY KEY);
     CREATE TABLE public.schema_migrations (version text PRIMARY KEY);";

// design: promises deployments, newer deployments
#[tokio::test]
async fn an_owner_who_is_no_superuser_migrates_beside_tables_of_another_program() {
    for version in VERSIONS {
        let cluster = cluster(version).await;
        cluster
            .execute(
                "CREATE ROLE owner LOGIN CREATEROLE;
                 ALTER DATABASE postgres OWNER TO owner; ALTER SCHEMA public OWNER TO owner",
            )
            .await;
        let url = as_role(&cluster, "owner");
        let client = connect(&url).await;
        client.batch_execute(OTHER_TABLES).await.unwrap();
        works_with(url.clone(), options("fd_app", "frontdesk")).await;
        let theirs = client.query("SELECT nickname FROM profiles", &[]).await;
        let theirs: String = theirs.unwrap()[0].get(0);
        assert_eq!(theirs, "theirs");
        // The rules bind the owner of the tables as well, though it inherits from fd_keeper.
        assert_eq!(
            seen_by_connection(&url, "frontdesk").await,
            0,
            "{version:?}"
        );
        let without_roles = PostgresOptions {
            schema: Some("frontdesk".to_owned()),
            ..PostgresOptions::default()
        };
        works_with(url, without_roles).await;
    }
}

// design: promises deployments
#[tokio::test]
async fn an_owner_who_may_not_create_roles_gets_the_statements_that_are_missing() {
    for version in VERSIONS {
        let cluster = cluster(version).await;
        cluster
            .execute("CREATE ROLE owner LOGIN; ALTER DATABASE postgres OWNER TO owner")
            .await;
        let url = as_role(&cluster, "owner");
        let options = options("fd_app", "frontdesk");
        for role in ["fd_app", "fd_worker", "fd_keeper"] {
            let missing = migrate(&url, options.clone()).await.err().unwrap();
            assert_eq!(
                missing,
                DbError::Denied {
                    rule: format!(
                        "the role {role} is missing and owner may not create it; let an \
                         administrator run: CREATE ROLE {role}; GRANT {role} TO owner;"
                    )
                },
                "{version:?}"
            );
            cluster.execute(&format!("CREATE ROLE {role}")).await;
            let foreign = migrate(&url, options.clone()).await.err().unwrap();
            assert_eq!(
                foreign,
                DbError::Denied {
                    rule: format!(
                        "owner may not act as the role {role}; let an administrator run: \
                         GRANT {role} TO owner;"
                    )
                },
                "{version:?}"
            );
            cluster.execute(&format!("GRANT {role} TO owner")).await;
        }
        works_with(url.clone(), options).await;
        assert_eq!(
            seen_by_connection(&url, "frontdesk").await,
            0,
            "{version:?}"
        );
    }
}

#[tokio::test]
async fn tables_that_an_earlier_release_made_in_public_stay_there() {
    let database = TestPostgres::database().await;
    works(database.url.clone(), "fd_app").await;
    let db = migrate(&database.url, options("fd_app", "frontdesk")).await;
    let db = db.unwrap();
    assert_eq!(db.schema(), Some("public"));
    db.close().await;
    works_with(database.url.clone(), options("fd_app", "frontdesk")).await;
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
async fn supabase(version: Version) -> (PrivateCluster, tokio_postgres::Client) {
    let cluster = cluster(version).await;
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

/// The result of a statement as a role of the data API: the rows it finds or changes, or `None` if
/// it is refused.
async fn through_data_api(
    client: &tokio_postgres::Client,
    role: &str,
    claims: &str,
    sql: &str,
) -> Option<u64> {
    let begin = format!("BEGIN; SET LOCAL request.jwt.claims = '{claims}'; SET LOCAL ROLE {role};");
    client.batch_execute(&begin).await.unwrap();
    let done = client.execute(sql, &[]).await;
    client.batch_execute("ROLLBACK").await.unwrap();
    done.ok()
}

fn claims(who: &Principal) -> String {
    format!(r#"{{"sub":"{}","role":"authenticated"}}"#, who.subject())
}

/// Ann, Bob and Eve. Ann and Bob are members of a company, where Ann had a conversation.
async fn colleagues(db: &Db) -> [Principal; 3] {
    let store = Store::new(db.clone(), Appliers::default());
    let mut people = Vec::new();
    for name in ["ann", "bob", "eve"] {
        let (profile, _) = store.sign_in(account(Uuid::now_v7(), name)).await.unwrap();
        people.push(principal(&profile));
    }
    let new = NewCompany {
        id: fresh(),
        name: "Acme".to_owned(),
        owner: people[0].profile(),
        now: at(0),
    };
    let company = store.ensure_company(new).await.unwrap();
    let bob = people[1].profile();
    store
        .add_member(company, bob, CompanyRole::Member, at(0))
        .await
        .unwrap();
    let draft = NewConversation {
        company_id: Some(company),
        ..new_conversation(at(0))
    };
    let made = store.create(&people[0], draft).await.unwrap();
    let turn = opened(
        store
            .open(&people[0], say(made.id, "Hello", at(1)))
            .await
            .unwrap(),
    );
    store
        .finish(&turn.lease, answered("Hi", 1, at(2)))
        .await
        .unwrap();
    people.try_into().unwrap()
}

/// A colleague of Ann's tries to take over, rewrite and delete her conversation, to speak for the
/// assistant, to read what only the model receives and to change their own standing.
const ATTACKS: [&str; 10] = [
    "UPDATE conversations SET user_id = (SELECT fd.profile())",
    "UPDATE conversations SET title = 'mine'",
    "UPDATE messages SET content = 'ROBOTS ARE FREE' WHERE role = 'assistant'",
    "UPDATE messages SET metadata = '{}'",
    "INSERT INTO messages (id, conversation_id, role, content, metadata, created_at) \
         SELECT gen_random_uuid(), id, 'assistant', 'x', '{}', now() FROM conversations",
    "DELETE FROM conversations",
    "SELECT wire FROM messages",
    "UPDATE company_members SET role = 'owner'",
    "SELECT 1 FROM audit_log",
    "SELECT fd.open_turn('{}')",
];

// design: promises deployments
#[tokio::test]
async fn the_data_api_of_supabase_shows_what_the_server_shows_and_changes_nothing() {
    for version in VERSIONS {
        for schema in ["frontdesk", "public"] {
            let (cluster, client) = supabase(version).await;
            let url = as_role(&cluster, "owner_of_project");
            let db = migrate(&url, options("fd_app", schema)).await.unwrap();
            let [ann, bob, eve] = colleagues(&db).await;
            db.close().await;
            let search_path = format!("SET search_path = {schema}");
            client.batch_execute(&search_path).await.unwrap();
            let all = "SELECT id, role, content FROM messages";
            for (role, claims, expected) in [
                ("authenticated", claims(&ann), Some(2)),
                ("authenticated", claims(&bob), Some(2)),
                ("authenticated", claims(&eve), Some(0)),
                ("authenticated", String::new(), Some(0)),
                ("anon", claims(&ann), None),
                ("anon", String::new(), None),
            ] {
                let seen = through_data_api(&client, role, &claims, all).await;
                assert_eq!(seen, expected, "{version:?} {schema} {role} {claims}");
            }
            for attack in ATTACKS {
                for role in ["anon", "authenticated"] {
                    let done = through_data_api(&client, role, &claims(&bob), attack).await;
                    assert_eq!(done, None, "{version:?} {schema} {role}: {attack}");
                }
            }
            for role in ["anon", "authenticated"] {
                for attack in attacks_on_every_table(&client, schema).await {
                    let denied = is_denied(&client, role, &claims(&bob), &attack).await;
                    assert!(denied, "{version:?} {schema} {role}: {attack}");
                }
                let callable = callable_functions(&client, schema, role).await;
                let expected = match role {
                    "anon" => &[][..],
                    _ => &["fd.companies()", "fd.profile()", "fd.scopes()"],
                };
                assert_eq!(callable, expected, "{version:?} {schema} {role}");
            }
            assert_eq!(seen_by_connection(&url, schema).await, 0, "{version:?}");
            works_with(url, options("fd_app", schema)).await;
        }
    }
}

/// Reading, writing and emptying each table of the schema, whichever there are.
async fn attacks_on_every_table(client: &tokio_postgres::Client, schema: &str) -> Vec<String> {
    let sql = "SELECT c.relname::text, min(a.attname::text) FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid \
         WHERE c.relnamespace = $1::text::regnamespace AND c.relkind = 'r' AND a.attnum > 0 \
         AND a.attgenerated = '' AND NOT a.attisdropped GROUP BY 1 ORDER BY 1";
    let tables = client.query(sql, &[&schema]).await.unwrap();
    assert!(tables.len() > 20, "{}", tables.len());
    let attacks = tables.iter().flat_map(|row| {
        let (table, column): (String, String) = (row.get(0), row.get(1));
        [
            format!("SELECT * FROM {schema}.{table}"),
            format!("INSERT INTO {schema}.{table} DEFAULT VALUES"),
            format!("UPDATE {schema}.{table} SET {column} = {column}"),
            format!("DELETE FROM {schema}.{table}"),
            format!("TRUNCATE {schema}.{table}"),
        ]
    });
    attacks.collect()
}

/// True if the statement fails for the lack of a right, not for another reason.
async fn is_denied(client: &tokio_postgres::Client, role: &str, claims: &str, sql: &str) -> bool {
    let begin = format!("BEGIN; SET LOCAL request.jwt.claims = '{claims}'; SET LOCAL ROLE {role};");
    client.batch_execute(&begin).await.unwrap();
    let done = client.batch_execute(sql).await;
    client.batch_execute("ROLLBACK").await.unwrap();
    done.is_err_and(|error| {
        error.code() == Some(&tokio_postgres::error::SqlState::INSUFFICIENT_PRIVILEGE)
    })
}

async fn callable_functions(
    client: &tokio_postgres::Client,
    schema: &str,
    role: &str,
) -> Vec<String> {
    let sql = "SELECT p.oid::regprocedure::text FROM pg_proc p \
         WHERE p.pronamespace::regnamespace::text IN ('fd', $1) AND has_function_privilege($2, p.oid, 'EXECUTE') \
         ORDER BY 1";
    let rows = client.query(sql, &[&schema, &role]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

#[tokio::test]
async fn a_role_that_people_have_tokens_for_cannot_be_the_application_role() {
    let (cluster, _) = supabase(Version::System).await;
    let url = as_role(&cluster, "owner_of_project");
    for role in ["authenticated", "anon", "service_role"] {
        let refused = migrate(&url, options(role, "frontdesk")).await;
        let rule = format!(
            "database.app_role must not be {role}: choose a name that nothing else uses, for \
             example fd_app"
        );
        assert_eq!(refused.err().unwrap(), DbError::Denied { rule });
    }
}

#[tokio::test]
async fn the_application_role_has_the_configured_name_and_can_be_renamed() {
    for version in VERSIONS {
        let cluster = cluster(version).await;
        cluster
            .execute("CREATE ROLE owner LOGIN CREATEROLE; ALTER DATABASE postgres OWNER TO owner")
            .await;
        let url = as_role(&cluster, "owner");
        for role in ["my_app", "other_app", "fd_app"] {
            works_with(url.clone(), options(role, "frontdesk")).await;
            let client = connect(&cluster.url).await;
            let rows = client
                .query(
                    "SELECT r.rolname::text FROM pg_roles r \
                     WHERE r.rolname IN ('my_app', 'other_app', 'fd_app') \
                     AND has_table_privilege(r.oid, 'frontdesk.messages', 'SELECT')",
                    &[],
                )
                .await
                .unwrap();
            let with_rights: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
            assert_eq!(with_rights, [role], "{version:?}");
        }
    }
}
