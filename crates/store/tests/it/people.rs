//! Profiles and companies: made once, and members as they are now.

use frontdesk_core::access::{CompanyRole, Membership};
use frontdesk_core::store::{NewCompany, StoreError};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::support::{account, at, fresh, nobody, on_each, refused};

// design: 002 table profiles
#[tokio::test]
async fn a_profile_is_made_on_first_sight_and_found_again() {
    on_each(|ground| async move {
        let subject = Uuid::now_v7();
        let first = account(subject, "ann");
        let (made, memberships) = ground.store.sign_in(first.clone()).await.unwrap();
        assert_eq!(made.id, first.profile);
        assert_eq!(made.user_id, subject);
        assert_eq!(made.display_name, "ann");
        assert_eq!(made.email.as_deref(), Some("ann@example.com"));
        assert_eq!(made.created_at, at(0));
        assert!(memberships.is_empty());
        let mut again = account(subject, "another name");
        again.email = made.email.clone();
        let (found, _) = ground.store.sign_in(again).await.unwrap();
        assert_eq!(found, made);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn first_sights_at_once_make_one_profile() {
    on_each(|ground| async move {
        let subject = Uuid::now_v7();
        let mut all = JoinSet::new();
        for _ in 0..8 {
            let (store, account) = (ground.store.clone(), account(subject, "ann"));
            all.spawn(async move { store.sign_in(account).await.unwrap().0.id });
        }
        let mut ids = all.join_all().await;
        ids.dedup();
        assert_eq!(ids.len(), 1);
    })
    .await;
}

// design: 002 table company_members
#[tokio::test]
async fn memberships_are_read_live() {
    on_each(|ground| async move {
        let owner = ground.person("owner").await;
        let subject = Uuid::now_v7();
        let ann = ground.signed_in(subject, "ann", &[]).await;
        let company = ground.company(&owner, &[]).await;
        let memberships = || async {
            let account = account(subject, "ann");
            ground.store.sign_in(account).await.unwrap().1
        };
        for standing in [CompanyRole::Member, CompanyRole::Admin] {
            ground
                .store
                .add_member(company, ann.profile(), standing, at(1))
                .await
                .unwrap();
            assert_eq!(memberships().await, [Membership { company, standing }]);
        }
        ground
            .store
            .remove_member(company, ann.profile())
            .await
            .unwrap();
        assert!(memberships().await.is_empty());
        let error = refused(ground.store.remove_member(company, ann.profile()).await);
        assert!(matches!(error, StoreError::NotFound), "{error}");
    })
    .await;
}

#[tokio::test]
async fn a_company_is_found_by_its_id_and_keeps_its_owner() {
    on_each(|ground| async move {
        let owner = ground.person("owner").await;
        let other = ground.person("other").await;
        let new = NewCompany {
            id: fresh(),
            name: "Acme".to_owned(),
            owner: owner.profile(),
            now: at(1),
        };
        assert_eq!(
            ground.store.ensure_company(new.clone()).await.unwrap(),
            new.id
        );
        let again = NewCompany {
            owner: other.profile(),
            ..new.clone()
        };
        assert_eq!(ground.store.ensure_company(again).await.unwrap(), new.id);
        let members = ground
            .count("SELECT count(*) AS n FROM company_members", vec![])
            .await;
        assert_eq!(members, 1);
        let error = refused(ground.store.remove_member(new.id, owner.profile()).await);
        assert!(matches!(error, StoreError::Conflict(_)), "{error}");
        let missing = ground
            .store
            .add_member(fresh(), owner.profile(), CompanyRole::Member, at(1))
            .await;
        assert!(matches!(refused(missing), StoreError::NotFound));
        let missing = ground
            .store
            .add_member(new.id, nobody(), CompanyRole::Member, at(1))
            .await;
        assert!(matches!(refused(missing), StoreError::NotFound));
        let unowned = NewCompany {
            id: fresh(),
            owner: nobody(),
            ..new
        };
        let error = refused(ground.store.ensure_company(unowned).await);
        assert!(matches!(error, StoreError::NotFound), "{error}");
    })
    .await;
}
