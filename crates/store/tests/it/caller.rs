//! Coming into a conversation: the same as signing in and looking it up, whoever comes.

use frontdesk_core::access::CompanyRole;
use frontdesk_core::store::{Entered, StoreError};
use uuid::Uuid;

use crate::support::{account, at, fresh, on_each};

#[tokio::test]
async fn one_look_finds_what_two_would() {
    on_each(|ground| async move {
        let subject = Uuid::now_v7();
        let ann = ground.signed_in(subject, "ann", &[]).await;
        let other = ground.company(&ann, &[]).await;
        let company = ground.company(&ann, &[]).await;
        let own = ground.conversation(&ann).await;
        let shared = ground.conversation_in(&ann, Some(company)).await;
        for id in [own.id, shared.id] {
            let entered = ground.store.enter(account(subject, "ann"), id).await;
            let (profile, companies) = ground.store.sign_in(account(subject, "ann")).await.unwrap();
            let conversation = ground.store.get(&ann, id).await.unwrap();
            let mut known: Vec<_> = companies.iter().map(|one| one.company).collect();
            known.sort();
            let mut expected = vec![other, company];
            expected.sort();
            assert_eq!(known, expected);
            let expected = Entered {
                profile: profile.id,
                name: "ann".to_owned(),
                companies,
                conversation,
            };
            assert_eq!(entered.unwrap(), expected);
        }
    })
    .await;
}

// design: promises B1
#[tokio::test]
async fn members_enter_as_long_as_they_are_some() {
    on_each(|ground| async move {
        let owner = ground.person("owner").await;
        let subject = Uuid::now_v7();
        let bob = ground.signed_in(subject, "bob", &[]).await;
        let company = ground.company(&owner, &[&bob]).await;
        let id = ground.conversation_in(&owner, Some(company)).await.id;
        let entered = ground
            .store
            .enter(account(subject, "bob"), id)
            .await
            .unwrap();
        assert_eq!(entered.profile, bob.profile());
        assert_eq!(entered.conversation.user_id, owner.profile());
        assert_eq!(entered.companies.len(), 1);
        assert_eq!(entered.companies[0].standing, CompanyRole::Member);
        ground
            .store
            .remove_member(company, bob.profile())
            .await
            .unwrap();
        let refused = ground.store.enter(account(subject, "bob"), id).await;
        assert!(matches!(refused, Err(StoreError::Forbidden)));
    })
    .await;
}

// design: promises B1
#[tokio::test]
async fn strangers_and_what_is_not_there_are_told_apart() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let subject = Uuid::now_v7();
        // Somebody whom nobody has seen before has a profile afterwards.
        let foreign = ground.store.enter(account(subject, "eve"), id).await;
        assert!(matches!(foreign, Err(StoreError::Forbidden)));
        let (eve, _) = ground.store.sign_in(account(subject, "eva")).await.unwrap();
        assert_eq!(eve.display_name, "eve");
        let absent = ground.store.enter(account(subject, "eve"), fresh()).await;
        assert!(matches!(absent, Err(StoreError::NotFound)));
    })
    .await;
}

#[tokio::test]
async fn the_address_follows_the_issuer() {
    on_each(|ground| async move {
        let subject = Uuid::now_v7();
        let ann = ground.signed_in(subject, "ann", &[]).await;
        let id = ground.conversation(&ann).await.id;
        let mut moved = account(subject, "ann");
        moved.email = Some("ann@elsewhere.example".to_owned());
        moved.now = at(7);
        ground.store.enter(moved.clone(), id).await.unwrap();
        let (profile, _) = ground.store.sign_in(moved).await.unwrap();
        assert_eq!(profile.email.as_deref(), Some("ann@elsewhere.example"));
        assert_eq!(profile.updated_at, at(7));
    })
    .await;
}
