//! Procedures for tests: one that tells what it was asked, one that counts, some that fail.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use frontdesk_bundle::{
    Procedure, ProcedureCall, ProcedureCode, ProcedureError, ProcedureKind, RunProcedure,
};
use frontdesk_core::access::Principal;
use serde_json::{Value, json};

#[derive(Default)]
struct CallCounts {
    total: AtomicU64,
    begun: AtomicU64,
    dropped: AtomicU64,
}

#[derive(Clone, Copy)]
enum Act {
    Echo,
    Count,
    Fail,
    Panic,
    Slow,
    CallCounts,
}

struct Scouting {
    act: Act,
    seen: Arc<CallCounts>,
}

pub fn all() -> Vec<Procedure> {
    use ProcedureKind::{Mutation, Query};
    let seen = Arc::new(CallCounts::default());
    let procedure = |name, kind, act| Procedure {
        name,
        kind,
        dates: &["createdAt"],
        run: Arc::new(Scouting {
            act,
            seen: Arc::clone(&seen),
        }),
    };
    vec![
        procedure("scout.echo", Query, Act::Echo),
        procedure("scout.count", Mutation, Act::Count),
        procedure("scout.fail", Mutation, Act::Fail),
        procedure("scout.panic", Mutation, Act::Panic),
        procedure("scout.slow", Query, Act::Slow),
        procedure("scout.seen", Query, Act::CallCounts),
    ]
}

/// Notes when the work it belongs to is let go.
struct Dropped(Arc<CallCounts>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl RunProcedure for Scouting {
    fn check(&self, call: &ProcedureCall) -> Result<(), ProcedureError> {
        match call.input.is_object() {
            true => Ok(()),
            false => Err(ProcedureError::new(
                ProcedureCode::BadRequest,
                "send an object",
            )),
        }
    }

    async fn run(&self, who: &Principal, call: ProcedureCall) -> Result<Value, ProcedureError> {
        let count = |counter: &AtomicU64, by| counter.fetch_add(by, Ordering::SeqCst) + by;
        match self.act {
            Act::Echo => Ok(json!({
                "who": who.name(), "input": call.input, "createdAt": crate::harness::TODAY,
            })),
            Act::Count => {
                let by = call.input["by"].as_u64().unwrap_or(0);
                Ok(json!({ "total": count(&self.seen.total, by) }))
            }
            Act::Fail => Err(failure(call.input["code"].as_str().unwrap())),
            Act::Panic => panic!("as asked"),
            Act::Slow => {
                let _dropped = Dropped(Arc::clone(&self.seen));
                count(&self.seen.begun, 1);
                std::future::pending().await
            }
            Act::CallCounts => Ok(json!({
                "begun": self.seen.begun.load(Ordering::SeqCst),
                "dropped": self.seen.dropped.load(Ordering::SeqCst),
            })),
        }
    }

    fn words(&self, code: ProcedureCode, call: &ProcedureCall) -> Option<String> {
        let english = call.language.as_deref() == Some("en");
        (code == ProcedureCode::Unauthorized && !english)
            .then(|| "Необходима авторизация".to_owned())
    }
}

fn failure(code: &str) -> ProcedureError {
    let all = [
        ProcedureCode::BadRequest,
        ProcedureCode::Forbidden,
        ProcedureCode::NotFound,
        ProcedureCode::Timeout,
        ProcedureCode::Conflict,
        ProcedureCode::TooManyRequests,
        ProcedureCode::InternalServerError,
    ];
    let found = all.into_iter().find(|known| known.wire().0 == code);
    let mut error = ProcedureError::new(found.unwrap(), format!("as asked: {code}"));
    if code == "TOO_MANY_REQUESTS" {
        error.retry_after = Some(Duration::from_secs(30));
    }
    error
}
