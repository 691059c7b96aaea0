//! Everyone who may send a request, from anonymous to the operator.

use std::collections::BTreeSet;

use chrono::{DateTime, Duration, Utc};
use frontdesk_core::access::{CompanyRole, Identity, Principal, Proof};
use frontdesk_core::env::Env;
use frontdesk_core::id::{CompanyId, ProfileId};
use jsonwebtoken::{EncodingKey, Header, encode};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::server::{Person, TestServer};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    /// No token at all.
    Anonymous,
    /// Not a JWT.
    Garbage,
    /// Signed with another key.
    Forged,
    Expired,
    /// Issued for another service.
    OtherAudience,
    /// Owns every requested object.
    Owner,
    /// A member of the owner's company.
    Member,
    /// An administrator of the owner's company.
    Admin,
    /// A member of the owner's company without the assistant's role.
    MemberWithoutRole,
    /// A former member of the owner's company.
    ExMember,
    /// The same role, and no relation to the owner.
    Outsider,
    /// Another role.
    OtherRole,
    /// Undeclared roles.
    NoRole,
    /// Operates the platform.
    Operator,
}

impl Who {
    pub const ALL: [Who; 14] = [
        Who::Anonymous,
        Who::Garbage,
        Who::Forged,
        Who::Expired,
        Who::OtherAudience,
        Who::Member,
        Who::Admin,
        Who::MemberWithoutRole,
        Who::ExMember,
        Who::Outsider,
        Who::OtherRole,
        Who::NoRole,
        Who::Operator,
        Who::Owner,
    ];

    /// Error code of the refused authentication, if it is refused.
    pub fn refused_as(self) -> Option<&'static str> {
        match self {
            Who::Anonymous => Some("UNAUTHORIZED"),
            Who::Garbage | Who::OtherAudience => Some("INVALID_TOKEN"),
            Who::Forged => Some("INVALID_SIGNATURE"),
            Who::Expired => Some("TOKEN_EXPIRED"),
            Who::Owner
            | Who::Member
            | Who::Admin
            | Who::MemberWithoutRole
            | Who::ExMember
            | Who::Outsider
            | Who::OtherRole
            | Who::NoRole
            | Who::Operator => None,
        }
    }

    pub fn is_signed_in(self) -> bool {
        self.refused_as().is_none()
    }

    /// A current member of the owner's company.
    pub fn belongs(self) -> bool {
        matches!(
            self,
            Who::Owner | Who::Member | Who::Admin | Who::MemberWithoutRole
        )
    }

    pub fn has_role(self) -> bool {
        matches!(
            self,
            Who::Owner | Who::Member | Who::Admin | Who::ExMember | Who::Outsider
        )
    }

    fn roles(self) -> Value {
        match self {
            Who::MemberWithoutRole | Who::OtherRole => json!(["Reader"]),
            Who::NoRole => json!(["buyer", "BUYER", "root"]),
            Who::Operator => json!(["Operator"]),
            Who::Anonymous
            | Who::Garbage
            | Who::Forged
            | Who::Expired
            | Who::OtherAudience
            | Who::Owner
            | Who::Member
            | Who::Admin
            | Who::ExMember
            | Who::Outsider => json!(["Buyer"]),
        }
    }

    fn subject(self) -> Uuid {
        let subject = match self {
            // Invalid tokens of a person who would have access.
            Who::Anonymous | Who::Garbage | Who::Forged | Who::Expired | Who::OtherAudience => {
                Who::Owner
            }
            Who::Owner
            | Who::Member
            | Who::Admin
            | Who::MemberWithoutRole
            | Who::ExMember
            | Who::Outsider
            | Who::OtherRole
            | Who::NoRole
            | Who::Operator => self,
        };
        Uuid::from_u128(0x7000_0000_0000_4000_8000_0000_0000_0000 + subject as u128)
    }
}

pub struct Cast {
    people: Vec<(Who, Option<Person>)>,
    pub company: CompanyId,
}

