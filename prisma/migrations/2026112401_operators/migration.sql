-- The list of what administrators did and viewed, in all workspaces: few rows of a large table.
CREATE INDEX "audit_operator" ON "audit"("id" DESC) WHERE (action ~~ 'operator.%'::text);
