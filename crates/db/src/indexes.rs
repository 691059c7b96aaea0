//! Indexes of Postgres tables that may be large. Small tables are indexed with the migrations,
//! large ones in the background, while people read and write.

use crate::{Claims, Db, DbError, MigrationSet, Value, postgres::NodeLock, work::Mode};

/// Indexes to build, by the size of their tables.
#[derive(Default)]
pub(crate) struct Missing {
    small: Vec<&'static str>,
    large: Vec<&'static str>,
}

/// Tables up to this size are indexed in less than a second, while writers wait.
const SMALL_TABLE_BYTES: i64 = 4 << 20;

/// The indexes that are absent or invalid.
pub(crate) async fn missing(db: &Db, sets: &[MigrationSet]) -> Result<Missing, DbError> {
    let hooks = crate::migrate::hooks(db, sets);
    let all: Vec<&str> = hooks
        .iter()
        .flat_map(|hooks| hooks.indexes)
        .copied()
        .collect();
    if all.is_empty() {
        return Ok(Missing::default());
    }
    db.transact(Mode::Migrate, &Claims::system("migrations"), move |tx| {
        Box::pin(async move {
            let list = all.iter().map(|index| (*index).into()).collect();
            let values = [Value::List(list), SMALL_TABLE_BYTES.into()];
            let mut missing = Missing::default();
            for row in tx.rows(MISSING, &values).await? {
                let definition: String = row.get("definition")?;
                let found = all.iter().filter(|index| **index == definition);
                match row.get("is_large")? {
                    true => missing.large.extend(found),
                    false => missing.small.extend(found),
                }
            }
            Ok(missing)
        })
    })
    .await
}

/// A view has no indexes of its own; those of the table behind it serve it.
const MISSING: &str = "SELECT d.definition, coalesce(pg_relation_size(to_regclass(split_part(d.definition, ' ', 3))) > $2, false) AS is_large \
     FROM unnest($1::text[]) AS d (definition) WHERE NOT EXISTS (SELECT 1 FROM pg_index x \
         WHERE x.indexrelid = to_regclass(split_part(d.definition, ' ', 1)) AND x.indisvalid) \
     AND NOT EXISTS (SELECT 1 FROM pg_class c \
         WHERE c.oid = to_regclass(split_part(d.definition, ' ', 3)) AND c.relkind = 'v')";

/// `how` is empty or `CONCURRENTLY`. An interrupted build leaves an invalid index.
fn statements(index: &str, how: &str) -> [String; 2] {
    let name = index.split(' ').next().unwrap_or_default();
    [
        format!("DROP INDEX {how} IF EXISTS {name}"),
        format!("CREATE INDEX {how} {index}"),
    ]
}

impl Missing {
    pub(crate) fn has_small(&self) -> bool {
        !self.small.is_empty()
    }

    pub(crate) async fn build_small(&mut self, db: &Db) -> Result<(), DbError> {
        for index in std::mem::take(&mut self.small) {
            let script = statements(index, "").join("; ");
            crate::migrate::run_script(db, script).await?;
        }
        Ok(())
    }

    /// Nodes that start together take turns; all but the first find nothing left to do.
    pub(crate) fn build_large_in_background(self, db: &Db, sets: &[MigrationSet]) {
        if self.large.is_empty() {
            return;
        }
        let (db, sets) = (db.clone(), sets.to_vec());
        tokio::spawn(async move {
            match build_large(&db, &sets).await {
                Ok(()) => {}
                Err(error) => tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "an index was not built; the next start tries again"
                ),
            }
        });
    }
}

async fn build_large(db: &Db, sets: &[MigrationSet]) -> Result<(), DbError> {
    let Some(lock) = db.lock(NodeLock::Indexes).await? else {
        return Ok(());
    };
    for index in missing(db, sets).await?.large {
        tracing::info!(index, "building an index in the background");
        for statement in statements(index, "CONCURRENTLY") {
            db.run_outside(&lock, &statement).await?;
        }
        tracing::info!(index, "index built");
    }
    Ok(())
}
