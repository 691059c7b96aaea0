-- Full-text search over messages, documents and titles.

-- Text as it is compared: in lower case, without accents, and with spaces for punctuation, so that "GP-2026-0014" is
-- three words. Lower case does not depend on the locale of the database where the server knows ICU.
DO $plain$
BEGIN
    EXECUTE format($function$
        CREATE FUNCTION fd.plain(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
            SELECT translate(regexp_replace(normalize(lower(given %s), NFD), U&'[\0300-\036F]', '', 'g'),
                '!"#$%%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32))
        $$
    $function$, CASE WHEN EXISTS (SELECT 1 FROM pg_collation WHERE collname = 'und-x-icu'
        AND collnamespace = 'pg_catalog'::regnamespace) THEN 'COLLATE pg_catalog."und-x-icu"' ELSE '' END);
END
$plain$;

-- The words of a text and a mark of its scope: an entry of another scope is skipped in the index.
CREATE FUNCTION fd.words(scope uuid, given text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT to_tsvector('pg_catalog.simple'::regconfig, fd.plain(left(given, 100000)))
        || array_to_tsvector(ARRAY['scope:' || scope::text])
$$;

-- The strings of a document without the names of its fields. A cast to jsonb would fail on an escaped NUL.
CREATE FUNCTION fd.document_text(title text, content json) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT title || ' ' || regexp_replace(regexp_replace(content::text, '"(?:[^"\\]|\\.)*"\s*:', ' ', 'g'),
        '\\u[0-9a-f]{4}|\\.|["{}]|\[|\]', ' ', 'g')
$$;

-- Texts that have a word for each of these beginnings, in conversations that the caller may see. Row-level security
-- would keep the planner from the indexes, because the operator is not leakproof; the same rule is checked here.
CREATE FUNCTION fd.find_texts(asked text[], most bigint)
    RETURNS TABLE (kind text, object_id uuid, conversation_id uuid, assistant text, title text, name text, body text,
        at timestamptz)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 50 SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    me uuid;
    scope uuid;
    words text;
    wanted tsquery;
BEGIN
    SELECT p.id INTO me FROM profiles p WHERE p.user_id = fd.uid();
    SELECT string_agg(quote_literal(w) || ':*', ' & ') INTO words
        FROM unnest(asked) a CROSS JOIN LATERAL regexp_split_to_table(fd.plain(a), '\s+') w WHERE w <> '';
    IF me IS NULL OR words IS NULL THEN
        RETURN;
    END IF;
    FOR scope IN SELECT me UNION ALL SELECT m.company_id FROM company_members m WHERE m.profile_id = me LOOP
        wanted := (quote_literal('scope:' || scope) || ' & ' || words)::tsquery;
        RETURN QUERY (SELECT 'title', c.id, c.id, c.assistant, c.title, c.title, '', c.updated_at FROM conversations c
            WHERE fd.words(c.scope_id, c.title) @@ wanted AND (c.subject IS NULL OR (c.user_id = me AND c.company_id IS NOT NULL))
            ORDER BY c.updated_at DESC LIMIT most);
        RETURN QUERY (SELECT 'message', m.id, c.id, c.assistant, c.title, NULL::text, left(m.content, 20000), m.created_at
            FROM messages m JOIN conversations c ON c.id = m.conversation_id
            WHERE m.part = 'said' AND fd.words(m.scope_id, m.content) @@ wanted AND (c.subject IS NULL OR (c.user_id = me AND c.company_id IS NOT NULL))
            ORDER BY m.created_at DESC LIMIT most);
        RETURN QUERY (SELECT 'document', a.id, c.id, c.assistant, c.title, a.title,
                left(fd.document_text('', a.content), 20000), a.created_at
            FROM artifacts a JOIN conversations c ON c.id = a.conversation_id
            WHERE fd.words(a.scope_id, fd.document_text(a.title, a.content)) @@ wanted
                AND (c.subject IS NULL OR (c.user_id = me AND c.company_id IS NOT NULL))
                AND NOT EXISTS (SELECT 1 FROM artifacts n WHERE n.conversation_id = a.conversation_id
                    AND n.kind = a.kind AND n.key = a.key AND n.version > a.version)
            ORDER BY a.created_at DESC LIMIT most);
    END LOOP;
END
$$;

CREATE POLICY keeper_reads ON artifacts FOR SELECT TO fd_keeper USING (true);
GRANT SELECT ON artifacts TO fd_keeper;
GRANT CREATE ON SCHEMA fd TO fd_keeper;
ALTER FUNCTION fd.find_texts(text[], bigint) OWNER TO fd_keeper;
REVOKE CREATE ON SCHEMA fd FROM fd_keeper;
REVOKE ALL ON FUNCTION fd.plain(text), fd.words(uuid, text), fd.document_text(text, json),
    fd.find_texts(text[], bigint) FROM PUBLIC;
-- Whoever writes a row evaluates the expressions of its indexes.
DO $grants$
BEGIN
    EXECUTE format('GRANT EXECUTE ON FUNCTION fd.plain(text), fd.words(uuid, text), fd.document_text(text, json),
        fd.find_texts(text[], bigint) TO %I, fd_keeper', fd.app_role());
END
$grants$;
