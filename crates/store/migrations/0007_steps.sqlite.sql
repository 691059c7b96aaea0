-- Nothing: on PostgreSQL each step of a turn became one call, and SQLite has no calls to save.
SELECT 1;
