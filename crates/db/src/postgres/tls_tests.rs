//! What is taken out of an address, and what stays.

use super::{Wish, split};

#[test]
fn only_what_the_driver_does_not_know_is_taken_out() {
    let check = |url: &str, kept: &str, required: bool, roots: Option<&str>| {
        let wish = Wish {
            required,
            roots: roots.map(Into::into),
        };
        assert_eq!(split(url), (kept.to_owned(), wish), "{url}");
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
