-- Links have a date at which they retire: their own (or never), otherwise by the rules of the workspace.
ALTER TABLE "link" ADD COLUMN "retires_own" BOOLEAN NOT NULL DEFAULT false;
-- Since when visits get 410. The link is deleted at the end of its quarantine.
ALTER TABLE "link" ADD COLUMN "retired_at" TIMESTAMPTZ(3);

-- Days until links retire; null: as the plan or the instance, 0: never.
ALTER TABLE "workspace" ADD COLUMN "retire_api_days" INTEGER;
ALTER TABLE "workspace" ADD COLUMN "retire_people_days" INTEGER;
ALTER TABLE "workspace" ADD COLUMN "retire_from_creation" BOOLEAN NOT NULL DEFAULT false;

-- Answers which links retire next, and which have retired.
CREATE INDEX "link_retiring" ON "link"("workspace_pk", "retires_at", "pk") WHERE ((retires_at IS NOT NULL) AND (retired_at IS NULL));
CREATE INDEX "link_retired" ON "link"("workspace_pk", "retired_at") WHERE (retired_at IS NOT NULL);

-- How far the links of a workspace have been checked.
CREATE TABLE "retirement_round" (
    "workspace_pk" INTEGER NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "checked_at" TIMESTAMPTZ(3),
    "rules" TEXT,
    "after_id" UUID,
    "warned_until" TIMESTAMPTZ(3),

    CONSTRAINT "retirement_round_pkey" PRIMARY KEY ("workspace_pk")
);

-- CreateIndex
CREATE INDEX "retirement_round_next_at_idx" ON "retirement_round"("next_at");

-- AddForeignKey
ALTER TABLE "retirement_round" ADD CONSTRAINT "retirement_round_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
