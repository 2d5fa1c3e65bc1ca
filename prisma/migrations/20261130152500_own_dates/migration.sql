-- Reads every link once, and nobody can write links meanwhile. The index is small, because few links have a date of their own.
CREATE INDEX link_own_date ON link (retires_at, workspace_pk) WHERE retires_own AND retires_at IS NOT NULL AND retired_at IS NULL AND banned_at IS NULL;
