//! Access follows the present, below the application: a conversation's person is nobody to it
//! after they left, and colleagues are nobody to one that is about a subject.

use super::scene::{Who, attempt, scene};

const READS: [&str; 8] = [
    "conversations",
    "messages",
    "texts",
    "turns",
    "journal",
    "approvals",
    "artifacts",
    "attachments",
];

const CHANGES: [&str; 4] = [
    "UPDATE conversations SET phase = 'roi'",
    "UPDATE turns SET cancel_requested = true",
    "UPDATE attachments SET number = 5",
    "DELETE FROM conversations",
];

#[tokio::test]
async fn only_those_who_may_see_it_now_see_and_change_it() {
    let scene = scene().await;
    let client = scene.database().connect().await;
    let former = format!(
        "UPDATE conversations SET user_id = '{}'",
        scene.profile(Who::Former)
    );
    let about = "UPDATE conversations SET subject = 'gig-1'".to_owned();
    let clear = format!("SELECT fd.clear('{}')", scene.conversation);
    let enter = format!(
        "SELECT 1 FROM fd.load_caller_and_conversation('{}')",
        scene.conversation
    );
    let give = format!(
        "SELECT fd.reassign('{}', '{}', now())",
        scene.conversation,
        scene.profile(Who::Member)
    );
    // A change, the people without access after it, and those who keep it.
    for (change, refused, reader) in [
        (former, Who::Former, Who::Member),
        (about, Who::Member, Who::Owner),
    ] {
        client.batch_execute("BEGIN").await.unwrap();
        client.batch_execute(&change).await.unwrap();
        let (nobody, reads) = (scene.claims(refused), scene.claims(reader));
        for table in READS {
            let sql = format!("SELECT 1 FROM {table}");
            let seen = attempt(&client, "fd_app", nobody.as_deref(), &sql).await;
            assert_eq!(seen, Ok(false), "{change}: {table}");
            let seen = attempt(&client, "fd_app", reads.as_deref(), &sql).await;
            assert_eq!(seen, Ok(true), "{change}: {table}");
        }
        for sql in CHANGES.into_iter().chain([&*clear, &*enter, &*give]) {
            let done = attempt(&client, "fd_app", nobody.as_deref(), sql).await;
            assert_eq!(done, Ok(false), "{change}: {sql}");
        }
        client.batch_execute("ROLLBACK").await.unwrap();
    }
}

#[tokio::test]
async fn the_companys_owner_gives_to_members_and_deletes() {
    let scene = scene().await;
    let client = scene.database().connect().await;
    client.batch_execute("BEGIN").await.unwrap();
    let former = scene.profile(Who::Former);
    let began = format!("UPDATE conversations SET user_id = '{former}'");
    client.batch_execute(&began).await.unwrap();
    let give = |to| {
        format!(
            "SELECT fd.reassign('{}', '{}', now())",
            scene.conversation,
            scene.profile(to)
        )
    };
    let owner = scene.claims(Who::Owner);
    let member = scene.claims(Who::Member);
    for (who, sql, may) in [
        (&owner, give(Who::Member), true),
        (&owner, give(Who::Stranger), false),
        (&owner, give(Who::Former), false),
        (&member, give(Who::Member), false),
        (&owner, "DELETE FROM conversations".to_owned(), true),
        (&member, "DELETE FROM conversations".to_owned(), false),
    ] {
        let done = attempt(&client, "fd_app", who.as_deref(), &sql).await;
        assert_eq!(done, Ok(may), "{sql}");
    }
}
