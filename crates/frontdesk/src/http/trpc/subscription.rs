//! Subscriptions as tRPC's `httpSubscriptionLink` reads them: server-sent events with ids to resume from.

use axum::response::Response;
use bytes::Bytes;
use frontdesk_bundle::{ProcedureError, ProcedureOutput, Tracked};
use frontdesk_core::access::Principal;
use futures_util::stream::{self, BoxStream, Stream, StreamExt};
use serde_json::Value;

use super::Call;
use super::answer::shape;
use super::transformer::Spelling;
use crate::http::AppState;
use crate::http::error::ApiError;
use crate::http::guard::ForeignShape;
use crate::http::stream::{StreamPermit, expired, sse_response};

/// More than the tabs a person has open.
const STREAMS_A_PERSON: usize = 10;
/// The options of the client: none.
const CONNECTED: Bytes = Bytes::from_static(b"event: connected\ndata: {}\n\n");
/// The end. A client that does not receive it reconnects.
const RETURN: Bytes = Bytes::from_static(b"event: return\ndata: \n\n");

type Values = BoxStream<'static, Result<Tracked, ProcedureError>>;

/// Streams the values of a subscription. As from a tRPC server, the status is 200 and an error is the last
/// event.
pub(super) async fn respond(
    state: &AppState,
    call: &Call<'_>,
    who: &Result<Principal, ProcedureError>,
) -> Response {
    let (values, permit) = match open(state, call, who).await {
        Ok((values, permit)) => (values, Some(permit)),
        Err(error) => (stream::iter([Err(error)]).boxed(), None),
    };
    let writer = Writer {
        path: call.name.to_owned(),
        spelling: call.spelling,
        dates: call.procedure.as_ref().map_or(&[], |known| known.dates),
    };
    let stopping = state.stopping.clone();
    let token_expired = expired(
        state.clone(),
        who.as_ref().ok().and_then(Principal::expires),
    );
    let ended = async move {
        tokio::select! {
            () = stopping.cancelled() => {}
            () = token_expired => {}
        }
    };
    let present = state.runtime().metrics().stream();
    let events = stream::once(async { CONNECTED })
        .chain(events(values, writer))
        .take_until(ended)
        .map(move |event| {
            // Both are released when the stream is dropped.
            let _held = (&present, &permit);
            event
        });
    let mut response = sse_response(events);
    response.extensions_mut().insert(ForeignShape);
    response
}

async fn open(
    state: &AppState,
    call: &Call<'_>,
    who: &Result<Principal, ProcedureError>,
) -> Result<(Values, StreamPermit), ProcedureError> {
    let ProcedureOutput::Stream(values) = call.done(who).await? else {
        return Err(call.broken("does not stream its result"));
    };
    let profile = who.as_ref().map_err(Clone::clone)?.profile().uuid();
    let permit = state.stream_limiter.take(profile, STREAMS_A_PERSON);
    Ok((values, permit.ok_or_else(ApiError::too_many_streams)?))
}

/// Writes the values and errors of one subscription.
struct Writer {
    path: String,
    spelling: Spelling,
    dates: &'static [&'static str],
}

impl Writer {
    fn value(&self, value: Tracked) -> Bytes {
        let data = self.spelling.write(value.data, self.dates);
        format!("data: {data}\nid: {}\n\n", value.id).into()
    }

    fn error(&self, error: &ProcedureError) -> Bytes {
        let data: Value = self.spelling.write(shape(error, Some(&self.path)), &[]);
        format!("event: serialized-error\ndata: {data}\n\n").into()
    }
}

fn events(values: Values, writer: Writer) -> impl Stream<Item = Bytes> {
    stream::unfold(Some((values, writer)), |open| async move {
        let (mut values, writer) = open?;
        Some(match values.next().await {
            Some(Ok(value)) => (writer.value(value), Some((values, writer))),
            Some(Err(error)) => (writer.error(&error), None),
            None => (RETURN, None),
        })
    })
}
