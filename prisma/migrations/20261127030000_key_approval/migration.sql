-- With FUXI_KEY_APPROVAL=on, new keys wait for an administrator of the instance.
ALTER TABLE "api_key" ADD COLUMN "pending_approval" BOOLEAN NOT NULL DEFAULT false;

-- Answers which keys wait: a few of all keys.
CREATE INDEX "api_key_pending" ON "api_key"("pk") WHERE pending_approval;
