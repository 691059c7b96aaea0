//! The HTTP API of this process, without a socket.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderValue, Request, header};
use frontdesk_core::access::Principal;
use tower::ServiceExt;

use crate::app::App;
use crate::config::Config;
use crate::http::{LocalPerson, in_process};

#[derive(Clone)]
pub(super) struct InProcess {
    routes: Router,
    /// The person at the terminal; `None` once a token identifies one.
    person: Option<LocalPerson>,
}

/// A base address whose host the routes accept. Demo people sign in at a loopback address only.
pub(super) fn url(config: &Config) -> String {
    let bind = config.server.bind.ip();
    match bind.is_loopback() || bind.is_unspecified() {
        true => "http://127.0.0.1".to_owned(),
        false => config.server.public_url.clone(),
    }
}

impl InProcess {
    pub(super) fn new(app: &Arc<App>, who: &Principal) -> Self {
        Self {
            routes: in_process(app),
            person: Some(LocalPerson::new(who, app.env.now())),
        }
    }

    pub(super) fn forget_person(&mut self) {
        self.person = None;
    }

    pub(super) async fn answer(
        &self,
        request: reqwest::Request,
    ) -> anyhow::Result<reqwest::Response> {
        let host = HeaderValue::from_str(request.url().host_str().unwrap_or_default())?;
        let request: Request<reqwest::Body> = request.try_into()?;
        let mut request = request.map(Body::new);
        request.headers_mut().insert(header::HOST, host);
        if let Some(person) = &self.person {
            request.extensions_mut().insert(person.clone());
        }
        let Ok(response) = self.routes.clone().oneshot(request).await;
        let streamed = |body: Body| reqwest::Body::wrap_stream(body.into_data_stream());
        Ok(response.map(streamed).into())
    }
}
