-- A requester may name another object while confirming; the audit names the one that was approved.
DO $grants$
BEGIN
    EXECUTE format('GRANT UPDATE (target) ON approvals TO %I', fd.app_role());
END
$grants$;
