-- A gig's chats are deleted with it, whoever they belong to. A gig stays in its workspace: membership there decides
-- who reads its chats.
CREATE FUNCTION fd.delete_gig_chats() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    DELETE FROM conversations c WHERE c.assistant = 'gig' AND c.subject = OLD.id::text;
    RETURN NULL;
END
$$;
CREATE FUNCTION fd.gig_stays() RETURNS trigger
    LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'a gig stays in its workspace' USING ERRCODE = 'check_violation';
END
$$;
CREATE TRIGGER gigs_delete_chats AFTER DELETE ON gigs FOR EACH ROW EXECUTE FUNCTION fd.delete_gig_chats();
CREATE TRIGGER gigs_stay BEFORE UPDATE OF workspace_id ON gigs
    FOR EACH ROW WHEN (NEW.workspace_id <> OLD.workspace_id) EXECUTE FUNCTION fd.gig_stays();

CREATE POLICY keeper_removes ON conversations FOR DELETE TO fd_keeper USING (assistant = 'gig' AND subject IS NOT NULL);
GRANT DELETE ON conversations TO fd_keeper;
GRANT CREATE ON SCHEMA fd TO fd_keeper;
ALTER FUNCTION fd.delete_gig_chats() OWNER TO fd_keeper;
REVOKE CREATE ON SCHEMA fd FROM fd_keeper;
REVOKE ALL ON FUNCTION fd.delete_gig_chats(), fd.gig_stays() FROM PUBLIC;
DO $grants$
BEGIN
    EXECUTE format('GRANT EXECUTE ON FUNCTION fd.delete_gig_chats(), fd.gig_stays() TO %I', fd.app_role());
END
$grants$;
