-- What a turn is taken to use of a budget until it has ended, and the most that it may use.
ALTER TABLE turns ADD COLUMN reserved bigint NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN allowance bigint;

-- Who was invited is the business of those who run the company, and of whoever was.
ALTER POLICY invitations_select ON invitations USING (
    company_id IN (SELECT fd.administered()) OR email = (SELECT fd.email()));

-- The caller's own turns that are worked on, also in conversations that they have left meanwhile. One
-- that waits for a person is worked on by nobody.
CREATE OR REPLACE FUNCTION fd.in_flight() RETURNS bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    RETURN (SELECT count(*) FROM turns t WHERE t.profile_id = fd.profile() AND t.state = 'running');
END
$$;

-- Tokens that the caller's own open turns are taken to use.
CREATE FUNCTION fd.reserved() RETURNS bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    RETURN (SELECT coalesce(sum(t.reserved), 0)::bigint FROM turns t WHERE t.profile_id = fd.profile()
        AND t.state IN ('running', 'awaiting_approval'));
END
$$;

-- The same of one of the caller's companies, whoever opened them.
CREATE FUNCTION fd.reserved(company uuid) RETURNS bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    RETURN (SELECT coalesce(sum(t.reserved), 0)::bigint FROM turns t WHERE t.scope_id = company
        AND t.state IN ('running', 'awaiting_approval') AND company IN (SELECT fd.companies()));
END
$$;
DROP FUNCTION fd.at_work(uuid);
DROP INDEX idx_turns_scope_id;
CREATE INDEX idx_turns_scope_id ON turns(scope_id) WHERE state IN ('running', 'awaiting_approval');

GRANT CREATE ON SCHEMA fd TO fd_keeper;
ALTER FUNCTION fd.reserved() OWNER TO fd_keeper;
ALTER FUNCTION fd.reserved(uuid) OWNER TO fd_keeper;
REVOKE CREATE ON SCHEMA fd FROM fd_keeper;
REVOKE ALL ON FUNCTION fd.reserved(), fd.reserved(uuid) FROM PUBLIC;
DO $grants$
BEGIN
    EXECUTE format('GRANT EXECUTE ON FUNCTION fd.reserved(), fd.reserved(uuid) TO %I, fd_keeper',
        fd.app_role());
END
$grants$;
