-- The SMS gateways of a workspace. `sealed` has the secret of the account and the token of the address for receipts,
-- sealed with a key of the instance.
CREATE TABLE "sms_gateway" (
  "pk" SERIAL NOT NULL,
  "id" TEXT NOT NULL,
  "workspace_pk" INTEGER NOT NULL,
  "name" TEXT NOT NULL,
  "settings" JSONB NOT NULL,
  "sealed" BYTEA NOT NULL,
  "token_hash" BYTEA NOT NULL,
  "rate" SMALLINT NOT NULL,
  "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "sms_gateway_pkey" PRIMARY KEY ("pk"),
  CONSTRAINT "sms_gateway_rate" CHECK ("rate" > 0)
);
CREATE UNIQUE INDEX "sms_gateway_id_key" ON "sms_gateway"("id");
CREATE UNIQUE INDEX "sms_gateway_token" ON "sms_gateway"("token_hash");
CREATE INDEX "sms_gateway_list" ON "sms_gateway"("workspace_pk", "pk" DESC);

-- The sending of a campaign. A campaign that was not started has none.
CREATE TABLE "campaign_sending" (
  "campaign_pk" INTEGER NOT NULL,
  "workspace_pk" INTEGER NOT NULL,
  "gateway_pk" INTEGER,
  "state" TEXT NOT NULL,
  "starts_at" TIMESTAMPTZ(3) NOT NULL,
  "rate" SMALLINT NOT NULL,
  "quiet_from" SMALLINT,
  "quiet_until" SMALLINT,
  "reason" TEXT,
  "filled_position" INTEGER NOT NULL DEFAULT 0,
  "next_at" TIMESTAMPTZ(3) NOT NULL,
  "lease" UUID,
  "lease_until" TIMESTAMPTZ(3),
  "started_at" TIMESTAMPTZ(3),
  "finished_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "campaign_sending_pkey" PRIMARY KEY ("campaign_pk"),
  CONSTRAINT "campaign_sending_state" CHECK (
    "state" IN ('scheduled', 'sending', 'paused', 'finished', 'cancelled')
  )
);
-- Answers which campaigns have something to send.
CREATE INDEX "campaign_sending_due" ON "campaign_sending"("next_at")
  WHERE (state IN ('scheduled', 'sending'));
CREATE INDEX "campaign_sending_gateway" ON "campaign_sending"("gateway_pk");

-- What became of the message of a recipient. An attempt is committed before the gateway is called.
CREATE TABLE "campaign_send" (
  "campaign_pk" INTEGER NOT NULL,
  "position" INTEGER NOT NULL,
  "workspace_pk" INTEGER NOT NULL,
  "state" TEXT NOT NULL,
  "due_at" TIMESTAMPTZ(3) NOT NULL,
  "attempts" SMALLINT NOT NULL DEFAULT 0,
  "gateway_pk" INTEGER,
  "remote_hash" BYTEA,
  "code" TEXT,
  "attempted_at" TIMESTAMPTZ(3),
  "settled_at" TIMESTAMPTZ(3),
  CONSTRAINT "campaign_send_pkey" PRIMARY KEY ("campaign_pk", "position"),
  CONSTRAINT "campaign_send_state" CHECK (
    "state" IN (
      'due', 'attempting', 'later', 'accepted', 'refused', 'unknown', 'delivered', 'failed'
    )
  )
);
CREATE INDEX "campaign_send_due" ON "campaign_send"("campaign_pk", "due_at", "position")
  WHERE (state IN ('due', 'later'));
CREATE INDEX "campaign_send_attempting" ON "campaign_send"("campaign_pk")
  WHERE (state = 'attempting');
CREATE INDEX "campaign_send_remote" ON "campaign_send"("gateway_pk", "remote_hash")
  WHERE (remote_hash IS NOT NULL);

-- Receipts and opt-outs name a recipient by its id.
CREATE UNIQUE INDEX "campaign_recipient_id" ON "campaign_recipient"("id");

ALTER TABLE "sms_gateway"
  ADD CONSTRAINT "sms_gateway_workspace_pk_fkey" FOREIGN KEY ("workspace_pk")
  REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "campaign_sending"
  ADD CONSTRAINT "campaign_sending_campaign_pk_fkey" FOREIGN KEY ("campaign_pk")
  REFERENCES "campaign"("pk") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "campaign_sending_gateway_pk_fkey" FOREIGN KEY ("gateway_pk")
  REFERENCES "sms_gateway"("pk") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "campaign_send"
  ADD CONSTRAINT "campaign_send_campaign_pk_position_fkey" FOREIGN KEY ("campaign_pk", "position")
  REFERENCES "campaign_recipient"("campaign_pk", "position") ON DELETE CASCADE ON UPDATE CASCADE;
