-- For those who watch over the server: whether what was used was counted by the provider, and recent turns.
ALTER TABLE usage_days ADD COLUMN estimated_turns bigint NOT NULL DEFAULT 0;
CREATE INDEX idx_turns_started_at ON turns(started_at);

-- Everyone's turns for the operator, without a word of what was said in them: the tables themselves stay closed.
CREATE FUNCTION fd.watched_turns(until timestamptz, last uuid, most bigint, of_assistant text, in_state text,
    one uuid)
    RETURNS TABLE (id uuid, conversation_id uuid, profile_id uuid, company_id uuid, assistant text, state text,
        outcome text, started_at timestamptz, ended_at timestamptz, input_tokens bigint, output_tokens bigint,
        cached_tokens bigint, estimated boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT t.id, t.conversation_id, t.profile_id, c.company_id, c.assistant, t.state, t.outcome::text, t.started_at,
        t.ended_at, t.input_tokens, t.output_tokens, t.cached_tokens, t.usage_estimated
    FROM turns t JOIN conversations c ON c.id = t.conversation_id
    WHERE 'Operator' = ANY ((SELECT fd.roles())::text[])
        AND (until IS NULL OR (t.started_at, t.id) < (until, last))
        AND (of_assistant IS NULL OR c.assistant = of_assistant)
        AND (in_state IS NULL OR t.state = in_state)
        AND (one IS NULL OR t.id = one)
    ORDER BY t.started_at DESC, t.id DESC LIMIT most
$$;

-- The steps of a turn for the operator: names, durations and counts.
CREATE FUNCTION fd.watched_steps(of_turn uuid)
    RETURNS TABLE (kind text, name text, ok text, problem text, duration_ms bigint, input_tokens bigint,
        output_tokens bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT j.event ->> 'event',
        coalesce(j.event -> 'data' ->> 'name', j.event -> 'data' ->> 'model', j.event -> 'data' -> 'card' ->> 'tool',
            j.event -> 'data' ->> 'call_id'),
        j.event -> 'data' ->> 'ok',
        coalesce(j.event -> 'data' ->> 'refused', j.event -> 'data' ->> 'error', j.event -> 'data' ->> 'decision'),
        (j.event -> 'data' ->> 'duration_ms')::bigint,
        (j.event -> 'data' -> 'usage' ->> 'input_tokens')::bigint,
        (j.event -> 'data' -> 'usage' ->> 'output_tokens')::bigint
    FROM journal j
    WHERE j.turn_id = of_turn AND 'Operator' = ANY ((SELECT fd.roles())::text[])
        AND j.event ->> 'event' IN ('model.replied', 'tool.finished', 'approval.requested', 'approval.decided')
    ORDER BY j.position
$$;

GRANT CREATE ON SCHEMA fd TO fd_keeper;
ALTER FUNCTION fd.watched_turns(timestamptz, uuid, bigint, text, text, uuid) OWNER TO fd_keeper;
ALTER FUNCTION fd.watched_steps(uuid) OWNER TO fd_keeper;
REVOKE CREATE ON SCHEMA fd FROM fd_keeper;
REVOKE ALL ON FUNCTION fd.watched_turns(timestamptz, uuid, bigint, text, text, uuid), fd.watched_steps(uuid) FROM PUBLIC;
DO $grants$
BEGIN
    EXECUTE format('GRANT EXECUTE ON FUNCTION fd.watched_turns(timestamptz, uuid, bigint, text, text, uuid),
        fd.watched_steps(uuid) TO %I, fd_keeper', fd.app_role());
END
$grants$;
