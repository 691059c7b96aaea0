//! Tables reach the version of this binary once, or stay untouched.

use frontdesk_db::{
    Db, DbError, Migration, MigrationSet, PostgresHooks, PostgresOptions, SqliteOptions,
};

use crate::support::{Home, TestDb, both, connect, execute, rows};

const CREATE_PEOPLE: Migration = Migration {
    version: 1,
    name: "people",
    sqlite: "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
             CREATE INDEX person_name ON person (name);
             CREATE TRIGGER no_empty BEFORE INSERT ON person WHEN new.name = '' BEGIN SELECT RAISE(ABORT, 'empty; name'); END;",
    postgres: "CREATE TABLE person (id bigint PRIMARY KEY, name text NOT NULL);
             CREATE INDEX person_name ON person (name);
             CREATE FUNCTION no_empty() RETURNS trigger LANGUAGE plpgsql AS $body$
             BEGIN
                 IF new.name = '' THEN RAISE EXCEPTION 'empty; name' USING ERRCODE = 'check_violation'; END IF;
                 RETURN new;
             END $body$;
             CREATE TRIGGER no_empty BEFORE INSERT ON person FOR EACH ROW EXECUTE FUNCTION no_empty();",
};
const ADD_EMAIL: Migration = Migration {
    version: 2,
    name: "an e-mail address",
    sqlite: "ALTER TABLE person ADD COLUMN email TEXT",
    postgres: "ALTER TABLE person ADD COLUMN email text",
};
const BROKEN: Migration = Migration {
    version: 3,
    name: "broken halfway",
    sqlite: "CREATE TABLE half (n INTEGER); CREATE TABLE person (n INTEGER)",
    postgres: "CREATE TABLE half (n bigint); CREATE TABLE person (n bigint)",
};
const EDITED: Migration = Migration {
    name: "people",
    version: 1,
    sqlite: "CREATE TABLE person (id INTEGER PRIMARY KEY)",
    postgres: "CREATE TABLE person (id bigint PRIMARY KEY)",
};

fn set(steps: &'static [Migration]) -> MigrationSet {
    MigrationSet {
        owner: "people",
        hooks: None,
        steps,
    }
}

async fn versions(db: &Db) -> Vec<i64> {
    rows(
        db,
        "SELECT version FROM schema_migrations WHERE owner = 'people' ORDER BY version",
        vec![],
    )
    .await
    .unwrap()
    .iter()
    .map(|row| row.get("version").unwrap())
    .collect()
}

#[tokio::test]
async fn migrating_is_idempotent_and_applies_new_steps() {
    for test in both().await {
        let db = &test.db;
        db.migrate(&[set(&[CREATE_PEOPLE])]).await.unwrap();
        db.migrate(&[set(&[CREATE_PEOPLE])]).await.unwrap();
        assert_eq!(versions(db).await, [1]);
        execute(db, "INSERT INTO person VALUES (1, 'Ada')", vec![])
            .await
            .unwrap();
        let other = MigrationSet {
            owner: "others",
            hooks: None,
            steps: &[Migration {
                version: 1,
                name: "other",
                sqlite: "CREATE TABLE other (n INTEGER)",
                postgres: "CREATE TABLE other (n bigint)",
            }],
        };
        db.migrate(&[set(&[CREATE_PEOPLE, ADD_EMAIL]), other])
            .await
            .unwrap();
        assert_eq!(versions(db).await, [1, 2]);
        execute(db, "UPDATE person SET email = 'ada@example.com'", vec![])
            .await
            .unwrap();
        let empty = execute(db, "INSERT INTO person VALUES (2, '', '')", vec![]).await;
        assert!(matches!(empty, Err(DbError::Check { .. })), "{empty:?}");
        // A start with nothing due makes one read and takes no lock.
        let before = db.round_trips();
        db.migrate(&[set(&[CREATE_PEOPLE, ADD_EMAIL]), other])
            .await
            .unwrap();
        assert!(
            db.round_trips() - before <= 5,
            "{}",
            db.round_trips() - before
        );
    }
}

