-- A change of all links that match a list, and how far it was worked through.
CREATE TABLE "list_job" (
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "user_pk" INTEGER NOT NULL,
    "filters" JSONB NOT NULL,
    "change" JSONB NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "total" INTEGER NOT NULL,
    "done" INTEGER NOT NULL DEFAULT 0,
    "changed" INTEGER NOT NULL DEFAULT 0,
    "refused" INTEGER NOT NULL DEFAULT 0,
    "cursor_id" UUID NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "dismissed" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "list_job_pkey" PRIMARY KEY ("id")
);

-- What undoes one transaction of a job.
CREATE TABLE "list_job_step" (
    "job_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "changed" INTEGER NOT NULL,
    "undo" BYTEA NOT NULL,

    CONSTRAINT "list_job_step_pkey" PRIMARY KEY ("job_id", "number")
);

-- CreateIndex
CREATE INDEX "list_job_workspace_pk_created_at_idx" ON "list_job"("workspace_pk", "created_at" DESC);

-- AddForeignKey
ALTER TABLE "list_job" ADD CONSTRAINT "list_job_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "list_job_step" ADD CONSTRAINT "list_job_step_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "list_job"("id") ON DELETE CASCADE ON UPDATE CASCADE;
