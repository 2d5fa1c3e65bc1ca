CREATE EXTENSION IF NOT EXISTS "pg_trgm";

-- CreateTable
CREATE TABLE "installation" (
    "only" SMALLINT NOT NULL DEFAULT 1,
    "code_fingerprint" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "installation_pkey" PRIMARY KEY ("only")
);

-- CreateTable
CREATE TABLE "app_user" (
    "pk" SERIAL NOT NULL,
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT,
    "operator" BOOLEAN NOT NULL DEFAULT false,
    "locale" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "app_user_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "user_pk" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace" (
    "pk" SERIAL NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "zone" TEXT NOT NULL DEFAULT 'UTC',
    "plan" TEXT NOT NULL DEFAULT 'enterprise',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "workspace_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "membership" (
    "workspace_pk" INTEGER NOT NULL,
    "user_pk" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "membership_pkey" PRIMARY KEY ("workspace_pk","user_pk")
);

-- CreateTable
CREATE TABLE "api_key" (
    "pk" SERIAL NOT NULL,
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "user_pk" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "hint" TEXT NOT NULL,
    "scopes" TEXT[],
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "domain" (
    "pk" SERIAL NOT NULL,
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER,
    "slug" TEXT NOT NULL,
    "primary" BOOLEAN NOT NULL DEFAULT false,
    "archived" BOOLEAN NOT NULL DEFAULT false,
    "verified_at" TIMESTAMPTZ(3),
    "case_insensitive" BOOLEAN NOT NULL DEFAULT false,
    "revision" BIGINT NOT NULL DEFAULT 0,
    "placeholder" TEXT,
    "expired_url" TEXT,
    "not_found_url" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "domain_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "tag" (
    "pk" SERIAL NOT NULL,
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "color" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tag_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "folder" (
    "pk" SERIAL NOT NULL,
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "access_level" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "folder_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "link" (
    "pk" BIGINT NOT NULL,
    "revision" BIGINT NOT NULL DEFAULT 0,
    "id" UUID,
    "workspace_pk" INTEGER,
    "domain_pk" INTEGER,
    "user_pk" INTEGER,
    "api_key_pk" INTEGER,
    "folder_pk" INTEGER,
    "redirect_status" SMALLINT NOT NULL DEFAULT 0,
    "alias" BOOLEAN NOT NULL DEFAULT false,
    "archived" BOOLEAN NOT NULL DEFAULT false,
    "proxy" BOOLEAN NOT NULL DEFAULT false,
    "rewrite" BOOLEAN NOT NULL DEFAULT false,
    "do_index" BOOLEAN NOT NULL DEFAULT false,
    "track_conversion" BOOLEAN NOT NULL DEFAULT false,
    "public_stats" BOOLEAN NOT NULL DEFAULT false,
    "forward_query" BOOLEAN NOT NULL DEFAULT false,
    "forward_path" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "key" TEXT,
    "url" TEXT,
    "external_id" TEXT,
    "tenant_id" TEXT,
    "comments" TEXT,
    "title" TEXT,
    "description" TEXT,
    "image" TEXT,
    "video" TEXT,
    "ios" TEXT,
    "android" TEXT,
    "geo" JSONB,
    "rules" JSONB,
    "test_variants" JSONB,
    "test_started_at" TIMESTAMPTZ(3),
    "test_completed_at" TIMESTAMPTZ(3),
    "starts_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "expired_url" TEXT,
    "max_clicks" INTEGER,
    "password_hash" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "banned_at" TIMESTAMPTZ(3),
    "retires_at" TIMESTAMPTZ(3),
    "webhook_ids" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "link_pkey" PRIMARY KEY ("pk")
);

-- CreateTable
CREATE TABLE "link_tag" (
    "link_pk" BIGINT NOT NULL,
    "tag_pk" INTEGER NOT NULL,

    CONSTRAINT "link_tag_pkey" PRIMARY KEY ("link_pk","tag_pk")
);

-- CreateTable
CREATE TABLE "alias" (
    "domain_pk" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "link_pk" BIGINT NOT NULL,

    CONSTRAINT "alias_pkey" PRIMARY KEY ("domain_pk","key")
);

-- CreateTable
CREATE TABLE "link_stat" (
    "link_pk" BIGINT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "clicks" BIGINT NOT NULL DEFAULT 0,
    "visitors" BIGINT NOT NULL DEFAULT 0,
    "scans" BIGINT NOT NULL DEFAULT 0,
    "bots" BIGINT NOT NULL DEFAULT 0,
    "last_click_at" TIMESTAMPTZ(3),

    CONSTRAINT "link_stat_pkey" PRIMARY KEY ("link_pk")
);

-- CreateTable
CREATE TABLE "link_search" (
    "link_pk" BIGINT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "link_search_pkey" PRIMARY KEY ("link_pk")
);

-- CreateTable
CREATE TABLE "cache_change" (
    "revision" BIGINT NOT NULL,
    "entry" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cache_change_pkey" PRIMARY KEY ("revision","entry")
);

-- CreateTable
CREATE TABLE "audit" (
    "pk" BIGSERIAL NOT NULL,
    "workspace_pk" INTEGER,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT,
    "details" JSONB,

    CONSTRAINT "audit_pkey" PRIMARY KEY ("pk")
);

-- CreateIndex
CREATE UNIQUE INDEX "app_user_id_key" ON "app_user"("id");

-- CreateIndex
CREATE UNIQUE INDEX "app_user_email_key" ON "app_user"("email");

-- CreateIndex
CREATE INDEX "session_user_pk_idx" ON "session"("user_pk");

-- CreateIndex
CREATE UNIQUE INDEX "workspace_id_key" ON "workspace"("id");

-- CreateIndex
CREATE UNIQUE INDEX "workspace_slug_key" ON "workspace"("slug");

-- CreateIndex
CREATE INDEX "membership_user_pk_idx" ON "membership"("user_pk");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_id_key" ON "api_key"("id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE INDEX "api_key_workspace_pk_idx" ON "api_key"("workspace_pk");

-- CreateIndex
CREATE UNIQUE INDEX "domain_id_key" ON "domain"("id");

-- CreateIndex
CREATE UNIQUE INDEX "domain_slug_key" ON "domain"("slug");

-- CreateIndex
CREATE INDEX "domain_workspace_pk_idx" ON "domain"("workspace_pk");

-- CreateIndex
CREATE UNIQUE INDEX "tag_id_key" ON "tag"("id");

-- CreateIndex
CREATE UNIQUE INDEX "tag_workspace_pk_name_key" ON "tag"("workspace_pk", "name");

-- CreateIndex
CREATE UNIQUE INDEX "folder_id_key" ON "folder"("id");

-- CreateIndex
CREATE UNIQUE INDEX "folder_workspace_pk_name_key" ON "folder"("workspace_pk", "name");

-- CreateIndex
CREATE INDEX "link_workspace" ON "link"("workspace_pk", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "link_external" ON "link"("workspace_pk", "external_id") WHERE (external_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "link_tag_tag_pk_idx" ON "link_tag"("tag_pk");

-- CreateIndex
CREATE INDEX "alias_link_pk_idx" ON "alias"("link_pk");

-- CreateIndex
CREATE INDEX "link_search_text" ON "link_search" USING GIN ("text" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "audit_workspace_pk_pk_idx" ON "audit"("workspace_pk", "pk" DESC);

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_user_pk_fkey" FOREIGN KEY ("user_pk") REFERENCES "app_user"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_user_pk_fkey" FOREIGN KEY ("user_pk") REFERENCES "app_user"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_user_pk_fkey" FOREIGN KEY ("user_pk") REFERENCES "app_user"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "domain" ADD CONSTRAINT "domain_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tag" ADD CONSTRAINT "tag_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "folder" ADD CONSTRAINT "folder_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "link_tag" ADD CONSTRAINT "link_tag_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "link"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "link_tag" ADD CONSTRAINT "link_tag_tag_pk_fkey" FOREIGN KEY ("tag_pk") REFERENCES "tag"("pk") ON DELETE CASCADE ON UPDATE CASCADE;


-- Only one row: what must stay the same for the life of an installation.
ALTER TABLE "installation" ADD CONSTRAINT "installation_only_one" CHECK ("only" = 1);

-- A redirect in Redis or in memory is as new as its revision.
CREATE SEQUENCE "revision";

-- Leases blocks of primary keys to Redis and to processes. Gaps are fine, duplicates are not.
CREATE SEQUENCE "pk_block" MINVALUE 0;