#[tokio::test]
async fn a_step_that_fails_leaves_nothing_behind() {
    for test in both().await {
        let result = test
            .db
            .migrate(&[set(&[CREATE_PEOPLE, ADD_EMAIL, BROKEN])])
            .await;
        assert!(matches!(result, Err(DbError::Statement(_))), "{result:?}");
        assert_eq!(versions(&test.db).await, [1, 2]);
        assert!(
            rows(&test.db, "SELECT 1 AS one FROM half", vec![])
                .await
                .is_err()
        );
        test.db
            .migrate(&[set(&[CREATE_PEOPLE, ADD_EMAIL])])
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn an_older_binary_refuses_a_newer_schema_before_touching_anything() {
    for test in both().await {
        test.db
            .migrate(&[set(&[CREATE_PEOPLE, ADD_EMAIL])])
            .await
            .unwrap();
        let other = MigrationSet {
            owner: "others",
            hooks: None,
            steps: &[CREATE_PEOPLE],
        };
        let refused = test.db.migrate(&[other, set(&[CREATE_PEOPLE])]).await;
        let expected = DbError::NewerSchema {
            owner: "people".to_owned(),
            found: 2,
            known: 1,
        };
        assert_eq!(refused, Err(expected.clone()));
        assert!(expected.to_string().contains("start the newer release"));
        let all = rows(&test.db, "SELECT owner FROM schema_migrations", vec![])
            .await
            .unwrap();
        assert_eq!(all.len(), 2, "nothing of the other set was applied");
    }
}

#[tokio::test]
async fn a_changed_or_vanished_step_is_refused() {
    for test in both().await {
        test.db
            .migrate(&[set(&[CREATE_PEOPLE, ADD_EMAIL])])
            .await
            .unwrap();
        for steps in [&[EDITED, ADD_EMAIL] as &'static [Migration], &[ADD_EMAIL]] {
            let refused = test.db.migrate(&[set(steps)]).await;
            let expected = DbError::ChangedMigration {
                owner: "people".to_owned(),
                version: 1,
                name: "people".to_owned(),
            };
            assert_eq!(refused, Err(expected));
        }
        for steps in [
            &[ADD_EMAIL, CREATE_PEOPLE] as &'static [Migration],
            &[CREATE_PEOPLE, CREATE_PEOPLE],
        ] {
            assert!(matches!(
                test.db.migrate(&[set(steps)]).await,
                Err(DbError::Statement(_))
            ));
        }
    }
}

/// A second node on the same database.
async fn second_node(test: &TestDb) -> Db {
    match &test.home {
        Home::Sqlite(_) => Db::open_sqlite(&test.file(), SqliteOptions::default())
            .await
            .unwrap(),
        Home::Postgres(database) => connect(&database.url, PostgresOptions::default())
            .await
            .unwrap(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nodes_that_start_together_take_turns() {
    for test in both().await {
        let mut starting = Vec::new();
        for _ in 0..4 {
            let node = second_node(&test).await;
            starting.push(tokio::spawn(async move {
                node.migrate(&[set(&[CREATE_PEOPLE, ADD_EMAIL])]).await
            }));
        }
        for node in starting {
            assert_eq!(node.await.unwrap(), Ok(()));
        }
        assert_eq!(versions(&test.db).await, [1, 2]);
    }
}

#[tokio::test]
async fn postgres_migrates_as_the_connecting_role() {
    let server = frontdesk_testkit::postgres::TestPostgres::database().await;
    let app = server.create_role("NOLOGIN").await;
    let options = PostgresOptions {
        app_role: Some(app),
        ..PostgresOptions::default()
    };
    let db = connect(&server.url, options).await.unwrap();
    db.migrate(&[set(&[CREATE_PEOPLE])]).await.unwrap();
    let denied = rows(&db, "SELECT * FROM person", vec![]).await;
    assert!(matches!(denied, Err(DbError::Denied { .. })), "{denied:?}");
}

const HOOKS: PostgresHooks = PostgresHooks {
    indexes: &["person_by_name ON person (name)"],
    ..PostgresHooks::NONE
};

fn with_hooks(hooks: PostgresHooks) -> MigrationSet {
    MigrationSet {
        hooks: Some(hooks),
        ..set(&[CREATE_PEOPLE])
    }
}

async fn is_indexed(db: &Db) -> bool {
    let sql = "SELECT 1 AS one FROM pg_index WHERE indisvalid AND indexrelid = to_regclass('person_by_name')";
    !rows(db, sql, vec![]).await.unwrap().is_empty()
}

/// The index is valid within the time of a background build.
async fn becomes_indexed(db: &Db) -> bool {
    for _ in 0..300 {
        if is_indexed(db).await {
            return true;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    false
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_is_built_at_once_on_a_small_table_and_in_the_background_on_a_large_one() {
    let test = crate::support::postgres().await;
    let (db, sets) = (&test.db, [with_hooks(HOOKS)]);
    db.migrate(&sets).await.unwrap();
    assert!(is_indexed(db).await);
    let fill =
        "INSERT INTO person SELECT n, repeat('x', 200) || n FROM generate_series(1, 40000) n";
    execute(db, fill, vec![]).await.unwrap();
    // An interrupted build leaves an invalid index.
    let interrupted =
        "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'person_by_name'::regclass";
    for broken in [interrupted, "DROP INDEX person_by_name"] {
        execute(db, broken, vec![]).await.unwrap();
        assert!(!is_indexed(db).await);
        let nodes = futures_util::future::join_all((0..4).map(|_| db.migrate(&sets))).await;
        assert_eq!(nodes, [Ok(()), Ok(()), Ok(()), Ok(())]);
        assert!(becomes_indexed(db).await, "after {broken}");
    }
}

#[tokio::test]
async fn a_superseded_step_counts_as_applied() {
    let test = crate::support::postgres().await;
    let db = &test.db;
    db.migrate(&[set(&[EDITED])]).await.unwrap();
    let sql = "SELECT checksum FROM schema_migrations";
    let checksum: String = rows(db, sql, vec![]).await.unwrap()[0]
        .get("checksum")
        .unwrap();
    let superseded = vec![(1, &*checksum.leak())].leak();
    let hooks = PostgresHooks {
        superseded,
        ..PostgresHooks::NONE
    };
    db.migrate(&[with_hooks(hooks)]).await.unwrap();
    let refused = db.migrate(&[set(&[CREATE_PEOPLE])]).await;
    assert!(matches!(refused, Err(DbError::ChangedMigration { .. })));
}
