//! Values round-trip.

use chrono::{DateTime, Utc};
use frontdesk_db::{Claims, Db, DbError, Dialect, Row, Value};
use proptest::{collection::vec, prelude::*, test_runner::TestRunner};
use serde_json::json;
use uuid::Uuid;

use crate::support::{both, execute, postgres, rows};

const COLUMNS: [&str; 10] = ["b", "i", "r", "s", "y", "u", "t", "j", "jb", "missing"];

async fn make_table(db: &Db) {
    let sql = match db.dialect() {
        Dialect::Sqlite => {
            "CREATE TABLE v (b INTEGER, i INTEGER, r REAL, s TEXT, y BLOB, u TEXT, t INTEGER, j TEXT, jb TEXT, missing TEXT) STRICT"
        }
        Dialect::Postgres => {
            "CREATE TABLE v (b bool, i int8, r float8, s text, y bytea, u uuid, t timestamptz, j json, jb jsonb, missing text)"
        }
    };
    execute(db, sql, vec![]).await.unwrap();
}

async fn round_trip(db: &Db, values: Vec<Value>) -> Result<Row, DbError> {
    db.write(&Claims::none(), move |tx| {
        Box::pin(async move {
            let sql = "INSERT INTO v VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING *";
            Ok(tx.row(sql, &values).await?.expect("one row"))
        })
    })
    .await
}

fn read_back(row: &Row, column: &str, sent: &Value) -> Result<Value, DbError> {
    Ok(match sent {
        Value::Null => row.get::<Option<String>>(column)?.into(),
        Value::Bool(_) => row.get::<bool>(column)?.into(),
        Value::Int(_) => row.get::<i64>(column)?.into(),
        Value::Real(_) => row.get::<f64>(column)?.into(),
        Value::Text(_) => row.get::<String>(column)?.into(),
        Value::Bytes(_) => row.get::<Vec<u8>>(column)?.into(),
        Value::Uuid(_) => row.get::<Uuid>(column)?.into(),
        Value::Time(_) => row.get::<DateTime<Utc>>(column)?.into(),
        Value::Json(_) => row.get::<serde_json::Value>(column)?.into(),
        Value::List(_) => panic!("no column is a list"),
    })
}

/// Every character but NUL.
fn text() -> impl Strategy<Value = String> {
    vec(any::<char>().prop_filter("NUL", |c| *c != '\0'), 0..40).prop_map(String::from_iter)
}

/// Numbers that are exact in binary; jsonb may format others differently.
fn nested_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|b| json!(b)),
        any::<i64>().prop_map(|i| json!(i)),
        (-1_000_000_i32..1_000_000).prop_map(|n| json!(f64::from(n) + 0.125)),
        text().prop_map(|s| json!(s)),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(|items| json!(items)),
            vec((text(), inner), 0..6)
                .prop_map(|fields| serde_json::Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn time() -> impl Strategy<Value = DateTime<Utc>> {
    // From 4713 BC to the end of chrono's range.
    (-210_866_803_200_000_000_i64..8_200_000_000_000_000_000)
        .prop_map(|micros| DateTime::from_timestamp_micros(micros).expect("in range"))
}

fn record() -> impl Strategy<Value = Vec<Value>> {
    (
        any::<bool>(),
        any::<i64>(),
        any::<f64>().prop_filter("NaN", |r| !r.is_nan()),
        text(),
        vec(any::<u8>(), 0..64),
        any::<u128>(),
        time(),
        nested_json(),
        nested_json(),
    )
        .prop_map(|(b, i, r, s, y, u, t, j, jb)| {
            vec![
                b.into(),
                i.into(),
                r.into(),
                s.into(),
                y.into(),
                Uuid::from_u128(u).into(),
                t.into(),
                j.into(),
                jb.into(),
                Value::Null,
            ]
        })
}

#[test]
fn every_value_round_trips() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for test in runtime.block_on(both()) {
        runtime.block_on(make_table(&test.db));
        let mut runner = TestRunner::new(ProptestConfig {
            cases: 256,
            failure_persistence: None,
            ..ProptestConfig::default()
        });
        runner
            .run(&record(), |sent| {
                let row = runtime
                    .block_on(round_trip(&test.db, sent.clone()))
                    .unwrap();
                for (column, sent) in COLUMNS.iter().zip(&sent) {
                    prop_assert_eq!(&read_back(&row, column, sent).unwrap(), sent);
                }
                Ok(())
            })
            .unwrap();
        let _inside = runtime.enter();
        drop(test);
    }
}

