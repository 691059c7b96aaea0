//! Signing and verifying tokens: attack group A, for single tokens.

use std::sync::Arc;

use chrono::Duration;
use frontdesk_core::access::{KnownRoles, Role};
use frontdesk_testkit::clock::FakeClock;
use jsonwebtoken::jwk::Jwk;
use serde_json::{Value, json};

use super::*;
use crate::identity::jwks::jwks_tests::{ISSUER, Issuer, ec_key, rsa_key};

const SECRET: &str = "0123456789abcdef0123456789abcdef";

fn tokens() -> Tokens {
    Tokens::with_secret(SecretString::from(SECRET), None, "authenticated".into())
}

fn new_token(expires_in: Duration) -> Verified {
    Verified {
        subject: Uuid::from_u128(7),
        name: "Hana".into(),
        email: Some("Hana@example.com".into()),
        roles: vec!["HR_User".into()],
        expires: Utc::now() + expires_in,
    }
}

fn signed(claims: &Value, algorithm: Algorithm) -> String {
    let key = EncodingKey::from_secret(SECRET.as_bytes());
    encode(&Header::new(algorithm), claims, &key).unwrap()
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

async fn verify(token: &str) -> Result<Verified, TokenError> {
    tokens().verify(token, Utc::now()).await
}

#[tokio::test]
async fn a_signed_token_identifies_its_person() {
    let new = new_token(Duration::hours(1));
    let verified = verify(&tokens().sign(&new, Utc::now()).unwrap())
        .await
        .unwrap();
    assert_eq!(verified.subject, new.subject);
    assert_eq!(verified.name, "Hana");
    assert_eq!(verified.email.as_deref(), Some("hana@example.com"));
    assert_eq!(verified.roles, ["HR_User"]);
}

#[tokio::test]
async fn an_old_token_is_expired_and_clocks_may_differ_a_little() {
    let token = |expires| tokens().sign(&new_token(expires), Utc::now()).unwrap();
    let old = verify(&token(Duration::seconds(-40))).await;
    assert_eq!(old, Err(TokenError::Expired));
    assert!(verify(&token(Duration::seconds(-20))).await.is_ok());
}

#[tokio::test]
async fn another_secret_is_a_wrong_signature() {
    let other = Tokens::with_secret(
        SecretString::from("fedcba9876543210fedcba9876543210"),
        None,
        "authenticated".into(),
    );
    let token = other
        .sign(&new_token(Duration::hours(1)), Utc::now())
        .unwrap();
    assert_eq!(verify(&token).await, Err(TokenError::Signature));
}

/// A4, A5, A6: claims that are missing, have the wrong type or are for another audience.
// design: promises claims and packages, A4
#[tokio::test]
async fn claims_that_are_missing_or_wrong_are_refused() {
    assert!(verify(&signed(&good(), Algorithm::HS256)).await.is_ok());
    let soon = Utc::now().timestamp() + 600;
    for claims in [
        without("exp"),
        without("iss"),
        without("aud"),
        without("sub"),
        with("iss", json!("somebody else")),
        with("iss", json!(["frontdesk"])),
        with("aud", json!("other")),
        with("aud", json!(["authenticated"])),
        with("aud", json!(["authenticated", "other"])),
        with("sub", json!("not a uuid")),
        with("sub", json!(7)),
        with("exp", json!("9999999999")),
        with("exp", json!(-1)),
        with("exp", json!(1e300)),
        with("exp", json!(soon as f64 + 0.5)),
        with("exp", Value::Null),
        with("nbf", json!(soon + 3600)),
        with("nbf", json!("0")),
    ] {
        let result = verify(&signed(&claims, Algorithm::HS256)).await;
        assert!(result.is_err(), "{claims}");
    }
}

/// A10: role claims other than a list of exact names give no roles.
// design: promises A10
#[tokio::test]
async fn roles_that_cannot_be_read_give_no_rights() {
    let declared: KnownRoles = [Role::named("HR_User")].into_iter().collect();
    for roles in [
        json!("HR_User"),
        json!({ "HR_User": true }),
        json!([]),
        json!(null),
        json!(["hr_user", "HR_USER", "", " HR_User", "root", 7, ["HR_User"]]),
    ] {
        let claims = with("app_metadata", json!({ "roles": roles }));
        let verified = verify(&signed(&claims, Algorithm::HS256)).await.unwrap();
        let known: Vec<_> = verified
            .roles
            .iter()
            .filter_map(|name| declared.get(name))
            .collect();
        assert!(known.is_empty(), "{roles}");
    }
    for role in [
        json!(["Operator"]),
        json!({}),
        json!("Operator"),
        json!("service_role"),
    ] {
        let verified = verify(&signed(&with("role", role), Algorithm::HS256))
            .await
            .unwrap();
        assert!(verified.roles.is_empty());
    }
}

/// A2: the server chooses the algorithm.
// design: promises A2
#[tokio::test]
async fn only_the_configured_algorithm_is_accepted() {
    for algorithm in [Algorithm::HS384, Algorithm::HS512] {
        assert!(verify(&signed(&good(), algorithm)).await.is_err());
    }
    // {"alg":"none"} without a signature.
    let body = signed(&good(), Algorithm::HS256);
    let (head, rest) = body.split_once('.').unwrap();
    let claims = rest.split('.').next().unwrap();
    for head in [
        "eyJhbGciOiJub25lIn0",
        "eyJhbGciOiJOb25lIn0",
        "eyJhbGciOiJuT25FIn0",
        head,
    ] {
        assert!(verify(&format!("{head}.{claims}.")).await.is_err());
        assert!(verify(&format!("{head}.{claims}")).await.is_err());
    }
    assert_eq!(verify("garbage").await, Err(TokenError::Invalid));
    assert_eq!(verify(&"x".repeat(100_000)).await, Err(TokenError::Invalid));
}

fn from_issuer(key: &EncodingKey, algorithm: Algorithm, kid: Option<&str>) -> String {
    let mut claims = good();
    claims["iss"] = json!(ISSUER);
    let header = Header {
        kid: kid.map(str::to_owned),
        ..Header::new(algorithm)
    };
    encode(&header, &claims, key).unwrap()
}

fn with_keys(issuer: &Issuer) -> Tokens {
    let env = Arc::new(FakeClock::starting(Utc::now()));
    Tokens::with_keys(
        SecretString::from(SECRET),
        ISSUER.to_owned(),
        "authenticated".into(),
        issuer.keys(env),
    )
}

#[tokio::test]
async fn tokens_of_an_issuer_are_checked_with_its_public_keys() {
    let issuer = Issuer::start().await;
    let tokens = with_keys(&issuer);
    let ec = from_issuer(&ec_key("a"), Algorithm::ES256, Some("ec-a"));
    let rsa = from_issuer(&rsa_key("a"), Algorithm::RS256, Some("rsa-a"));
    for token in [&ec, &rsa] {
        let verified = tokens.verify(token, Utc::now()).await.unwrap();
        assert_eq!(verified.subject, Uuid::from_u128(7));
    }
    // Signed by another key of the same kind, and by a key for the other algorithm.
    for token in [
        from_issuer(&ec_key("b"), Algorithm::ES256, Some("ec-a")),
        from_issuer(&rsa_key("b"), Algorithm::RS256, Some("rsa-a")),
    ] {
        let refused = tokens.verify(&token, Utc::now()).await;
        assert_eq!(refused, Err(TokenError::Signature));
    }
    for token in [
        from_issuer(&ec_key("a"), Algorithm::ES256, Some("rsa-a")),
        from_issuer(&rsa_key("a"), Algorithm::RS256, Some("ec-a")),
        from_issuer(&rsa_key("a"), Algorithm::RS384, Some("rsa-a")),
        from_issuer(&rsa_key("a"), Algorithm::PS256, Some("rsa-a")),
        from_issuer(&rsa_key("a"), Algorithm::RS256, None),
    ] {
        let refused = tokens.verify(&token, Utc::now()).await;
        assert_eq!(refused, Err(TokenError::Invalid));
    }
    let error = tokens
        .sign(&new_token(Duration::hours(1)), Utc::now())
        .unwrap_err();
    assert!(error.to_string().contains(ISSUER), "{error}");
}

/// A3: a public key does not work as an HS256 secret in any encoding.
// design: promises A3
#[tokio::test]
async fn a_public_key_does_not_work_as_a_secret() {
    let issuer = Issuer::start().await;
    let tokens = with_keys(&issuer);
    let mut secrets: Vec<Vec<u8>> = vec![SECRET.as_bytes().to_vec()];
    for (key, algorithm) in [
        (rsa_key("a"), Algorithm::RS256),
        (ec_key("a"), Algorithm::ES256),
    ] {
        let jwk = serde_json::to_value(Jwk::from_encoding_key(&key, algorithm).unwrap()).unwrap();
        secrets.push(jwk.to_string().into_bytes());
        for part in ["n", "x", "y"] {
            if let Some(text) = jwk[part].as_str() {
                secrets.push(text.as_bytes().to_vec());
                secrets.push(format!(" {text}").into_bytes());
            }
        }
    }
    for secret in secrets {
        for kid in [Some("rsa-a"), Some("ec-a"), None] {
            let key = EncodingKey::from_secret(&secret);
            let token = from_issuer(&key, Algorithm::HS256, kid);
            assert_eq!(
                tokens.verify(&token, Utc::now()).await,
                Err(TokenError::Invalid)
            );
        }
    }
}

/// A8: keys in a token's header are neither used nor fetched.
// design: promises A8
#[tokio::test]
async fn a_key_in_the_token_header_is_ignored() {
    let issuer = Issuer::start().await;
    let foreign = Issuer::start().await;
    let tokens = with_keys(&issuer);
    let mut claims = good();
    claims["iss"] = json!(ISSUER);
    let header = Header {
        kid: Some("ec-a".to_owned()),
        jku: Some(foreign.url.clone()),
        x5u: Some(foreign.url.clone()),
        jwk: Some(Jwk::from_encoding_key(&ec_key("b"), Algorithm::ES256).unwrap()),
        ..Header::new(Algorithm::ES256)
    };
    let token = encode(&header, &claims, &ec_key("b")).unwrap();
    assert_eq!(
        tokens.verify(&token, Utc::now()).await,
        Err(TokenError::Signature)
    );
    assert_eq!(foreign.fetches(), 0);
}

/// Expiry is checked for every issuer.
#[tokio::test]
async fn an_issuers_token_expires_too() {
    let issuer = Issuer::start().await;
    let tokens = with_keys(&issuer);
    let token = from_issuer(&ec_key("a"), Algorithm::ES256, Some("ec-a"));
    let later = Utc::now() + Duration::hours(1);
    assert_eq!(tokens.verify(&token, later).await, Err(TokenError::Expired));
}
