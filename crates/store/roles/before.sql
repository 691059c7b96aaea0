-- Runs before migrations. Creates the roles that migration 1 describes, where they are missing, and lets the connecting
-- role use them. Since PostgreSQL 16 the creator of a role may grant it, but neither inherits nor sets it.
DO $before$
DECLARE
    app text := coalesce(nullif(current_setting('fd.app_role', true), ''), 'fd_app');
    name text;
    usable boolean;
BEGIN
    -- People hold tokens for these roles: what the server may write, they could write past it.
    IF app IN ('anon', 'authenticated', 'authenticator', 'service_role', 'fd_worker', 'fd_keeper') THEN
        RAISE EXCEPTION 'database.app_role must not be %: choose a name that nothing else uses, for example fd_app', app
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    FOREACH name IN ARRAY ARRAY[app, 'fd_worker', 'fd_keeper'] LOOP
        IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = name) THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOBYPASSRLS', name);
            EXCEPTION
                -- Another database of the same server was migrated at this moment.
                WHEN duplicate_object OR unique_violation THEN NULL;
                WHEN insufficient_privilege THEN
                    RAISE EXCEPTION 'the role % is missing and % may not create it; let an administrator run: CREATE ROLE %; GRANT % TO %;',
                        name, current_user, quote_ident(name), quote_ident(name), quote_ident(current_user)
                        USING ERRCODE = 'insufficient_privilege';
            END;
        END IF;
        usable := pg_has_role(current_user, name, 'USAGE');
        IF current_setting('server_version_num')::int >= 160000 THEN
            usable := usable AND pg_has_role(current_user, name, 'SET');
        END IF;
        IF NOT usable THEN
            BEGIN
                EXECUTE format('GRANT %I TO %I', name, current_user)
                    || CASE WHEN current_setting('server_version_num')::int >= 160000
                        THEN ' WITH INHERIT TRUE, SET TRUE' ELSE '' END;
            EXCEPTION
                WHEN insufficient_privilege THEN
                    RAISE EXCEPTION '% may not act as the role %; let an administrator run: GRANT % TO %;',
                        current_user, name, quote_ident(name), quote_ident(current_user)
                        USING ERRCODE = 'insufficient_privilege';
            END;
        END IF;
    END LOOP;
END
$before$;
