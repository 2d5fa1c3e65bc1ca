-- AlterTable
ALTER TABLE "plan_payment" ADD COLUMN "taken_seconds" INTEGER;
