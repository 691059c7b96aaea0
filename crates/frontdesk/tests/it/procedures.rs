//! Test procedures: one echoes its input, one counts, some fail.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use frontdesk_bundle::{
    Procedure, ProcedureCall, ProcedureCode, ProcedureError, ProcedureKind, ProcedureOutput,
    RunProcedure, Tracked,
};
use frontdesk_core::access::Principal;
use futures_util::stream::{self, StreamExt};
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
    Ticks,
}

struct Scouting {
    act: Act,
    seen: Arc<CallCounts>,
}

pub fn all() -> Vec<Procedure> {
    use ProcedureKind::{Mutation, Query, Subscription};
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
        procedure("scout.ticks", Subscription, Act::Ticks),
        procedure("scout.mute", Subscription, Act::Echo),
    ]
}

/// Records when the future that owns it is dropped.
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

    async fn run(
        &self,
        who: &Principal,
        call: ProcedureCall,
    ) -> Result<ProcedureOutput, ProcedureError> {
        let count = |counter: &AtomicU64, by| counter.fetch_add(by, Ordering::SeqCst) + by;
        let value = match self.act {
            Act::Ticks => return Ok(ProcedureOutput::Stream(ticks(&call.input).boxed())),
            Act::Echo => json!({
                "who": who.name(), "input": call.input, "createdAt": crate::harness::TODAY,
            }),
            Act::Count => {
                let by = call.input["by"].as_u64().unwrap_or(0);
                json!({ "total": count(&self.seen.total, by) })
            }
            Act::Fail => return Err(failure(call.input["code"].as_str().unwrap())),
            Act::Panic => panic!("as asked"),
            Act::Slow => {
                let _dropped = Dropped(Arc::clone(&self.seen));
                count(&self.seen.begun, 1);
                std::future::pending().await
            }
            Act::CallCounts => json!({
                "begun": self.seen.begun.load(Ordering::SeqCst),
                "dropped": self.seen.dropped.load(Ordering::SeqCst),
            }),
        };
        Ok(ProcedureOutput::Value(value))
    }

    fn words(&self, code: ProcedureCode, call: &ProcedureCall) -> Option<String> {
        let english = call.language.as_deref() == Some("en");
        (code == ProcedureCode::Unauthorized && !english)
            .then(|| "Необходима авторизация".to_owned())
    }
}

/// The numbers after `lastEventId` up to `to`, then the error `fail`, if there is one.
fn ticks(
    input: &Value,
) -> impl futures_util::Stream<Item = Result<Tracked, ProcedureError>> + use<> {
    let seen = input["lastEventId"]
        .as_str()
        .map_or(0, |id| id.parse().unwrap());
    let numbers = seen + 1..=input["to"].as_u64().unwrap();
    let values = numbers.map(|n| {
        Ok(Tracked {
            id: n.to_string(),
            data: json!({ "n": n, "createdAt": crate::harness::TODAY }),
        })
    });
    let last = input["fail"].as_str().map(|code| Err(failure(code)));
    stream::iter(values.chain(last))
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
