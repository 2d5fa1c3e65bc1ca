-- The few links that differ in how they are visited, for filters by status.
CREATE INDEX "link_special" ON "link"("workspace_pk", "id" DESC) WHERE ((disabled_at IS NOT NULL) OR (starts_at IS NOT NULL) OR (expires_at IS NOT NULL) OR (max_clicks IS NOT NULL) OR (password_hash IS NOT NULL) OR (test_variants IS NOT NULL) OR (rules IS NOT NULL) OR (geo IS NOT NULL) OR (ios IS NOT NULL) OR (android IS NOT NULL));

-- The links that each part of an import created.
ALTER TABLE "import_chunk" ADD COLUMN "made_pks" BIGINT[] DEFAULT ARRAY[]::BIGINT[];
