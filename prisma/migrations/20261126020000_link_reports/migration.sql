-- CreateTable
CREATE TABLE "link_report" (
    "pk" SERIAL NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "link_id" UUID NOT NULL,
    "link_pk" BIGINT NOT NULL,
    "address_hash" BYTEA NOT NULL,
    "reason" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "email" TEXT,
    "locale" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "decided_at" TIMESTAMPTZ(3),
    "decided_by" TEXT,
    "outcome" TEXT,

    CONSTRAINT "link_report_pkey" PRIMARY KEY ("pk")
);

-- CreateIndex
CREATE UNIQUE INDEX "link_report_open" ON "link_report"("link_id", "address_hash") WHERE (decided_at IS NULL);

-- CreateIndex
CREATE INDEX "link_report_unanswered" ON "link_report"("pk") WHERE ((decided_at IS NOT NULL) AND (email IS NOT NULL));

-- CreateIndex
CREATE INDEX "link_report_decided_at_idx" ON "link_report"("decided_at");

-- CreateIndex
CREATE INDEX "link_report_workspace_pk_idx" ON "link_report"("workspace_pk");

-- AddForeignKey
ALTER TABLE "link_report" ADD CONSTRAINT "link_report_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
