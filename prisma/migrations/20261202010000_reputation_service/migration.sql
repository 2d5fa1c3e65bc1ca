-- Each verdict has the service that gave it, because a warning names it. Earlier ones are of the only service.
ALTER TABLE "link_reputation" ADD COLUMN "service" TEXT;
UPDATE "link_reputation" SET "service" = 'safe-browsing' WHERE "threat" IS NOT NULL;
