-- Where recipients of a campaign come from, besides single calls: a file, or the recipients of another campaign.
CREATE TABLE "recipient_source" (
  "pk" BIGSERIAL NOT NULL,
  "id" TEXT NOT NULL,
  "campaign_pk" INTEGER NOT NULL,
  "workspace_pk" INTEGER NOT NULL,
  "user_pk" INTEGER NOT NULL,
  "api_key_pk" INTEGER,
  "name" TEXT NOT NULL,
  "audience" TEXT,
  "from_campaign_id" TEXT,
  "file_key" BYTEA,
  "bytes" BIGINT NOT NULL DEFAULT 0,
  "width" INTEGER NOT NULL DEFAULT 0,
  "records" INTEGER NOT NULL,
  "heading" BOOLEAN NOT NULL DEFAULT false,
  "mapping" JSONB,
  "state" TEXT NOT NULL,
  "position" BIGINT NOT NULL DEFAULT 0,
  "done" INTEGER NOT NULL DEFAULT 0,
  "added" INTEGER NOT NULL DEFAULT 0,
  "refused" INTEGER NOT NULL DEFAULT 0,
  "problem" TEXT,
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "started_at" TIMESTAMPTZ(3),
  "seen_at" TIMESTAMPTZ(3),
  "finished_at" TIMESTAMPTZ(3),
  CONSTRAINT "recipient_source_pkey" PRIMARY KEY ("pk"),
  CONSTRAINT "recipient_source_state" CHECK ("state" IN (
    'ready', 'waiting', 'running', 'paused', 'done', 'failed', 'cancelled', 'undoing', 'undone'
  )),
  CONSTRAINT "recipient_source_kind" CHECK (("file_key" IS NULL) = ("audience" IS NOT NULL))
);
CREATE UNIQUE INDEX "recipient_source_id_key" ON "recipient_source"("id");
CREATE INDEX "recipient_source_list" ON "recipient_source"("campaign_pk", "pk" DESC);
CREATE INDEX "recipient_source_workspace" ON "recipient_source"("workspace_pk");
-- Answers which ones need a worker.
CREATE INDEX "recipient_source_open" ON "recipient_source"("seen_at")
  WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text, 'undoing'::text]));

-- Rows of a source that were refused, with their reasons.
CREATE TABLE "recipient_source_chunk" (
  "source_pk" BIGINT NOT NULL,
  "first_row" INTEGER NOT NULL,
  "refusals" JSONB NOT NULL,
  CONSTRAINT "recipient_source_chunk_pkey" PRIMARY KEY ("source_pk", "first_row")
);

-- No foreign key: sources are deleted earlier, and their pks are not used again.
ALTER TABLE "campaign_recipient" ADD COLUMN "source_pk" BIGINT;

ALTER TABLE "recipient_source"
  ADD CONSTRAINT "recipient_source_campaign_pk_fkey" FOREIGN KEY ("campaign_pk")
  REFERENCES "campaign"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "recipient_source_chunk"
  ADD CONSTRAINT "recipient_source_chunk_source_pk_fkey" FOREIGN KEY ("source_pk")
  REFERENCES "recipient_source"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
