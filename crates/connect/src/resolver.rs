//! Resolves the host with its own error type, so that a wrong name is distinguishable from an
//! unreachable host.

use std::net::SocketAddr;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// The host name does not resolve.
#[derive(Debug, thiserror::Error)]
#[error("no address is known for this host")]
pub(crate) struct NoSuchHost;

pub(crate) struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            // The connector fills in the port.
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0))
                .await
                .map_err(|_| NoSuchHost)?
                .collect();
            if found.is_empty() {
                return Err(NoSuchHost.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}