#[tokio::test]
async fn every_value_may_be_null() {
    for test in both().await {
        make_table(&test.db).await;
        let row = round_trip(&test.db, vec![Value::Null; 10]).await.unwrap();
        assert_eq!(row.get::<Option<bool>>("b"), Ok(None));
        assert_eq!(row.get::<Option<DateTime<Utc>>>("t"), Ok(None));
        assert_eq!(row.get::<Option<serde_json::Value>>("j"), Ok(None));
        let missing = row.get::<String>("s");
        assert!(
            matches!(&missing, Err(DbError::BadValue { column, .. }) if column == "s"),
            "{missing:?}"
        );
        assert!(matches!(
            row.get::<i64>("no such"),
            Err(DbError::BadValue { .. })
        ));
    }
}

#[tokio::test]
async fn values_one_database_would_alter_are_refused_by_both() {
    for test in both().await {
        make_table(&test.db).await;
        let refused: [(&'static str, Value); 5] = [
            ("INSERT INTO v (s) VALUES ($1)", "a\0b".into()),
            ("INSERT INTO v (j) VALUES ($1)", json!({"a": ["\0"]}).into()),
            ("INSERT INTO v (jb) VALUES ($1)", json!({"a\0": 1}).into()),
            ("INSERT INTO v (r) VALUES ($1)", f64::NAN.into()),
            ("INSERT INTO v (i) VALUES ($1)", "no number".into()),
        ];
        for (sql, value) in refused {
            let result = execute(&test.db, sql, vec![value]).await;
            assert!(
                matches!(result, Err(DbError::BadValue { .. })),
                "{sql}: {result:?}"
            );
        }
        assert_eq!(
            rows(&test.db, "SELECT 1 AS one FROM v", vec![])
                .await
                .unwrap()
                .len(),
            0
        );
        execute(
            &test.db,
            "INSERT INTO v (s) VALUES ($1)",
            vec!["fine".into()],
        )
        .await
        .unwrap();
    }
}

#[tokio::test]
async fn a_time_is_kept_to_the_microsecond_also_before_1970() {
    for test in both().await {
        make_table(&test.db).await;
        for nanos in [-1_i64, 1_999, -1_001, 946_684_799_999_999_999] {
            let sent = DateTime::from_timestamp_nanos(nanos);
            execute(&test.db, "DELETE FROM v", vec![]).await.unwrap();
            execute(&test.db, "INSERT INTO v (t) VALUES ($1)", vec![sent.into()])
                .await
                .unwrap();
            let row = rows(&test.db, "SELECT t FROM v", vec![])
                .await
                .unwrap()
                .remove(0);
            let expected = DateTime::from_timestamp_micros(sent.timestamp_micros()).unwrap();
            assert_eq!(row.get::<DateTime<Utc>>("t"), Ok(expected));
        }
    }
}

#[tokio::test]
async fn less_common_postgres_types_are_read() {
    let test = postgres().await;
    for sql in [
        "CREATE TYPE mood AS ENUM ('good', 'bad')",
        "CREATE DOMAIN short_text AS varchar(3)",
        "CREATE TABLE w (i2 int2, i4 int4, f4 float4, n numeric, d date, m mood, s short_text, c char(3), ts timestamp)",
    ] {
        execute(&test.db, sql, vec![]).await.unwrap();
    }
    let time = DateTime::from_timestamp_micros(1_700_000_000_123_456).unwrap();
    let sent: Vec<Value> = vec![
        7.into(),
        8.into(),
        0.5.into(),
        12.75.into(),
        "2026-02-28".into(),
        "good".into(),
        "abc".into(),
        "xyz".into(),
        time.into(),
    ];
    execute(
        &test.db,
        "INSERT INTO w VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        sent,
    )
    .await
    .unwrap();
    let row = rows(&test.db, "SELECT w.*, (SELECT sum(i) FROM (VALUES (3::bigint), (4)) x (i)) AS total, d::text AS day FROM w", vec![])
        .await
        .unwrap()
        .remove(0);
    assert_eq!(row.get::<i32>("i2"), Ok(7));
    assert_eq!(row.get::<i64>("i4"), Ok(8));
    assert_eq!(row.get::<f64>("f4"), Ok(0.5));
    assert_eq!(row.get::<f64>("n"), Ok(12.75));
    assert_eq!(row.get::<String>("day").as_deref(), Ok("2026-02-28"));
    assert_eq!(row.get::<String>("m").as_deref(), Ok("good"));
    assert_eq!(row.get::<String>("s").as_deref(), Ok("abc"));
    assert_eq!(row.get::<String>("c").as_deref(), Ok("xyz"));
    assert_eq!(row.get::<DateTime<Utc>>("ts"), Ok(time));
    assert_eq!(row.get::<i64>("total"), Ok(7));
    for number in [
        0.0,
        -0.5,
        0.0001,
        10_000.0,
        1e20,
        123_456_789.000_123,
        -99_999_999.25,
    ] {
        let sql = "SELECT $1::numeric::float8 AS back, $1::numeric AS same";
        let row = rows(&test.db, sql, vec![number.into()])
            .await
            .unwrap()
            .remove(0);
        assert_eq!(row.get::<f64>("back"), Ok(number));
        assert_eq!(row.get::<f64>("same"), Ok(number));
    }
    let too_large = execute(
        &test.db,
        "INSERT INTO w (i2) VALUES ($1)",
        vec![70_000.into()],
    )
    .await;
    assert!(
        matches!(too_large, Err(DbError::BadValue { .. })),
        "{too_large:?}"
    );
    let too_long = execute(
        &test.db,
        "INSERT INTO w (s) VALUES ($1)",
        vec!["long".into()],
    )
    .await;
    assert!(
        matches!(too_long, Err(DbError::BadValue { .. })),
        "{too_long:?}"
    );
}

#[tokio::test]
async fn a_list_is_an_array_on_postgres_and_refused_by_sqlite() {
    const SQL: &str = "SELECT n, s, u, t FROM unnest($1::bigint[], $2::text[], $3::uuid[], \
         $4::timestamptz[]) WITH ORDINALITY AS l (n, s, u, t, place) ORDER BY place";
    let test = postgres().await;
    let columns: Vec<Vec<Value>> = vec![
        vec![1.into(), Value::Null, i64::MIN.into()],
        vec!["a,\"b\" {}".into(), "".into(), Value::Null],
        vec![Uuid::nil().into(), Uuid::max().into(), Value::Null],
        vec![DateTime::UNIX_EPOCH.into(), Value::Null, Value::Null],
    ];
    let lists = columns.iter().cloned().map(Value::List).collect();
    let found = rows(&test.db, SQL, lists).await.unwrap();
    assert_eq!(found.len(), 3);
    for (row, place) in found.iter().zip(0..) {
        for (name, column) in ["n", "s", "u", "t"].iter().zip(&columns) {
            let sent = &column[place];
            assert_eq!(&read_back(row, name, sent).unwrap(), sent);
        }
    }
    let none = vec![Value::List(Vec::new()); 4];
    assert!(rows(&test.db, SQL, none).await.unwrap().is_empty());

    const ONE: &str = "SELECT cardinality($1::bigint[]) AS n";
    for wrong in [
        Value::Int(1),
        Value::from_iter([Value::from("1")]),
        Value::from_iter([Value::from_iter([Value::Int(1)])]),
    ] {
        let refused = rows(&test.db, ONE, vec![wrong]).await;
        assert!(
            matches!(refused, Err(DbError::BadValue { .. })),
            "{refused:?}"
        );
    }
    let nul = Value::from_iter([Value::from("a\0b")]);
    for test in both().await {
        let refused = rows(&test.db, "SELECT $1 AS n", vec![nul.clone()]).await;
        assert!(
            matches!(refused, Err(DbError::BadValue { .. })),
            "{refused:?}"
        );
    }
    let sqlite = crate::support::sqlite().await;
    let list = Value::from_iter([Value::Int(1)]);
    assert!(
        rows(&sqlite.db, "SELECT $1 AS n", vec![list])
            .await
            .is_err()
    );
}
