//! Links, marks and API tokens: what they open, for whom, and for how long.

use chrono::TimeDelta;
use frontdesk_core::access::Principal;
use frontdesk_core::id::{ConversationId, ShareId};
use frontdesk_core::store::{
    Audience, ConversationQuery, ConversationView, Marks, NewApiToken, NewShare, Share, StoreError,
};
use uuid::Uuid;

use crate::support::{Ground, at, fresh, on_each};

async fn share(
    ground: &Ground,
    who: &Principal,
    conversation: ConversationId,
    audience: Audience,
) -> Result<Share, StoreError> {
    let new = NewShare {
        id: ShareId::from_uuid(Uuid::new_v4()),
        conversation,
        audience,
        expires_at: at(1_000) + TimeDelta::days(30),
        key: None,
        now: at(1_000),
    };
    ground.store.share(who, new).await
}

async fn opens(ground: &Ground, who: &Principal, share: &Share) -> bool {
    let now = at(2_000);
    match ground.store.shared(who, share.id, now).await {
        Ok(_) => true,
        Err(StoreError::NotFound) => false,
        Err(other) => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_link_opens_for_its_audience_while_they_and_the_owner_are_in_the_company() {
    on_each(|ground| async move {
        let (ann, bob) = (ground.person("ann").await, ground.person("bob").await);
        let (cat, eve) = (ground.person("cat").await, ground.person("eve").await);
        let company = ground.company(&ann, &[&bob, &cat]).await;
        ground.company(&eve, &[]).await;
        let id = ground.conversation(&ann).await.id;
        ground.talk(&ann, id, "a question", "an answer").await;
        let for_bob = share(&ground, &ann, id, Audience::Profile(bob.profile()))
            .await
            .unwrap();
        let for_all = share(&ground, &ann, id, Audience::Company(company))
            .await
            .unwrap();
        for (who, one, all) in [
            (&bob, true, true),
            (&cat, false, true),
            (&eve, false, false),
        ] {
            assert_eq!(opens(&ground, who, &for_bob).await, one, "{}", who.name());
            assert_eq!(opens(&ground, who, &for_all).await, all, "{}", who.name());
            // A link opens the reading view and nothing else.
            assert!(ground.store.get(who, id).await.is_err());
        }
        let shown = ground
            .store
            .shared(&bob, for_bob.id, at(2_000))
            .await
            .unwrap();
        let texts: Vec<_> = shown
            .messages
            .iter()
            .map(|one| one.content.as_str())
            .collect();
        assert_eq!(texts, ["a question", "an answer"]);
        assert_eq!(shown.messages[0].author.as_deref(), Some("ann"));
        assert_eq!(shown.messages[1].author, None);
        assert_eq!(shown.shared_by, "ann");

        let late = at(2_000) + TimeDelta::days(60);
        assert!(ground.store.shared(&bob, for_bob.id, late).await.is_err());
        ground
            .store
            .remove_member(company, bob.profile())
            .await
            .unwrap();
        assert!(!opens(&ground, &bob, &for_bob).await, "a former member");
        assert!(!opens(&ground, &bob, &for_all).await, "a former member");
        ground
            .store
            .revoke_share(&ann, id, for_all.id)
            .await
            .unwrap();
        assert!(!opens(&ground, &cat, &for_all).await, "revoked");
        assert_eq!(ground.store.shares(&ann, id).await.unwrap(), [for_bob]);
    })
    .await;
}

#[tokio::test]
async fn only_the_owner_shares_and_only_with_colleagues_and_a_link_ends_with_their_access() {
    on_each(|ground| async move {
        let (ann, bob) = (ground.person("ann").await, ground.person("bob").await);
        let eve = ground.person("eve").await;
        let company = ground.company(&ann, &[&bob]).await;
        let other = ground.company(&eve, &[]).await;
        let shared = ground.conversation_in(&bob, Some(company)).await.id;
        let refused = share(&ground, &ann, shared, Audience::Company(company)).await;
        assert!(matches!(refused, Err(StoreError::Forbidden)), "{refused:?}");
        for audience in [
            Audience::Company(other),
            Audience::Profile(eve.profile()),
            Audience::Profile(bob.profile()),
        ] {
            assert!(
                share(&ground, &bob, shared, audience).await.is_err(),
                "{audience:?}"
            );
        }
        let link = share(&ground, &bob, shared, Audience::Company(company))
            .await
            .unwrap();
        assert!(opens(&ground, &ann, &link).await);
        assert!(
            ground
                .store
                .revoke_share(&ann, shared, link.id)
                .await
                .is_err()
        );
        ground
            .store
            .remove_member(company, bob.profile())
            .await
            .unwrap();
        assert!(!opens(&ground, &ann, &link).await);
    })
    .await;
}

#[tokio::test]
async fn marks_are_ones_own_and_move_a_conversation_between_lists() {
    on_each(|ground| async move {
        let (ann, bob) = (ground.person("ann").await, ground.person("bob").await);
        let company = ground.company(&ann, &[&bob]).await;
        let id = ground.conversation_in(&ann, Some(company)).await.id;
        let own = ground.conversation(&ann).await.id;
        let list = async |who: &Principal, view| {
            let query = ConversationQuery {
                limit: 10,
                view,
                ..ConversationQuery::default()
            };
            let page = ground.store.list(who, query).await.unwrap();
            page.items.into_iter().map(|one| one.id).collect::<Vec<_>>()
        };
        let marks = |pinned, archived| Marks { pinned, archived };
        ground
            .store
            .mark(&ann, id, marks(false, true))
            .await
            .unwrap();
        assert_eq!(list(&ann, ConversationView::Current).await, [own]);
        assert_eq!(list(&ann, ConversationView::Archived).await, [id]);
        assert_eq!(list(&bob, ConversationView::Current).await, [id]);
        ground
            .store
            .mark(&ann, id, marks(true, false))
            .await
            .unwrap();
        assert_eq!(list(&ann, ConversationView::Pinned).await, [id]);
        assert_eq!(list(&ann, ConversationView::Current).await, [own, id]);
        assert!(
            ground
                .store
                .mark(&bob, own, marks(true, false))
                .await
                .is_err()
        );
    })
    .await;
}

#[tokio::test]
async fn a_token_is_found_by_its_hash_until_it_expires_or_is_revoked() {
    on_each(|ground| async move {
        let (ann, eve) = (ground.person("ann").await, ground.person("eve").await);
        let new = NewApiToken {
            id: fresh(),
            name: "Report".to_owned(),
            hash: "hash".to_owned(),
            identity: "{\"name\":\"ann\"}".to_owned(),
            expires_at: at(5_000),
            key: None,
            now: at(1_000),
        };
        let made = ground.store.create_api_token(&ann, new).await.unwrap();
        let look = async |hash: &str, seconds| {
            let found = ground
                .store
                .identity_of_token(hash.to_owned(), at(seconds))
                .await;
            found.unwrap().map(|(identity, _)| identity)
        };
        assert_eq!(
            look("hash", 2_000).await.as_deref(),
            Some("{\"name\":\"ann\"}")
        );
        assert_eq!(look("other", 2_000).await, None);
        assert_eq!(look("hash", 6_000).await, None);
        assert_eq!(
            ground.store.api_tokens(&ann).await.unwrap(),
            std::slice::from_ref(&made)
        );
        assert_eq!(ground.store.api_tokens(&eve).await.unwrap(), []);
        assert!(ground.store.revoke_api_token(&eve, made.id).await.is_err());
        ground.store.revoke_api_token(&ann, made.id).await.unwrap();
        assert_eq!(look("hash", 2_000).await, None);
    })
    .await;
}
