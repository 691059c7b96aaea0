//! Bodies that nobody reads to their end are let arrive all the same: a connection that is closed
//! while its client still writes is reset, and the client never reads why it was refused.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use bytes::Bytes;
use futures_util::StreamExt;
use http_body::{Frame, SizeHint};
use tokio::runtime::Handle;

/// Of a body that was refused so much is still taken from the wire and dropped.
const LINGER_BYTES: usize = 32 * 1024 * 1024;
const LINGER_TIME: Duration = Duration::from_secs(10);

/// Stands around a server's routes.
pub async fn let_arrive(request: Request, next: Next) -> Response {
    let request = match request.body().is_end_stream() {
        true => request,
        false => request.map(|body| Body::new(Arriving { body, ended: false })),
    };
    next.run(request).await
}

struct Arriving {
    body: Body,
    ended: bool,
}

impl HttpBody for Arriving {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = std::task::ready!(Pin::new(&mut self.body).poll_frame(cx));
        self.ended = !matches!(frame, Some(Ok(_)));
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.ended || self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        if self.is_end_stream() {
            return;
        }
        // Without a runtime there is no connection left to be read from.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(take_off_the_wire(std::mem::take(&mut self.body)));
        }
    }
}

async fn take_off_the_wire(body: Body) {
    let arriving = async {
        let mut pieces = body.into_data_stream();
        let mut dropped = 0;
        while let Some(Ok(piece)) = pieces.next().await {
            dropped += piece.len();
            if dropped > LINGER_BYTES {
                return;
            }
        }
    };
    // Nobody is told when this ends: the answer has been given by then.
    let _ = tokio::time::timeout(LINGER_TIME, arriving).await;
}
