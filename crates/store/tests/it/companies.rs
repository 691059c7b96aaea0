//! Companies, members and invitations: who may do what, once and in time.

use chrono::TimeDelta;
use frontdesk_core::access::{CompanyRole, Principal};
use frontdesk_core::id::CompanyId;
use frontdesk_core::store::{
    Company, CompanyDraft, Invitation, InvitationAnswer, InvitationKey, InvitationStatus,
    MAX_OWNED_COMPANIES, NewInvitation, StoreError,
};
use uuid::Uuid;

use crate::support::{Ground, account, at, fresh, nobody, on_each, refused};

async fn founded(ground: &Ground, owner: &Principal) -> Company {
    let draft = CompanyDraft {
        key: None,
        id: fresh(),
        name: "Acme".to_owned(),
        now: at(1),
    };
    ground.store.found(owner, draft).await.unwrap()
}

fn invitation(company: CompanyId, email: &str, token: &str) -> NewInvitation {
    NewInvitation {
        key: None,
        id: fresh(),
        company,
        email: email.to_owned(),
        role: CompanyRole::Member,
        token_hash: token.to_owned(),
        expires_at: at(10) + TimeDelta::days(7),
        now: at(10),
    }
}

async fn invited(
    ground: &Ground,
    owner: &Principal,
    company: CompanyId,
    email: &str,
) -> Invitation {
    let new = invitation(company, email, &Uuid::now_v7().to_string());
    ground.store.invite(owner, new).await.unwrap()
}

/// The same person as they are after what happened since.
async fn again(ground: &Ground, who: &Principal, name: &str) -> Principal {
    ground.signed_in(who.subject(), name, &[]).await
}

async fn accept(
    ground: &Ground,
    who: &Principal,
    id: &Invitation,
) -> Result<Invitation, StoreError> {
    let key = InvitationKey::Id(id.id);
    let answer = InvitationAnswer::Accept;
    ground.store.answer(who, key, answer, at(20)).await
}

#[tokio::test]
async fn whoever_founds_a_company_owns_it_and_sees_it() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let company = founded(&ground, &ann).await;
        assert_eq!(company.role, CompanyRole::Owner);
        assert_eq!(company.owner_id, ann.profile());
        assert_eq!(
            ground.store.companies(&ann).await.unwrap(),
            std::slice::from_ref(&company)
        );
        assert_eq!(
            ground.store.company(&ann, company.id).await.unwrap(),
            company
        );
        let members = ground.store.members(&ann, company.id).await.unwrap();
        assert_eq!(members.len(), 1);
        assert_eq!(members[0].profile_id, ann.profile());

        let bob = ground.person("bob").await;
        assert!(ground.store.companies(&bob).await.unwrap().is_empty());
        let foreign = refused(ground.store.company(&bob, company.id).await);
        assert!(matches!(foreign, StoreError::NotAMember), "{foreign}");
        let foreign = refused(ground.store.members(&bob, company.id).await);
        assert!(matches!(foreign, StoreError::NotAMember), "{foreign}");
        let missing = refused(ground.store.company(&bob, fresh()).await);
        assert!(matches!(missing, StoreError::NotFound), "{missing}");
    })
    .await;
}

#[tokio::test]
async fn nobody_owns_more_companies_than_they_may() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        for _ in 0..MAX_OWNED_COMPANIES {
            founded(&ground, &ann).await;
        }
        let draft = CompanyDraft {
            key: None,
            id: fresh(),
            name: "One more".to_owned(),
            now: at(1),
        };
        let error = refused(ground.store.found(&ann, draft).await);
        assert!(matches!(error, StoreError::Conflict(_)), "{error}");
    })
    .await;
}

#[tokio::test]
async fn an_invitation_is_accepted_once_by_whom_it_is_addressed_to() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let eve = ground.person("eve").await;
        let company = founded(&ground, &ann).await;
        let open = invited(&ground, &ann, company.id, "bob@example.com").await;
        assert_eq!(open.status, InvitationStatus::Pending);
        assert_eq!(open.company_name, "Acme");

        assert_eq!(
            ground.store.received(&bob, at(11)).await.unwrap(),
            std::slice::from_ref(&open)
        );
        assert!(
            ground
                .store
                .received(&eve, at(11))
                .await
                .unwrap()
                .is_empty()
        );
        let foreign = refused(accept(&ground, &eve, &open).await);
        assert!(matches!(foreign, StoreError::Forbidden), "{foreign}");

        let accepted = accept(&ground, &bob, &open).await.unwrap();
        assert_eq!(accepted.status, InvitationStatus::Accepted);
        let bob = again(&ground, &bob, "bob").await;
        assert!(bob.is_member_of(company.id));
        let twice = refused(accept(&ground, &bob, &open).await);
        assert!(matches!(twice, StoreError::Conflict(_)), "{twice}");
        assert!(
            ground
                .store
                .received(&bob, at(12))
                .await
                .unwrap()
                .is_empty()
        );
        let all = ground
            .store
            .invitations(&ann, company.id, at(12))
            .await
            .unwrap();
        assert_eq!(all[0].status, InvitationStatus::Accepted);
        // Addresses of people who have not come yet are for those who invite them.
        let error = refused(ground.store.invitations(&bob, company.id, at(12)).await);
        assert!(matches!(error, StoreError::NotAnAdmin), "{error}");

        let known = invitation(company.id, "bob@example.com", "t");
        let error = refused(ground.store.invite(&ann, known).await);
        assert!(matches!(error, StoreError::Conflict(_)), "{error}");
        // Colleagues see each other's profiles.
        ground.store.profile(&bob, ann.profile()).await.unwrap();
        let foreign = refused(ground.store.profile(&eve, ann.profile()).await);
        assert!(matches!(foreign, StoreError::Forbidden), "{foreign}");
        let missing = refused(ground.store.profile(&eve, nobody()).await);
        assert!(matches!(missing, StoreError::NotFound), "{missing}");
    })
    .await;
}