impl Cast {
    /// Signs everyone in and adds them to their companies.
    pub async fn assemble(server: &TestServer) -> Self {
        let sign = Signing::of(server);
        let people: Vec<(Who, Option<Person>)> = Who::ALL
            .map(|who| (who, sign.token(who)))
            .into_iter()
            .collect();
        let cast = Self {
            people,
            company: CompanyId::from_uuid(Uuid::now_v7()),
        };
        let owner = cast.profile(server, Who::Owner).await;
        let company = frontdesk_core::store::NewCompany {
            id: cast.company,
            name: "Canary Ltd".to_owned(),
            owner,
            now: Utc::now(),
        };
        server.store.ensure_company(company).await.unwrap();
        cast.join(server).await;
        let left = cast.profile(server, Who::ExMember).await;
        let member = CompanyRole::Member;
        let store = &server.store;
        store
            .add_member(cast.company, left, member, Utc::now())
            .await
            .unwrap();
        store.remove_member(cast.company, left).await.unwrap();
        cast
    }

    /// Adds every member to the company.
    pub async fn join(&self, server: &TestServer) {
        for (who, standing) in [
            (Who::Owner, CompanyRole::Owner),
            (Who::Admin, CompanyRole::Admin),
            (Who::Member, CompanyRole::Member),
            (Who::MemberWithoutRole, CompanyRole::Member),
        ] {
            let profile = self.profile(server, who).await;
            let store = &server.store;
            store
                .add_member(self.company, profile, standing, Utc::now())
                .await
                .unwrap();
        }
    }

    pub fn person(&self, who: Who) -> Option<&Person> {
        self.people
            .iter()
            .find(|(known, _)| *known == who)
            .and_then(|(_, person)| person.as_ref())
    }

    pub async fn principal(&self, server: &TestServer, who: Who) -> Principal {
        let identity = Identity {
            subject: who.subject(),
            profile: self.profile(server, who).await,
            name: format!("{who:?}"),
            email: None,
            roles: BTreeSet::new(),
            companies: Vec::new(),
            expires: None,
        };
        Principal::authenticated(identity, Proof::Token)
    }

    pub async fn profile(&self, server: &TestServer, who: Who) -> ProfileId {
        let me = server.get(self.person(who).unwrap(), "/me").await;
        me.body["id"].as_str().unwrap().parse().unwrap()
    }
}

/// Signs tokens that the product would not.
struct Signing {
    issuer: String,
    audience: String,
    secret: String,
    now: DateTime<Utc>,
}

impl Signing {
    fn of(server: &TestServer) -> Self {
        Self {
            issuer: "frontdesk".to_owned(),
            audience: "authenticated".to_owned(),
            secret: server.secret.clone(),
            now: server.clock.now(),
        }
    }

    fn token(&self, who: Who) -> Option<Person> {
        let (secret, expires, audience) = match who {
            Who::Anonymous => return None,
            Who::Garbage => {
                return Some(Person {
                    token: "not.a.token".to_owned(),
                });
            }
            Who::Forged => ("another secret that is long enough", 3_600, &*self.audience),
            Who::Expired => (&*self.secret, -3_600, &*self.audience),
            Who::OtherAudience => (&*self.secret, 3_600, "somebody-else"),
            Who::Owner
            | Who::Member
            | Who::Admin
            | Who::MemberWithoutRole
            | Who::ExMember
            | Who::Outsider
            | Who::OtherRole
            | Who::NoRole
            | Who::Operator => (&*self.secret, 3_600, &*self.audience),
        };
        let claims = json!({
            "iss": self.issuer,
            "sub": who.subject(),
            "aud": audience,
            "exp": (self.now + Duration::seconds(expires)).timestamp(),
            "email": format!("{who:?}@example.com").to_lowercase(),
            "role": "authenticated",
            "app_metadata": { "name": format!("{who:?}"), "roles": who.roles() },
        });
        let key = EncodingKey::from_secret(secret.as_bytes());
        let token = encode(&Header::default(), &claims, &key).unwrap();
        Some(Person { token })
    }
}
