-- Gateways are asked about messages whose response was lost, some times.
ALTER TABLE "campaign_send"
  ADD COLUMN "ask_at" TIMESTAMPTZ(3),
  ADD COLUMN "asked" SMALLINT NOT NULL DEFAULT 0;

CREATE INDEX "campaign_send_unknown" ON "campaign_send"("ask_at")
  WHERE (state = 'unknown' AND ask_at IS NOT NULL);

-- Those that are unknown now are asked about once more, as far as their gateway keeps them.
UPDATE "campaign_send"
SET "ask_at" = now()
WHERE "state" = 'unknown'
  AND "gateway_pk" IS NOT NULL
  AND "attempted_at" > now() - interval '7 days';

-- Where other gateways are asked.
UPDATE "sms_gateway"
SET "settings" = "settings"
  || '{"statusUrl": "", "statusPath": "", "statusValues": {"accepted": [], "delivered": [], "failed": []}}'
WHERE "settings" ->> 'kind' = 'http';
