-- CreateTable
CREATE TABLE "link_repeat" (
    "workspace_pk" INTEGER NOT NULL,
    "digest" UUID NOT NULL,
    "part" INTEGER NOT NULL,
    "request" UUID NOT NULL,
    "link_pk" BIGINT NOT NULL,
    "link_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "link_repeat_pkey" PRIMARY KEY ("workspace_pk","digest","part")
);

-- CreateTable
CREATE TABLE "link_reuse" (
    "workspace_pk" INTEGER NOT NULL,
    "domain_pk" INTEGER NOT NULL,
    "digest" UUID NOT NULL,
    "link_pk" BIGINT NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "link_reuse_pkey" PRIMARY KEY ("workspace_pk","domain_pk","digest")
);

-- CreateTable
CREATE TABLE "bulk_job" (
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "user_pk" INTEGER NOT NULL,
    "api_key_pk" INTEGER,
    "digest" UUID NOT NULL,
    "request" UUID NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "total" INTEGER NOT NULL,
    "done" INTEGER NOT NULL DEFAULT 0,
    "refused" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "body" BYTEA NOT NULL,
    "outcomes" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "bulk_job_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "bulk_job_workspace_pk_digest_key" ON "bulk_job"("workspace_pk", "digest");

-- CreateIndex
CREATE INDEX "bulk_job_finished_at_idx" ON "bulk_job"("finished_at");

-- CreateIndex
CREATE INDEX "bulk_job_open" ON "bulk_job"("workspace_pk") WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));

-- AddForeignKey
ALTER TABLE "bulk_job" ADD CONSTRAINT "bulk_job_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- CreateIndex
CREATE INDEX "link_repeat_created" ON "link_repeat" USING BRIN ("created_at");

-- Finds a link by its url, for upserts and exact searches. Prisma cannot describe an index on an expression. Newest
-- first: a campaign makes millions of links with one url, which then stand side by side in their order.
CREATE INDEX "link_url" ON "link" (hashtextextended("url", "workspace_pk"), "id" DESC);
