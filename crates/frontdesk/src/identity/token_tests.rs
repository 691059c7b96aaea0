//! Signing and checking tokens.

use chrono::Duration;
use serde_json::{Value, json};

use super::*;

const SECRET: &str = "0123456789abcdef0123456789abcdef";

fn tokens() -> Tokens {
    Tokens::new(
        SecretString::from(SECRET),
        "frontdesk".into(),
        "authenticated".into(),
    )
}

fn new_token(expires_in: Duration) -> NewToken {
    let now = Utc::now();
    NewToken {
        subject: Uuid::from_u128(7),
        name: "Hana".into(),
        email: Some("hana@example.com".into()),
        roles: vec!["HR_User".into()],
        issued: now,
        expires: now + expires_in,
    }
}

fn signed(claims: Value, algorithm: Algorithm) -> String {
    let key = EncodingKey::from_secret(SECRET.as_bytes());
    encode(&Header::new(algorithm), &claims, &key).unwrap()
}

fn good() -> Value {
    json!({
        "iss": "frontdesk", "sub": Uuid::from_u128(7), "aud": "authenticated",
        "exp": Utc::now().timestamp() + 600,
    })
}

fn with(key: &str, value: Value) -> Value {
    let mut claims = good();
    claims[key] = value;
    claims
}

fn without(key: &str) -> Value {
    let mut claims = good();
    claims.as_object_mut().unwrap().remove(key);
    claims
}

#[test]
fn a_signed_token_says_who_it_is_for() {
    let new = new_token(Duration::hours(1));
    let token = tokens().sign(&new).unwrap();
    let verified = tokens().verify(&token, Utc::now()).unwrap();
    assert_eq!(verified.subject, new.subject);
    assert_eq!(verified.name, "Hana");
    assert_eq!(verified.roles, ["HR_User"]);
}

#[test]
fn an_old_token_is_expired() {
    let token = tokens().sign(&new_token(Duration::minutes(-1))).unwrap();
    assert_eq!(
        tokens().verify(&token, Utc::now()),
        Err(TokenError::Expired)
    );
}

#[test]
fn another_secret_is_a_wrong_signature() {
    let other = Tokens::new(
        SecretString::from("fedcba9876543210fedcba9876543210"),
        "frontdesk".into(),
        "authenticated".into(),
    );
    let token = other.sign(&new_token(Duration::hours(1))).unwrap();
    assert_eq!(
        tokens().verify(&token, Utc::now()),
        Err(TokenError::Signature)
    );
}

#[test]
fn claims_that_are_missing_or_wrong_are_refused() {
    assert!(
        tokens()
            .verify(&signed(good(), Algorithm::HS256), Utc::now())
            .is_ok()
    );
    for claims in [
        without("exp"),
        without("iss"),
        without("aud"),
        without("sub"),
        with("iss", json!("somebody else")),
        with("aud", json!("other")),
        with("sub", json!("not a uuid")),
        with("exp", json!("9999999999")),
        with("exp", json!(-1)),
        with("exp", json!(1e300)),
        with("nbf", json!(Utc::now().timestamp() + 3600)),
    ] {
        let result = tokens().verify(&signed(claims.clone(), Algorithm::HS256), Utc::now());
        assert!(result.is_err(), "{claims}");
    }
}

#[test]
fn the_algorithm_is_ours_to_choose() {
    for algorithm in [Algorithm::HS384, Algorithm::HS512] {
        assert!(
            tokens()
                .verify(&signed(good(), algorithm), Utc::now())
                .is_err()
        );
    }
    // {"alg":"none"} and no signature.
    let body = signed(good(), Algorithm::HS256);
    let claims = body.split('.').nth(1).unwrap();
    for head in [
        "eyJhbGciOiJub25lIn0",
        "eyJhbGciOiJOb25lIn0",
        "eyJhbGciOiJuT25FIn0",
    ] {
        assert!(
            tokens()
                .verify(&format!("{head}.{claims}."), Utc::now())
                .is_err()
        );
    }
    assert_eq!(
        tokens().verify("garbage", Utc::now()),
        Err(TokenError::Invalid)
    );
}

#[test]
fn the_local_secret_is_made_once_and_kept_private() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::TempDir::new().unwrap();
    let first = local_secret(folder.path()).unwrap();
    let second = local_secret(folder.path()).unwrap();
    assert_eq!(first.expose_secret(), second.expose_secret());
    assert!(first.expose_secret().len() >= 32);
    let mode = std::fs::metadata(folder.path().join(SECRET_FILE))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}
