-- The newest clicks of a workspace. Called for many workspaces in one statement, which Citus refuses for a subquery: what a
-- function in PL/pgSQL reads is a statement of its own, for one workspace.
CREATE FUNCTION analytics.newest_clicks(of_workspace INT, since TIMESTAMPTZ, max INT)
RETURNS SETOF analytics.click
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY
    SELECT *
    FROM analytics.click
    WHERE workspace_pk = of_workspace AND at >= since
    ORDER BY at DESC
    LIMIT max;
END
$$;
