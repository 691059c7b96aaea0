-- People who want a mail when something waits for them. `mailed` lists the items of the last mail.
CREATE TABLE inbox_mails (
    profile_id   uuid PRIMARY KEY REFERENCES profiles(id) ON DELETE CASCADE,
    scope_id     uuid NOT NULL GENERATED ALWAYS AS (profile_id) STORED,
    language     text NOT NULL,
    identity     json NOT NULL,
    signed_in_at timestamptz NOT NULL,
    mailed       json NOT NULL DEFAULT '[]',
    mailed_at    timestamptz
);
ALTER TABLE inbox_mails ENABLE ROW LEVEL SECURITY;
ALTER TABLE inbox_mails FORCE ROW LEVEL SECURITY;
CREATE POLICY inbox_mails_select ON inbox_mails FOR SELECT USING (profile_id = (SELECT fd.profile()));
CREATE POLICY inbox_mails_insert ON inbox_mails FOR INSERT WITH CHECK (profile_id = (SELECT fd.profile()));
CREATE POLICY inbox_mails_update ON inbox_mails FOR UPDATE
    USING (profile_id = (SELECT fd.profile())) WITH CHECK (profile_id = (SELECT fd.profile()));
CREATE POLICY inbox_mails_delete ON inbox_mails FOR DELETE USING (profile_id = (SELECT fd.profile()));
CREATE POLICY keeper_reads ON inbox_mails FOR SELECT TO fd_keeper USING (true);
GRANT SELECT ON inbox_mails TO fd_keeper;

CREATE FUNCTION fd.inbox_mails(since timestamptz)
    RETURNS TABLE (language text, identity text, mailed text, mailed_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT m.language, m.identity::text, m.mailed::text, m.mailed_at FROM inbox_mails m WHERE m.signed_in_at > since
$$;

GRANT CREATE ON SCHEMA fd TO fd_keeper;
ALTER FUNCTION fd.inbox_mails(timestamptz) OWNER TO fd_keeper;
REVOKE CREATE ON SCHEMA fd FROM fd_keeper;
REVOKE ALL ON FUNCTION fd.inbox_mails(timestamptz) FROM PUBLIC;
DO $grants$
BEGIN
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON inbox_mails TO %I', fd.app_role());
END
$grants$;
-- Nobody is signed in when the server looks for people to write to.
GRANT EXECUTE ON FUNCTION fd.inbox_mails(timestamptz) TO fd_worker, fd_keeper;
