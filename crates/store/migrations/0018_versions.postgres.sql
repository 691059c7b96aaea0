-- Versions of a message: editing one, or asking for another answer, sets it and what followed aside. Lines that are
-- set aside have no `wire`, so that no transcript has them; `aside` names the version that they belong to.
ALTER TABLE messages ADD COLUMN version_of uuid;
ALTER TABLE messages ADD COLUMN aside uuid;
ALTER TABLE messages ADD COLUMN aside_wire text;

-- The indexes of large tables are built in the background, after the migrations. Until one is there, searching would
-- read the whole table.
CREATE FUNCTION fd.has_index(of_name text) RETURNS boolean LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(of_name) AND indisvalid)
$$;
REVOKE ALL ON FUNCTION fd.has_index(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fd.has_index(text) TO fd_keeper;

-- As before, for messages that are shown and for tables whose index is there.
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
    has_titles boolean := fd.has_index('idx_conversations_words');
    has_messages boolean := fd.has_index('idx_messages_words');
    has_documents boolean := fd.has_index('idx_artifacts_words');
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
            WHERE has_titles AND fd.words(c.scope_id, c.title) @@ wanted AND (c.subject IS NULL OR (c.user_id = me AND c.company_id IS NOT NULL))
            ORDER BY c.updated_at DESC LIMIT most);
        RETURN QUERY (SELECT 'message', m.id, c.id, c.assistant, c.title, NULL::text, left(m.content, 20000), m.created_at
            FROM messages m JOIN conversations c ON c.id = m.conversation_id
            WHERE has_messages AND m.part = 'said' AND m.aside IS NULL AND fd.words(m.scope_id, m.content) @@ wanted AND (c.subject IS NULL OR (c.user_id = me AND c.company_id IS NOT NULL))
            ORDER BY m.created_at DESC LIMIT most);
        RETURN QUERY (SELECT 'document', a.id, c.id, c.assistant, c.title, a.title,
                left(fd.document_text('', a.content), 20000), a.created_at
            FROM artifacts a JOIN conversations c ON c.id = a.conversation_id
            WHERE has_documents AND fd.words(a.scope_id, fd.document_text(a.title, a.content)) @@ wanted
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
