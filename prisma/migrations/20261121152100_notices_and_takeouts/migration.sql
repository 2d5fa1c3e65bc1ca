-- When somebody closed the first steps of a workspace.
ALTER TABLE "membership" ADD COLUMN "steps_closed_at" TIMESTAMPTZ(3);

-- What work that somebody asked for came to.
CREATE TABLE "notice" (
    "pk" BIGSERIAL NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "user_pk" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT,
    "details" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "read_at" TIMESTAMPTZ(3),

    CONSTRAINT "notice_pkey" PRIMARY KEY ("pk")
);

-- An archive of everything in a workspace.
CREATE TABLE "takeout" (
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "user_pk" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "done" BIGINT NOT NULL DEFAULT 0,
    "bytes" BIGINT,
    "error" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "takeout_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "notice_workspace_pk_user_pk_pk_idx" ON "notice"("workspace_pk", "user_pk", "pk" DESC);

-- CreateIndex
CREATE INDEX "notice_user_pk_idx" ON "notice"("user_pk");

-- CreateIndex
CREATE INDEX "takeout_workspace_pk_created_at_idx" ON "takeout"("workspace_pk", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "takeout_open" ON "takeout"("workspace_pk") WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));

-- AddForeignKey
ALTER TABLE "notice" ADD CONSTRAINT "notice_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notice" ADD CONSTRAINT "notice_user_pk_fkey" FOREIGN KEY ("user_pk") REFERENCES "app_user"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "takeout" ADD CONSTRAINT "takeout_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
