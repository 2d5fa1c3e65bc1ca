-- How a domain is verified in DNS, and what was seen there last.
ALTER TABLE "domain"
    ADD COLUMN "token" TEXT NOT NULL DEFAULT replace((gen_random_uuid())::text, '-'::text, ''::text),
    ADD COLUMN "claimed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    ADD COLUMN "proven_at" TIMESTAMPTZ(3),
    ADD COLUMN "check_due_at" TIMESTAMPTZ(3),
    ADD COLUMN "checked_at" TIMESTAMPTZ(3),
    ADD COLUMN "failing_since" TIMESTAMPTZ(3),
    ADD COLUMN "findings" JSONB;

-- Claims that wait already are looked at; what serves was trusted.
UPDATE "domain"
SET "check_due_at" = now()
WHERE "verified_at" IS NULL
    AND "workspace_pk" IS NOT NULL;

-- CreateIndex
CREATE INDEX "domain_check" ON "domain"("check_due_at") WHERE (check_due_at IS NOT NULL);
