//! Requests to systems that the operator configured: direct, without redirects, with bounded responses.

use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, Response};

/// A client for this address that waits at most this long for a whole response.
pub fn client(url: &str, timeout: Duration) -> Result<Client, reqwest::Error> {
    builder(url).timeout(timeout).build()
}

/// [`client`] without a time limit.
pub fn builder(url: &str) -> ClientBuilder {
    // Fails if a provider is already installed, which is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder().redirect(Policy::none()).no_proxy();
    match url.starts_with("http://") {
        // Loading the system's certificates is slow and may fail, and plain HTTP does not need them.
        true => builder.tls_certs_only([]),
        false => builder,
    }
}

/// The body of a response; the error completes a sentence about it.
pub async fn body(mut response: Response, most: usize) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(broken)? {
        body.extend_from_slice(&chunk);
        if body.len() > most {
            return Err(format!("is larger than {most} bytes"));
        }
    }
    Ok(body)
}

/// The URL may contain a password, so errors omit it.
fn broken(error: reqwest::Error) -> String {
    let error = anyhow::Error::from(error.without_url());
    format!("broke off: {error:#}")
}
