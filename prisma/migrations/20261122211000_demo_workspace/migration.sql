-- The demo is known by a column, because its name and URL can be changed.
ALTER TABLE "workspace" ADD COLUMN     "demo" BOOLEAN NOT NULL DEFAULT false;

-- Only the set-up of an instance creates a workspace as the system.
UPDATE "workspace"
SET "demo" = true
WHERE EXISTS (
  SELECT
  FROM "audit"
  WHERE "audit"."workspace_pk" = "workspace"."pk"
    AND "audit"."actor" = 'system'
    AND "audit"."action" = 'workspace.create'
);
