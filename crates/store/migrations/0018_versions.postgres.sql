-- Versions of a message: editing one, or asking for another answer, sets it and what followed aside. Lines that are
-- set aside have no `wire`, so that no transcript has them; `aside` names the version that they belong to.
ALTER TABLE messages ADD COLUMN version_of uuid;
ALTER TABLE messages ADD COLUMN aside uuid;
ALTER TABLE messages ADD COLUMN aside_wire text;
DROP INDEX idx_messages_said;
CREATE INDEX idx_messages_said ON messages(conversation_id, seq) WHERE part = 'said' AND aside IS NULL;
CREATE INDEX idx_messages_version_of ON messages(conversation_id, version_of) WHERE version_of IS NOT NULL;
CREATE INDEX idx_messages_aside ON messages(conversation_id, aside) WHERE aside IS NOT NULL;
-- As before, for messages that are shown.
CREATE OR REPLACE FUNCTION fd.find_texts(asked text[], most bigint)
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
            WHERE m.part = 'said' AND m.aside IS NULL AND fd.words(m.scope_id, m.content) @@ wanted AND (c.subject IS NULL OR (c.user_id = me AND c.company_id IS NOT NULL))
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

DO $grants$
BEGIN
    EXECUTE format('GRANT UPDATE (version_of, aside, aside_wire, wire) ON messages TO %I', fd.app_role());
END
$grants$;
