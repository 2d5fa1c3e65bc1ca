-- AlterTable
ALTER TABLE "api_key" ADD COLUMN "allowed_addresses" TEXT[] DEFAULT ARRAY[]::TEXT[];
