-- Who acts in the database.
--   fd_app (its name is the setting `fd.app_role`): people's transactions; bound by row-level security.
--   fd_worker: the platform's own; may call a few functions and read no table.
--   fd_keeper: owns those functions; has a policy for exactly what they need.
-- None of them logs in; the connecting role takes the first two by SET LOCAL ROLE.
DO $roles$
DECLARE
    app text := coalesce(nullif(current_setting('fd.app_role', true), ''), 'fd_app');
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY[app, 'fd_worker', 'fd_keeper'] LOOP
        IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = name) THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOBYPASSRLS', name);
            EXCEPTION
                -- Another database of the same server was migrated at this moment.
                WHEN duplicate_object OR unique_violation THEN NULL;
                WHEN insufficient_privilege THEN
                    RAISE EXCEPTION 'the role % is missing and % may not create it', name, current_user
                        USING HINT = format('Let an administrator run: CREATE ROLE %I; GRANT %I TO %I;',
                                            name, name, current_user);
            END;
        END IF;
        IF NOT pg_has_role(current_user, name, 'MEMBER') THEN
            EXECUTE format('GRANT %I TO %I', name, current_user);
        END IF;
    END LOOP;
END
$roles$;

-- Supabase has this function; elsewhere it is ours. The claims are set for each transaction.
DO $auth$
BEGIN
    IF to_regprocedure('auth.uid()') IS NULL THEN
        CREATE SCHEMA IF NOT EXISTS auth;
        CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE AS $uid$
            SELECT nullif(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub', '')::uuid
        $uid$;
        GRANT USAGE ON SCHEMA auth TO PUBLIC;
        GRANT EXECUTE ON FUNCTION auth.uid() TO PUBLIC;
    END IF;
END
$auth$;

CREATE SCHEMA fd;

-- The role that people's transactions take, for those who add tables of their own.
DO $name$
BEGIN
    EXECUTE format('CREATE FUNCTION fd.app_role() RETURNS text LANGUAGE sql IMMUTABLE AS %L',
        format('SELECT %L::text', coalesce(nullif(current_setting('fd.app_role', true), ''), 'fd_app')));
END
$name$;

-- Lets the application role use a table; row-level security is the table's own business.
CREATE FUNCTION fd.grant_to_app(rights text, what regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('GRANT %s ON %s TO %I', rights, what, fd.app_role());
END
$$;
