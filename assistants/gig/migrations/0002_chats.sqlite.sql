-- A gig's chats are deleted with it. A gig stays in its workspace: membership there decides who reads its chats.
CREATE TRIGGER gigs_delete_chats AFTER DELETE ON gigs BEGIN
    DELETE FROM conversations WHERE assistant = 'gig' AND subject = OLD.id;
END;
CREATE TRIGGER gigs_stay BEFORE UPDATE OF workspace_id ON gigs WHEN NEW.workspace_id <> OLD.workspace_id
BEGIN SELECT RAISE(ABORT, 'a gig stays in its workspace'); END;
