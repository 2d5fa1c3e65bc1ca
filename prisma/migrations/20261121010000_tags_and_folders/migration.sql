-- Names that differ only in capitals are one name. Prisma's schema cannot describe an index on an expression.

-- DropIndex
DROP INDEX "tag_workspace_pk_name_key";

-- CreateIndex
CREATE UNIQUE INDEX "tag_name" ON "tag"("workspace_pk", lower("name"));

-- DropIndex
DROP INDEX "folder_workspace_pk_name_key";

-- CreateIndex
CREATE UNIQUE INDEX "folder_name" ON "folder"("workspace_pk", lower("name"));

-- AlterTable
ALTER TABLE "folder" ADD COLUMN "user_pk" INTEGER;

-- CreateTable
CREATE TABLE "folder_clearing" (
    "folder_pk" INTEGER NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "after_id" UUID,

    CONSTRAINT "folder_clearing_pkey" PRIMARY KEY ("folder_pk")
);
