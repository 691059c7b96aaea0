-- Whoever comes into a conversation, and the conversation, once for each of their companies. Who is asking is found out
-- once, from the claims, and what the policies check is checked here; no row where the caller has no access.
CREATE FUNCTION fd.enter(of_conversation uuid)
    RETURNS TABLE (id uuid, user_id uuid, company_id uuid, assistant text, subject text, title text, phase text,
        metadata jsonb, progress jsonb, message_count bigint, last_message_at timestamptz, created_at timestamptz,
        updated_at timestamptz, profile_id uuid, display_name text, email text, member_of uuid, standing text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 2 SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT c.id, c.user_id, c.company_id, c.assistant, c.subject, c.title, c.phase,
            c.metadata, c.progress, c.message_count, c.last_message_at, c.created_at, c.updated_at,
            p.id, p.display_name, p.email, m.company_id, m.role
        FROM profiles p CROSS JOIN conversations c
        LEFT JOIN company_members m ON m.profile_id = p.id
        WHERE p.user_id = fd.uid() AND c.id = of_conversation AND (c.user_id = p.id OR c.company_id IN (
            SELECT o.company_id FROM company_members o WHERE o.profile_id = p.id))
        ORDER BY m.company_id;
END
$$;

GRANT CREATE ON SCHEMA fd TO fd_keeper;
ALTER FUNCTION fd.enter(uuid) OWNER TO fd_keeper;
REVOKE CREATE ON SCHEMA fd FROM fd_keeper;
REVOKE ALL ON FUNCTION fd.enter(uuid) FROM PUBLIC;
DO $grants$
BEGIN
    EXECUTE format('GRANT EXECUTE ON FUNCTION fd.enter(uuid) TO %I', fd.app_role());
END
$grants$;
