-- A conversation that was begun without naming a gig has the subject "GIG/NUMBER". It is deleted with its gig.
CREATE TRIGGER gigs_delete_unnamed_chats AFTER DELETE ON gigs BEGIN
    DELETE FROM conversations WHERE assistant = 'gig' AND subject LIKE OLD.id || '/%';
END;
