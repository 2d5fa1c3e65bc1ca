-- How long contacts are kept, and webhooks that get what contacts entered.
ALTER TABLE "workspace" ADD COLUMN "contact_days" INTEGER;

CREATE INDEX "workspace_contact_days" ON "workspace"("contact_days") WHERE (contact_days IS NOT NULL);

CREATE INDEX "contact_answered" ON "contact"("workspace_pk", "answered_at");

ALTER TABLE "webhook" ADD COLUMN "people" BOOLEAN NOT NULL DEFAULT false;
