-- Codes by SMS, with which visitors confirm the phone that they entered in a form.
ALTER TABLE "form" ADD COLUMN "gateway_pk" INTEGER;

CREATE INDEX "form_gateway" ON "form"("gateway_pk") WHERE (gateway_pk IS NOT NULL);

UPDATE "form" SET "content" = "content" || '{"confirmPhone": false}';

ALTER TABLE "contact" ADD COLUMN "phone_confirmed" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "phone_code" (
    "pk" BIGSERIAL NOT NULL,
    "id" UUID NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "form_pk" INTEGER NOT NULL,
    "form_version" INTEGER NOT NULL,
    "link_pk" BIGINT NOT NULL,
    "phone_hash" BYTEA NOT NULL,
    "key_version" SMALLINT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "language" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'due',
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "attempted_at" TIMESTAMPTZ(3),
    "code_hash" BYTEA,
    "tries" SMALLINT NOT NULL DEFAULT 0,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "phone_code_pkey" PRIMARY KEY ("pk")
);

CREATE UNIQUE INDEX "phone_code_id_key" ON "phone_code"("id");

CREATE INDEX "phone_code_phone" ON "phone_code"("workspace_pk", "phone_hash");

CREATE INDEX "phone_code_form" ON "phone_code"("form_pk");

CREATE INDEX "phone_code_due" ON "phone_code"("due_at") WHERE (state = 'due');

CREATE INDEX "phone_code_attempting" ON "phone_code"("workspace_pk") WHERE (state = 'attempting');

ALTER TABLE "form" ADD CONSTRAINT "form_gateway_pk_fkey" FOREIGN KEY ("gateway_pk") REFERENCES "sms_gateway"("pk") ON DELETE NO ACTION ON UPDATE CASCADE;

ALTER TABLE "phone_code" ADD CONSTRAINT "phone_code_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "phone_code" ADD CONSTRAINT "phone_code_form_pk_fkey" FOREIGN KEY ("form_pk") REFERENCES "form"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
