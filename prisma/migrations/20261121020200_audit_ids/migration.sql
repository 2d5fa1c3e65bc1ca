-- An id that sorts by time and, unlike pk, says nothing of how much others do.
ALTER TABLE "audit" ADD COLUMN "id" UUID;

UPDATE "audit"
SET "id" = (
    lpad(to_hex((extract(epoch FROM "at") * 1000)::bigint), 12, '0')
    || substr(md5("pk"::text || random()::text), 1, 20)
)::uuid;

ALTER TABLE "audit" ALTER COLUMN "id" SET NOT NULL;

-- DropIndex
DROP INDEX "audit_workspace_pk_pk_idx";

-- CreateIndex
CREATE INDEX "audit_workspace_pk_id_idx" ON "audit"("workspace_pk", "id" DESC);

-- CreateIndex
CREATE INDEX "audit_workspace_pk_subject_id_idx" ON "audit"("workspace_pk", "subject", "id" DESC);
