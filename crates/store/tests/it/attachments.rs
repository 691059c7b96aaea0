//! Files: byte for byte, for those who may see their conversation.

use frontdesk_core::store::{Attachments, NewAttachment};

use crate::support::{at, fresh, on_each, refused};

#[tokio::test]
async fn a_file_comes_back_byte_for_byte_and_only_to_those_who_may() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let carl = ground.person("carl").await;
        let company = ground.company(&ann, &[&bob]).await;
        let id = ground.conversation_in(&ann, Some(company)).await.id;
        let bytes: Vec<u8> = (0..100_000_u32).map(|n| (n % 251) as u8).collect();
        let new = NewAttachment {
            key: None,
            id: fresh(),
            conversation: id,
            name: "a „photo“.png".to_owned(),
            media_type: "image/png".to_owned(),
            bytes: bytes.clone().into(),
            sent: 100_000,
            now: at(5),
        };
        let kept = ground.store.attach(&ann, new.clone()).await.unwrap();
        assert_eq!(
            (kept.id, kept.conversation_id, kept.bytes, kept.created_at),
            (new.id, id, 100_000, at(5))
        );
        for who in [&ann, &bob] {
            let (found, content) = ground.store.attachment(who, new.id).await.unwrap();
            assert_eq!(found, kept);
            assert_eq!(content, bytes);
        }
        let empty = NewAttachment {
            key: None,
            id: fresh(),
            bytes: bytes::Bytes::new(),
            ..new.clone()
        };
        ground.store.attach(&bob, empty.clone()).await.unwrap();
        let (_, content) = ground.store.attachment(&ann, empty.id).await.unwrap();
        assert!(content.is_empty());
        let foreign = NewAttachment {
            key: None,
            id: fresh(),
            ..new.clone()
        };
        let nowhere = NewAttachment {
            key: None,
            conversation: fresh(),
            ..foreign.clone()
        };
        let errors = [
            (
                ground.store.attach(&carl, foreign).await.map(drop),
                "no access",
            ),
            (
                ground.store.attach(&carl, nowhere).await.map(drop),
                "not found",
            ),
            (
                ground.store.attachment(&carl, new.id).await.map(drop),
                "no access",
            ),
            (
                ground.store.attachment(&carl, fresh()).await.map(drop),
                "not found",
            ),
        ];
        for (result, expected) in errors {
            assert_eq!(refused(result).to_string(), expected);
        }
    })
    .await;
}
