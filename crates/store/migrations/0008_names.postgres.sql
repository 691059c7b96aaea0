-- What people and companies are called, for the operator who sees their ids; nothing else of them.
CREATE FUNCTION fd.watched_names(ids text)
    RETURNS TABLE (id uuid, name text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT p.id, p.display_name FROM profiles p
    WHERE 'Operator' = ANY ((SELECT fd.roles())::text[]) AND p.id = ANY (string_to_array(ids, ',')::uuid[])
    UNION ALL
    SELECT c.id, c.name FROM companies c
    WHERE 'Operator' = ANY ((SELECT fd.roles())::text[]) AND c.id = ANY (string_to_array(ids, ',')::uuid[])
$$;

GRANT CREATE ON SCHEMA fd TO fd_keeper;
ALTER FUNCTION fd.watched_names(text) OWNER TO fd_keeper;
REVOKE CREATE ON SCHEMA fd FROM fd_keeper;
REVOKE ALL ON FUNCTION fd.watched_names(text) FROM PUBLIC;
DO $grants$
BEGIN
    EXECUTE format('GRANT EXECUTE ON FUNCTION fd.watched_names(text) TO %I, fd_keeper', fd.app_role());
END
$grants$;
