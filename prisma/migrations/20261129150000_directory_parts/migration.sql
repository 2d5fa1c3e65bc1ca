-- The back office lists workspaces and people by parts of their names.
CREATE INDEX workspace_parts ON workspace USING gin (lower(name) gin_trgm_ops, lower(slug) gin_trgm_ops);
CREATE INDEX app_user_parts ON app_user USING gin (lower(name) gin_trgm_ops, lower(email) gin_trgm_ops);
