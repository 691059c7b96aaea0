//! Constraint violations map to distinct errors.

use frontdesk_db::{DbError, Dialect};

use crate::support::{both, execute};

#[tokio::test]
async fn each_constraint_has_its_own_error() {
    for test in both().await {
        let db = &test.db;
        for sql in [
            "CREATE TABLE parent (id bigint PRIMARY KEY, email text NOT NULL, age bigint CONSTRAINT adult CHECK (age >= 18), CONSTRAINT one_email UNIQUE (email))",
            "CREATE TABLE child (id bigint PRIMARY KEY, parent bigint REFERENCES parent (id))",
            "INSERT INTO parent VALUES (1, 'a@b.c', 20)",
            "INSERT INTO child VALUES (1, 1)",
        ] {
            execute(db, sql, vec![]).await.unwrap();
        }
        let unique = execute(db, "INSERT INTO parent VALUES (2, 'a@b.c', 20)", vec![]).await;
        let name = match db.dialect() {
            Dialect::Sqlite => "parent.email",
            Dialect::Postgres => "one_email",
        };
        assert_eq!(
            unique,
            Err(DbError::Unique {
                constraint: name.to_owned()
            })
        );
        let key = execute(db, "INSERT INTO parent VALUES (1, 'x', 20)", vec![]).await;
        assert!(matches!(key, Err(DbError::Unique { .. })), "{key:?}");
        let check = execute(db, "INSERT INTO parent VALUES (3, 'x', 17)", vec![]).await;
        assert_eq!(
            check,
            Err(DbError::Check {
                constraint: "adult".to_owned()
            })
        );
        let missing = execute(db, "INSERT INTO parent (id) VALUES (4)", vec![]).await;
        assert_eq!(
            missing,
            Err(DbError::NotNull {
                column: "parent.email".to_owned()
            })
        );
        let orphan = execute(db, "INSERT INTO child VALUES (2, 99)", vec![]).await;
        assert!(
            matches!(orphan, Err(DbError::ForeignKey { .. })),
            "{orphan:?}"
        );
        let used = execute(db, "DELETE FROM parent WHERE id = 1", vec![]).await;
        assert!(matches!(used, Err(DbError::ForeignKey { .. })), "{used:?}");
        let nonsense = execute(db, "SELEKT 1", vec![]).await;
        assert!(
            matches!(nonsense, Err(DbError::Statement(_))),
            "{nonsense:?}"
        );
        let missing_table = execute(db, "INSERT INTO nowhere VALUES (1)", vec![]).await;
        assert!(
            matches!(missing_table, Err(DbError::Statement(_))),
            "{missing_table:?}"
        );
        let two = execute(db, "DELETE FROM child; DELETE FROM parent", vec![]).await;
        assert!(matches!(two, Err(DbError::Statement(_))), "{two:?}");
    }
}
