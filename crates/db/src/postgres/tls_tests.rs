//! The TLS settings that are removed from an address, and the rest of it.

use super::{TlsSettings, split};

#[test]
fn only_unsupported_settings_are_removed() {
    let check = |url: &str, kept: &str, required: bool, roots: Option<&str>| {
        let tls = TlsSettings {
            required,
            roots: roots.map(Into::into),
        };
        assert_eq!(split(url), (kept.to_owned(), tls), "{url}");
    };
    check("postgres://h/d", "postgres://h/d", false, None);
    check(
        "postgres://h/d?sslmode=require",
        "postgres://h/d?sslmode=require",
        false,
        None,
    );
    check(
        "postgres://h/d?sslmode=verify-full&application_name=x",
        "postgres://h/d?application_name=x",
        true,
        None,
    );
    check(
        "postgres://h/d?sslmode=verify-ca&sslrootcert=/ca.pem",
        "postgres://h/d?",
        true,
        Some("/ca.pem"),
    );
    check(
        "postgres://h/d?sslrootcert=system&sslmode=require",
        "postgres://h/d?sslmode=require",
        false,
        None,
    );
}
