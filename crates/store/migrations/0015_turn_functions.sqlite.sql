-- Nothing: on PostgreSQL the functions of a turn take JSON instead of a long list of parameters.
SELECT 1;
