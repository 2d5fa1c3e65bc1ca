-- Links of a folder have an index by now: clearing one needs no position.
ALTER TABLE "folder_clearing" DROP COLUMN "after_id";

-- AlterTable
ALTER TABLE "domain"
    ADD COLUMN "logo" TEXT,
    ADD COLUMN "asset_links" TEXT,
    ADD COLUMN "apple_app_site_association" TEXT;

-- A host is served by one workspace; any number of workspaces may claim it before.
DROP INDEX "domain_slug_key";
DROP INDEX "domain_workspace_pk_idx";
CREATE UNIQUE INDEX "domain_serving" ON "domain"("slug") WHERE (verified_at IS NOT NULL);
CREATE UNIQUE INDEX "domain_claim" ON "domain"("workspace_pk", "slug");
CREATE UNIQUE INDEX "domain_primary" ON "domain"("workspace_pk") WHERE ("primary");

-- CreateTable
CREATE TABLE "domain_clearing" (
    "domain_pk" INTEGER NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "after_id" UUID,

    CONSTRAINT "domain_clearing_pkey" PRIMARY KEY ("domain_pk")
);
