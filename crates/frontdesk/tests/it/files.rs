//! Files that tests attach to messages.

use frontdesk::app::App;
use frontdesk_core::access::Principal;
use frontdesk_core::id::{AttachmentId, ConversationId};
use frontdesk_core::store::{Attachments, NewAttachment};

/// Attaches these files; their names end in their kind.
pub async fn attach(
    app: &App,
    who: &Principal,
    conversation: ConversationId,
    paths: &[String],
) -> Vec<AttachmentId> {
    let mut ids = Vec::new();
    for path in paths {
        let media_type = match path.rsplit_once('.') {
            Some((_, "jpg" | "jpeg")) => "image/jpeg",
            Some((_, "png")) => "image/png",
            _ => "text/plain",
        };
        let attachment = app
            .runtime
            .store()
            .attach(
                who,
                NewAttachment {
                    key: None,
                    id: AttachmentId::from_uuid(app.env.id()),
                    conversation,
                    name: path.rsplit('/').next().unwrap_or("file").to_owned(),
                    media_type: media_type.to_owned(),
                    bytes: std::fs::read(path).unwrap().into(),
                    sent: std::fs::metadata(path).unwrap().len(),
                    now: app.env.now(),
                },
            )
            .await
            .unwrap();
        ids.push(attachment.id);
    }
    ids
}
