-- AlterTable
ALTER TABLE "import" ADD COLUMN     "problem" JSONB;
