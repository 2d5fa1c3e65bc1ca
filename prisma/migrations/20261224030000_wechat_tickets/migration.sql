ALTER TABLE "wechat_account" ADD COLUMN "ticket_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

CREATE INDEX "wechat_account_ticket" ON "wechat_account"("ticket_at") WHERE (kind = 'officialAccount'::text);
