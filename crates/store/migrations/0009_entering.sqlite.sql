-- Nothing: on PostgreSQL coming into a conversation became one call, and SQLite has no policies to ask.
SELECT 1;
