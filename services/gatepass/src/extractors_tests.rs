//! Bodies that stop arriving time out, as JSON and as a form.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode};
use bytes::Bytes;
use futures_util::stream;

use super::{ScanForm, json_fields};

/// A body that starts and never ends.
fn dribble() -> Body {
    let begun = stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(b"{\"person"))]);
    Body::from_stream(futures_util::StreamExt::chain(begun, stream::pending()))
}

#[tokio::test(start_paused = true)]
async fn a_json_body_that_does_not_arrive_times_out() {
    let mut headers = HeaderMap::new();
    headers.insert("content-type", "application/json".parse().unwrap());
    let refused = json_fields(&headers, dribble()).await.unwrap_err();
    assert_eq!(refused.status, StatusCode::REQUEST_TIMEOUT);
}

#[tokio::test(start_paused = true)]
async fn a_form_that_does_not_arrive_times_out() {
    let request = Request::builder()
        .header("content-type", "multipart/form-data; boundary=b")
        .body(dribble())
        .unwrap();
    let refused = ScanForm::read(request, 1_000).await.err().unwrap();
    assert_eq!(refused.status, StatusCode::REQUEST_TIMEOUT);
}
