//! Looks up the host of the API with an error of its own, so that a wrong name can be told
//! from a host that does not answer.

use std::net::SocketAddr;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// The name in the address of the API leads nowhere.
#[derive(Debug, thiserror::Error)]
#[error("no address is known for this host")]
pub(super) struct NoSuchHost;

pub(super) struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            // The port is filled in by the connector.
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
