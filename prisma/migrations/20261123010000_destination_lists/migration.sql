-- The hosts that links may redirect to (allow), or may not (block), of a workspace or of the instance.
CREATE TABLE "destination_list" (
  "pk" SERIAL NOT NULL,
  "workspace_pk" INTEGER,
  "kind" TEXT NOT NULL,
  "entries" TEXT NOT NULL DEFAULT '',
  "source" TEXT,
  "source_entries" TEXT NOT NULL DEFAULT '',
  "source_count" INTEGER NOT NULL DEFAULT 0,
  "read_from" TEXT,
  "etag" TEXT,
  "polled_at" TIMESTAMPTZ(3),
  "succeeded_at" TIMESTAMPTZ(3),
  "problem" JSONB,
  "revision" BIGINT NOT NULL,
  CONSTRAINT "destination_list_pkey" PRIMARY KEY ("pk"),
  CONSTRAINT "destination_list_kind" CHECK ("kind" IN ('allow', 'block'))
);

-- One list of a kind per workspace, and one of the instance.
CREATE UNIQUE INDEX "destination_list_owner" ON "destination_list"("workspace_pk", "kind");
CREATE UNIQUE INDEX "destination_list_instance" ON "destination_list"("kind") WHERE (workspace_pk IS NULL);

-- Answers which sources are due.
CREATE INDEX "destination_list_polled" ON "destination_list"("polled_at") WHERE (source IS NOT NULL);

ALTER TABLE "destination_list"
  ADD CONSTRAINT "destination_list_workspace_pk_fkey" FOREIGN KEY ("workspace_pk")
  REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
