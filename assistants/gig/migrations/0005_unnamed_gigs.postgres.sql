-- A conversation that was begun without naming a gig has the subject "GIG/NUMBER". It is deleted with its gig.
CREATE OR REPLACE FUNCTION fd.delete_gig_chats() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    DELETE FROM conversations c WHERE c.assistant = 'gig' AND split_part(c.subject, '/', 1) = OLD.id::text;
    RETURN NULL;
END
$$;
