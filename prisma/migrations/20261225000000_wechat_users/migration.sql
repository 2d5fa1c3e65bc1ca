-- WeChat user info: which domains are callback domains, codes that visitors brought back, and contacts by openid.
ALTER TABLE "wechat_domain" ADD COLUMN "callback" BOOLEAN NOT NULL DEFAULT false;

ALTER TABLE "wechat_account"
    ADD COLUMN "user_problem" TEXT,
    ADD COLUMN "user_errcode" INTEGER,
    ADD COLUMN "user_address" TEXT,
    ADD COLUMN "user_problem_at" TIMESTAMPTZ(3),
    ADD COLUMN "virtual_users" INTEGER NOT NULL DEFAULT 0;

CREATE TABLE "wechat_code" (
    "pk" BIGSERIAL NOT NULL,
    "id" UUID NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "account_pk" INTEGER NOT NULL,
    "contact_pk" BIGINT,
    "form_pk" INTEGER NOT NULL,
    "form_version" INTEGER NOT NULL,
    "link_pk" BIGINT NOT NULL,
    "is_new" BOOLEAN NOT NULL,
    "profile" BOOLEAN NOT NULL,
    "stage" TEXT NOT NULL DEFAULT 'code',
    "key_version" SMALLINT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "leased_until" TIMESTAMPTZ(3),
    "valid_until" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "wechat_code_pkey" PRIMARY KEY ("pk")
);

CREATE UNIQUE INDEX "wechat_code_id_key" ON "wechat_code"("id");

CREATE INDEX "wechat_code_workspace" ON "wechat_code"("workspace_pk", "leased_until");

CREATE INDEX "wechat_code_account" ON "wechat_code"("account_pk");

CREATE INDEX "wechat_code_contact" ON "wechat_code"("contact_pk");

CREATE INDEX "wechat_code_form" ON "wechat_code"("form_pk");

CREATE INDEX "wechat_code_due" ON "wechat_code"("due_at") WHERE (stage <> 'done');

CREATE TABLE "contact_wechat" (
    "pk" BIGSERIAL NOT NULL,
    "id" UUID NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "contact_pk" BIGINT NOT NULL,
    "app_id" TEXT NOT NULL,
    "openid_hash" BYTEA NOT NULL,
    "union_hash" BYTEA,
    "key_version" SMALLINT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contact_wechat_pkey" PRIMARY KEY ("pk")
);

CREATE UNIQUE INDEX "contact_wechat_openid" ON "contact_wechat"("workspace_pk", "openid_hash", "app_id");

CREATE INDEX "contact_wechat_union" ON "contact_wechat"("workspace_pk", "union_hash") WHERE (union_hash IS NOT NULL);

CREATE INDEX "contact_wechat_contact" ON "contact_wechat"("contact_pk");

CREATE TABLE "contact_alias" (
    "id" UUID NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "contact_pk" BIGINT NOT NULL,
    "person_hash" BYTEA NOT NULL,

    CONSTRAINT "contact_alias_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "contact_alias_contact" ON "contact_alias"("contact_pk");

CREATE INDEX "contact_alias_person" ON "contact_alias"("workspace_pk", "person_hash");

ALTER TABLE "wechat_code" ADD CONSTRAINT "wechat_code_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "wechat_code" ADD CONSTRAINT "wechat_code_account_pk_fkey" FOREIGN KEY ("account_pk") REFERENCES "wechat_account"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "wechat_code" ADD CONSTRAINT "wechat_code_contact_pk_fkey" FOREIGN KEY ("contact_pk") REFERENCES "contact"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "wechat_code" ADD CONSTRAINT "wechat_code_form_pk_fkey" FOREIGN KEY ("form_pk") REFERENCES "form"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "contact_wechat" ADD CONSTRAINT "contact_wechat_contact_pk_fkey" FOREIGN KEY ("contact_pk") REFERENCES "contact"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "contact_alias" ADD CONSTRAINT "contact_alias_contact_pk_fkey" FOREIGN KEY ("contact_pk") REFERENCES "contact"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
