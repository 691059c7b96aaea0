//! The identity of callers: demo personas on this machine, or holders of a signed token. Roles come
//! from verified claims, companies from the database, nothing from client input.

mod api_secret;
mod claims;
mod jwks;
mod person_tokens;
mod secret;
mod sign_in;
mod token;

use std::collections::BTreeSet;

use frontdesk_core::access::{Identity, KnownRoles, Membership, Principal, Proof, Role};
use frontdesk_core::conversation::Conversation;
use frontdesk_core::env::Env;
use frontdesk_core::id::{CompanyId, ConversationId, ProfileId};
use frontdesk_core::persona::{Persona, demo_id};
use frontdesk_core::store::{Account, Entered, NewCompany, StoreError};
use frontdesk_store::Store;

pub use api_secret::ApiSecret;
pub use jwks::{KeySet, is_safe_source};
pub use secret::local_secret;
pub use sign_in::{Endpoints, SignInClient, SignInError};
pub use token::{TokenError, Tokens, Verified};

/// Signs in a demo persona; creates the profile and company on first use.
pub async fn sign_in_persona(
    store: &Store,
    env: &dyn Env,
    persona: &Persona,
) -> Result<Principal, StoreError> {
    let account = Account {
        subject: persona.subject(),
        profile: ProfileId::from_uuid(persona.profile()),
        name: persona.display_name.to_string(),
        email: Some(persona.email.to_string()),
        now: env.now(),
    };
    let (profile, mut companies) = store.sign_in(account.clone()).await?;
    if let Some((company, standing)) = persona.company {
        let id = CompanyId::from_uuid(demo_id("company", company));
        if !companies.iter().any(|m| m.company == id) {
            let new = NewCompany {
                id,
                name: company.to_owned(),
                owner: profile.id,
                now: env.now(),
            };
            store.ensure_company(new).await?;
            store
                .add_member(id, profile.id, standing, env.now())
                .await?;
            companies = store.sign_in(account).await?.1;
        }
    }
    Ok(Principal::authenticated(
        Identity {
            subject: persona.subject(),
            profile: profile.id,
            name: profile.display_name,
            email: profile.email,
            roles: persona.roles.iter().cloned().collect(),
            companies,
            expires: None,
        },
        Proof::Persona,
    ))
}

/// Turns a verified token into a principal. The profile is created on first use; memberships come
/// from the database only.
pub async fn sign_in_token(
    store: &Store,
    env: &dyn Env,
    roles: &KnownRoles,
    verified: Verified,
) -> Result<Principal, StoreError> {
    let (profile, companies) = store.sign_in(account(env, &verified)).await?;
    let (id, name) = (profile.id, profile.display_name);
    Ok(principal(verified, roles, id, name, companies))
}

/// [`sign_in_token`] together with loading a conversation, in one query.
pub async fn enter(
    store: &Store,
    env: &dyn Env,
    roles: &KnownRoles,
    verified: Verified,
    conversation: ConversationId,
) -> Result<(Principal, Conversation), StoreError> {
    let Entered {
        profile,
        name,
        companies,
        conversation,
    } = store.enter(account(env, &verified), conversation).await?;
    let who = principal(verified, roles, profile, name, companies);
    Ok((who, conversation))
}

fn account(env: &dyn Env, verified: &Verified) -> Account {
    Account {
        subject: verified.subject,
        profile: ProfileId::from_uuid(env.id()),
        name: verified.name.clone(),
        email: verified.email.clone(),
        now: env.now(),
    }
}

fn principal(
    verified: Verified,
    roles: &KnownRoles,
    profile: ProfileId,
    name: String,
    companies: Vec<Membership>,
) -> Principal {
    let claimed = verified.roles.iter();
    let roles: BTreeSet<Role> = claimed.filter_map(|name| roles.get(name)).collect();
    Principal::authenticated(
        Identity {
            subject: verified.subject,
            profile,
            name,
            // The address from this token, not from an earlier one.
            email: verified.email,
            roles,
            companies,
            expires: Some(verified.expires),
        },
        Proof::Token,
    )
}
