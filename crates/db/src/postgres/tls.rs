//! TLS to Postgres, enabled by `sslmode` in the address. The server's certificate is always
//! verified: without that, TLS does not stop an active attacker.

use std::{path::PathBuf, sync::Arc};

use rustls::{
    ClientConfig, RootCertStore,
    pki_types::{CertificateDer, pem::PemObject},
};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::DbError;

/// The TLS settings of an address that the driver does not support itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct TlsSettings {
    pub(super) required: bool,
    /// `sslrootcert`: trust these certificates instead of the system's.
    pub(super) roots: Option<PathBuf>,
}

/// Removes `sslmode=verify-ca|verify-full` and `sslrootcert` from a URL; the driver rejects
/// both.
pub(super) fn split(url: &str) -> (String, TlsSettings) {
    let mut tls = TlsSettings::default();
    let Some((base, query)) = url.split_once('?') else {
        return (url.to_owned(), tls);
    };
    let mut kept = Vec::new();
    for pair in query.split('&') {
        match pair.split_once('=') {
            Some(("sslmode", "verify-ca" | "verify-full")) => tls.required = true,
            Some(("sslrootcert", path)) if path != "system" => tls.roots = Some(path.into()),
            Some(("sslrootcert", _)) => {}
            Some(_) | None => kept.push(pair),
        }
    }
    (format!("{base}?{}", kept.join("&")), tls)
}

pub(super) fn connector(tls: &TlsSettings, place: &str) -> Result<MakeRustlsConnect, DbError> {
    let unusable = |reason: String| DbError::Unavailable {
        place: place.to_owned(),
        reason,
    };
    let mut roots = RootCertStore::empty();
    match &tls.roots {
        Some(path) => {
            let found: Result<Vec<_>, _> =
                CertificateDer::pem_file_iter(path).and_then(Iterator::collect);
            let found = found.map_err(|error| {
                unusable(format!(
                    "the certificates in {} cannot be read ({error})",
                    path.display()
                ))
            })?;
            roots.add_parsable_certificates(found);
        }
        None => {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    if roots.is_empty() {
        return Err(unusable(
            "no trusted certificates were found; install ca-certificates or set sslrootcert"
                .to_owned(),
        ));
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| unusable(format!("TLS cannot be set up ({error})")))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

#[cfg(test)]
#[path = "tls_tests.rs"]
mod tls_tests;