#[tokio::test]
async fn a_token_names_an_invitation_and_the_address_must_fit_all_the_same() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let eve = ground.person("eve").await;
        let company = founded(&ground, &ann).await;
        let new = invitation(company.id, "bob@example.com", "the hash");
        ground.store.invite(&ann, new).await.unwrap();
        let by = |hash: &str| InvitationKey::TokenHash(hash.to_owned());
        for (who, hash) in [(&eve, "the hash"), (&bob, "another")] {
            let answered = ground
                .store
                .answer(who, by(hash), InvitationAnswer::Accept, at(11))
                .await;
            assert!(matches!(refused(answered), StoreError::NotFound));
        }
        ground
            .store
            .answer(&bob, by("the hash"), InvitationAnswer::Decline, at(11))
            .await
            .unwrap();
        assert!(!again(&ground, &bob, "bob").await.is_member_of(company.id));
    })
    .await;
}

#[tokio::test]
async fn an_invitation_ends_by_time_by_revocation_and_by_a_new_one() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let company = founded(&ground, &ann).await;
        let first = invited(&ground, &ann, company.id, "bob@example.com").await;
        let second = invited(&ground, &ann, company.id, "bob@example.com").await;
        let replaced = refused(accept(&ground, &bob, &first).await);
        assert!(matches!(replaced, StoreError::NotFound), "{replaced}");

        let late = at(10) + TimeDelta::days(7);
        let key = InvitationKey::Id(second.id);
        let expired = ground
            .store
            .answer(&bob, key, InvitationAnswer::Accept, late)
            .await;
        assert!(matches!(refused(expired), StoreError::Conflict(_)));
        let all = ground
            .store
            .invitations(&ann, company.id, late)
            .await
            .unwrap();
        assert_eq!(all[0].status, InvitationStatus::Expired);

        let third = invited(&ground, &ann, company.id, "bob@example.com").await;
        let foreign = ground
            .store
            .revoke(&bob, company.id, third.id, at(12))
            .await;
        assert!(matches!(refused(foreign), StoreError::NotAMember));
        ground
            .store
            .revoke(&ann, company.id, third.id, at(12))
            .await
            .unwrap();
        let revoked = refused(accept(&ground, &bob, &third).await);
        assert!(matches!(revoked, StoreError::NotFound), "{revoked}");
    })
    .await;
}

#[tokio::test]
async fn those_who_run_a_company_remove_members_and_members_leave() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let cat = ground.person("cat").await;
        let company = ground.company(&ann, &[&bob, &cat]).await;
        let end = |who: &Principal, member: &Principal| {
            let (store, who, member) = (ground.store.clone(), who.clone(), member.profile());
            async move { store.end_membership(&who, company, member, at(5)).await }
        };
        let new = invitation(company, "new@example.com", "t");
        let error = refused(ground.store.invite(&bob, new).await);
        assert!(matches!(error, StoreError::NotAnAdmin), "{error}");
        assert!(matches!(refused(end(&bob, &cat).await), StoreError::NotAnAdmin));
        assert!(matches!(refused(end(&bob, &ann).await), StoreError::NotAnAdmin));
        assert!(matches!(refused(end(&ann, &ann).await), StoreError::Conflict(_)));
        end(&bob, &bob).await.unwrap();
        end(&ann, &cat).await.unwrap();
        assert!(matches!(refused(end(&ann, &cat).await), StoreError::NotFound));
        assert!(matches!(refused(end(&bob, &bob).await), StoreError::NotAMember));
        let left = ground.store.members(&ann, company).await.unwrap();
        assert_eq!(left.len(), 1);
        let noted = ground
            .count(
                "SELECT count(*) AS n FROM audit_log WHERE tool IN ('leave_company', 'remove_member')",
                vec![],
            )
            .await;
        assert_eq!(noted, 2);
    })
    .await;
}

#[tokio::test]
async fn the_address_follows_the_issuer_and_the_name_is_the_persons_own() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let patch = frontdesk_core::store::ProfilePatch {
            display_name: Some("Ann B.".to_owned()),
            avatar_url: Some("https://example.com/a.png".to_owned()),
            now: at(3),
        };
        let changed = ground.store.update_profile(&ann, patch).await.unwrap();
        assert_eq!(changed.display_name, "Ann B.");
        let mut newer = account(ann.subject(), "Ann");
        newer.email = Some("ann@new.example.com".to_owned());
        let (found, _) = ground.store.sign_in(newer).await.unwrap();
        assert_eq!(found.display_name, "Ann B.");
        assert_eq!(found.email.as_deref(), Some("ann@new.example.com"));
        assert_eq!(found.avatar_url, changed.avatar_url);
        let mut silent = account(ann.subject(), "Ann");
        silent.email = None;
        let (found, _) = ground.store.sign_in(silent).await.unwrap();
        assert_eq!(found.email.as_deref(), Some("ann@new.example.com"));
    })
    .await;
}
