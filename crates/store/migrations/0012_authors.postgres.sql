-- A message is by the person who opened the first turn with it.
CREATE INDEX idx_turns_user_message_id ON turns(user_message_id, started_at);
-- What was decided lately.
CREATE INDEX idx_approvals_decided ON approvals(decided_at) WHERE decision IS NOT NULL;

-- The present name of the person who opened a turn in one of the caller's scopes. Policies show the profiles of
-- colleagues alone, and what somebody said stays theirs when they have left.
CREATE FUNCTION fd.opener_name(of_turn uuid) RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    RETURN (SELECT p.display_name FROM turns t JOIN profiles p ON p.id = t.profile_id
        WHERE t.id = of_turn AND t.scope_id IN (SELECT fd.scopes()));
END
$$;

-- The present name of whoever decided a card that the caller asked for, decided, sees or might have decided.
CREATE FUNCTION fd.decider_name(of_turn uuid, of_call text) RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    RETURN (SELECT p.display_name FROM approvals a JOIN profiles p ON p.id = a.decided_by
        WHERE a.turn_id = of_turn AND a.call_id = of_call AND (a.requested_by = fd.profile()
            OR a.scope_id IN (SELECT fd.scopes()) OR (a.for_roles AND fd.addressed(a.company_id, a.card))));
END
$$;

GRANT CREATE ON SCHEMA fd TO fd_keeper;
ALTER FUNCTION fd.opener_name(uuid) OWNER TO fd_keeper;
ALTER FUNCTION fd.decider_name(uuid, text) OWNER TO fd_keeper;
REVOKE CREATE ON SCHEMA fd FROM fd_keeper;
REVOKE ALL ON FUNCTION fd.opener_name(uuid), fd.decider_name(uuid, text) FROM PUBLIC;
DO $grants$
BEGIN
    EXECUTE format('GRANT EXECUTE ON FUNCTION fd.opener_name(uuid), fd.decider_name(uuid, text) TO %I', fd.app_role());
END
$grants$;
