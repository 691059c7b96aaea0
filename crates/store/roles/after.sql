-- Runs after migrations, also those of assistants.
DO $after$
DECLARE
    app text := coalesce(nullif(current_setting('fd.app_role', true), ''), 'fd_app');
    old text := fd.app_role();
    g record;
    t record;
    r text;
BEGIN
    -- The application role was renamed: the new one gets the rights of the old one.
    IF app <> old THEN
        FOR g IN
            SELECT format('%s ON TABLE %s', a.privilege_type, c.oid::regclass) AS rights
                FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a
                WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.grantee = to_regrole(quote_ident(old))
            UNION ALL
            SELECT format('%s (%I) ON TABLE %s', a.privilege_type, n.attname, n.attrelid::regclass)
                FROM pg_attribute n JOIN pg_class c ON c.oid = n.attrelid CROSS JOIN LATERAL aclexplode(n.attacl) a
                WHERE c.relnamespace = 'public'::regnamespace AND a.grantee = to_regrole(quote_ident(old))
            UNION ALL
            SELECT format('%s ON FUNCTION %s', a.privilege_type, p.oid::regprocedure)
                FROM pg_proc p CROSS JOIN LATERAL aclexplode(p.proacl) a
                WHERE p.pronamespace IN ('fd'::regnamespace, 'public'::regnamespace)
                    AND a.grantee = to_regrole(quote_ident(old))
            UNION ALL
            SELECT format('%s ON SCHEMA %I', a.privilege_type, s.nspname)
                FROM pg_namespace s CROSS JOIN LATERAL aclexplode(s.nspacl) a
                WHERE s.nspname IN ('fd', 'auth', 'public') AND a.grantee = to_regrole(quote_ident(old))
        LOOP
            EXECUTE format('GRANT %s TO %I', g.rights, app);
            EXECUTE format('REVOKE %s FROM %I', g.rights, old);
        END LOOP;
        EXECUTE format('CREATE OR REPLACE FUNCTION fd.app_role() RETURNS text LANGUAGE sql IMMUTABLE AS %L',
            format('SELECT %L::text', app));
    END IF;
    -- fd_keeper reads without claims inside its functions. Whoever merely inherits from it, as the connecting role does,
    -- does not. A plan with row-level security belongs to one role, so the planner may evaluate the function: for
    -- fd_keeper the rules of people disappear from the plan. Otherwise the functions that they call would recurse.
    CREATE OR REPLACE FUNCTION fd.acts_as_keeper() RETURNS boolean LANGUAGE sql IMMUTABLE
        SET search_path = pg_catalog AS $$ SELECT current_user = 'fd_keeper' $$;
    REVOKE ALL ON FUNCTION fd.acts_as_keeper() FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION fd.acts_as_keeper() TO fd_keeper;
    FOR g IN SELECT p.policyname AS name, p.schemaname, p.tablename, p.qual, p.with_check FROM pg_policies p
        WHERE p.schemaname = 'public' AND p.roles = ARRAY['fd_keeper']::name[]
            AND coalesce(p.qual, p.with_check) NOT LIKE '%acts_as_keeper%' LOOP
        EXECUTE format('ALTER POLICY %I ON %I.%I', g.name, g.schemaname, g.tablename)
            || coalesce(' USING (fd.acts_as_keeper() AND ' || g.qual || ')', '')
            || coalesce(' WITH CHECK (fd.acts_as_keeper() AND ' || g.with_check || ')', '');
    END LOOP;
    -- Supabase grants everything in `public` to the roles of its data API. Our tables are recognised by the rights of
    -- the application role; nobody but the connecting role has rights on the list of migrations.
    FOREACH r IN ARRAY ARRAY['anon', 'authenticated'] LOOP
        CONTINUE WHEN to_regrole(r) IS NULL OR r = app;
        FOR t IN SELECT c.oid::regclass AS name FROM pg_class c
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
                AND (c.relname = 'schema_migrations' OR (c.relrowsecurity
                    AND (has_any_column_privilege(app, c.oid, 'SELECT, INSERT, UPDATE')
                        OR has_any_column_privilege('fd_keeper', c.oid, 'SELECT, INSERT, UPDATE'))))
                AND has_any_column_privilege(r, c.oid, 'SELECT, INSERT, UPDATE') LOOP
            EXECUTE format('REVOKE ALL ON TABLE %s FROM %I', t.name, r);
        END LOOP;
    END LOOP;
    -- Through the data API people read what the HTTP API shows them; they write through the server alone.
    IF to_regrole('authenticated') IS NOT NULL AND app <> 'authenticated' THEN
        GRANT USAGE ON SCHEMA fd, public TO authenticated;
        GRANT EXECUTE ON FUNCTION fd.profile(), fd.companies(), fd.scopes() TO authenticated;
        GRANT SELECT (id, user_id, company_id, assistant, subject, title, phase, metadata, message_count, last_message_at,
            created_at, updated_at) ON conversations TO authenticated;
        GRANT SELECT (id, conversation_id, role, content, metadata, created_at) ON messages TO authenticated;
        IF NOT EXISTS (SELECT 1 FROM pg_policies p WHERE p.schemaname = 'public' AND p.policyname = 'messages_data_api') THEN
            CREATE POLICY messages_data_api ON messages AS RESTRICTIVE FOR SELECT TO authenticated USING (part = 'said');
        END IF;
    END IF;
END
$after$;
