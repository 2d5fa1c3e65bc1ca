-- Seconds after which new links end that say nothing of their end.
ALTER TABLE "workspace" ADD COLUMN "lifetime_seconds" INTEGER;
