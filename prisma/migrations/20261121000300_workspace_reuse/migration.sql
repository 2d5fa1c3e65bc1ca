-- AlterTable
ALTER TABLE "workspace" ADD COLUMN "reuse_seconds" INTEGER;
