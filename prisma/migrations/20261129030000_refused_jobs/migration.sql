-- Jobs that turn off the links which the lists of the instance refuse.
CREATE TABLE "refused_job" (
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER,
    "actor" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "cursor_workspace_pk" INTEGER NOT NULL DEFAULT 0,
    "cursor_id" UUID NOT NULL,
    "checked" BIGINT NOT NULL DEFAULT 0,
    "disabled" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "refused_job_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "refused_job_workspace_pk_fkey"
        FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE
);

-- One at a time.
CREATE UNIQUE INDEX "refused_job_open" ON "refused_job" ((true)) WHERE finished_at IS NULL;
