-- The keys that personal data of a workspace is encrypted with (version 1 and up), and the key of its phone hashes
-- (version 0). Each is sealed with a key of the instance.
CREATE TABLE "people_key" (
  "workspace_pk" INTEGER NOT NULL,
  "version" SMALLINT NOT NULL,
  "sealed" BYTEA NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "people_key_pkey" PRIMARY KEY ("workspace_pk", "version")
);

-- Phones that get no messages. The hash is kept when the person is erased.
CREATE TABLE "opt_out" (
  "pk" BIGSERIAL NOT NULL,
  "id" TEXT NOT NULL,
  "workspace_pk" INTEGER NOT NULL,
  "phone_hash" BYTEA NOT NULL,
  "key_version" SMALLINT,
  "sealed" BYTEA,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "opt_out_pkey" PRIMARY KEY ("pk")
);
CREATE UNIQUE INDEX "opt_out_id_key" ON "opt_out"("id");
CREATE UNIQUE INDEX "opt_out_phone" ON "opt_out"("workspace_pk", "phone_hash");
CREATE INDEX "opt_out_list" ON "opt_out"("workspace_pk", "pk" DESC);

CREATE TABLE "campaign" (
  "pk" SERIAL NOT NULL,
  "id" TEXT NOT NULL,
  "workspace_pk" INTEGER NOT NULL,
  "user_pk" INTEGER NOT NULL,
  "name" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "consent_source" TEXT,
  "consent_on" DATE,
  "sender_name" TEXT,
  "opt_out_text" TEXT,
  "link_scheme" BOOLEAN NOT NULL,
  "default_country" TEXT NOT NULL,
  "columns" JSONB NOT NULL,
  "variants" JSONB NOT NULL,
  "destination" TEXT NOT NULL,
  "link" JSONB NOT NULL,
  "link_days" INTEGER,
  "prices" JSONB,
  "people_days" INTEGER NOT NULL,
  "recipients" INTEGER NOT NULL DEFAULT 0,
  "refused" INTEGER NOT NULL DEFAULT 0,
  "last_position" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "added_at" TIMESTAMPTZ(3),
  "erasing_at" TIMESTAMPTZ(3),
  "erased_at" TIMESTAMPTZ(3),
  "deleted_at" TIMESTAMPTZ(3),
  CONSTRAINT "campaign_pkey" PRIMARY KEY ("pk"),
  CONSTRAINT "campaign_kind" CHECK ("kind" IN ('marketing', 'service'))
);
CREATE UNIQUE INDEX "campaign_id_key" ON "campaign"("id");
CREATE INDEX "campaign_list" ON "campaign"("workspace_pk", "pk" DESC) WHERE (deleted_at IS NULL);
CREATE INDEX "campaign_deleted" ON "campaign"("pk") WHERE (deleted_at IS NOT NULL);
-- Answers whose personal data is due to be erased.
CREATE INDEX "campaign_kept" ON "campaign"("added_at") WHERE (erased_at IS NULL);

CREATE TABLE "campaign_recipient" (
  "campaign_pk" INTEGER NOT NULL,
  "position" INTEGER NOT NULL,
  "id" UUID NOT NULL,
  "workspace_pk" INTEGER NOT NULL,
  "message_id" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "reason" TEXT,
  "phone_hash" BYTEA,
  "key_version" SMALLINT,
  "sealed" BYTEA,
  "country" TEXT,
  "variant" SMALLINT,
  "link_pk" BIGINT,
  "link_id" UUID,
  "parts" SMALLINT,
  "url_parts" SMALLINT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT "campaign_recipient_pkey" PRIMARY KEY ("campaign_pk", "position"),
  CONSTRAINT "campaign_recipient_state" CHECK ("state" IN ('ready', 'refused'))
);
-- A message is prepared once, and a phone gets one message of a campaign.
CREATE UNIQUE INDEX "campaign_recipient_message" ON "campaign_recipient"("campaign_pk", "message_id");
-- Its index also answers what is known of a phone.
CREATE UNIQUE INDEX "campaign_recipient_phone" ON "campaign_recipient"("workspace_pk", "phone_hash", "campaign_pk") WHERE (phone_hash IS NOT NULL);

ALTER TABLE "people_key"
  ADD CONSTRAINT "people_key_workspace_pk_fkey" FOREIGN KEY ("workspace_pk")
  REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "opt_out"
  ADD CONSTRAINT "opt_out_workspace_pk_fkey" FOREIGN KEY ("workspace_pk")
  REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "campaign"
  ADD CONSTRAINT "campaign_workspace_pk_fkey" FOREIGN KEY ("workspace_pk")
  REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "campaign_recipient"
  ADD CONSTRAINT "campaign_recipient_campaign_pk_fkey" FOREIGN KEY ("campaign_pk")
  REFERENCES "campaign"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
