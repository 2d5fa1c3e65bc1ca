-- The list of what administrators did and viewed, in all workspaces: few rows of a large table.
CREATE INDEX "audit_operator" ON "audit"("id" DESC) WHERE (action ~~ 'operator.%'::text);

-- The administrators: a few of all accounts.
CREATE INDEX "app_user_operator" ON "app_user"("pk") WHERE operator;

-- The search of the back office, exact and by beginning. None of them is on a table that a create of links writes.
CREATE INDEX "domain_search" ON "domain"(lower("slug") text_pattern_ops);
CREATE INDEX "workspace_search" ON "workspace"(lower("slug") text_pattern_ops);
CREATE INDEX "workspace_name_search" ON "workspace"(lower("name") text_pattern_ops);
CREATE INDEX "app_user_search" ON "app_user"(lower("email") text_pattern_ops);
CREATE INDEX "app_user_name_search" ON "app_user"(lower("name") text_pattern_ops);
