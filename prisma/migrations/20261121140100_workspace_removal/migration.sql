-- Since then nobody can have the workspace back: what it had is being removed.
ALTER TABLE "workspace" ADD COLUMN "removing_at" TIMESTAMPTZ(3);

CREATE INDEX "workspace_deleted" ON "workspace" ("deleted_at") WHERE (deleted_at IS NOT NULL);
