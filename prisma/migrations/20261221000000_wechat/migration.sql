-- The accounts of a workspace at WeChat, and the URL Links that open pages of mini programs.
CREATE TABLE "wechat_account" (
    "pk" SERIAL NOT NULL,
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "app_id" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "problem" TEXT,
    "errcode" INTEGER,
    "address" TEXT,
    "problem_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "wechat_account_pkey" PRIMARY KEY ("pk")
);

CREATE UNIQUE INDEX "wechat_account_id_key" ON "wechat_account"("id");

CREATE UNIQUE INDEX "wechat_account_app" ON "wechat_account"("workspace_pk", "app_id");

CREATE TABLE "wechat_page" (
    "pk" SERIAL NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "account_pk" INTEGER NOT NULL,
    "path" TEXT NOT NULL,
    "url_link" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "revision" BIGINT NOT NULL DEFAULT 0,
    "problem" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "wechat_page_pkey" PRIMARY KEY ("pk")
);

CREATE UNIQUE INDEX "wechat_page_path" ON "wechat_page"("account_pk", "path");

CREATE INDEX "wechat_page_workspace" ON "wechat_page"("workspace_pk");

CREATE INDEX "wechat_page_due" ON "wechat_page"("next_at");

ALTER TABLE "wechat_account" ADD CONSTRAINT "wechat_account_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "wechat_page" ADD CONSTRAINT "wechat_page_account_pk_fkey" FOREIGN KEY ("account_pk") REFERENCES "wechat_account"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- The pages of mini programs that links open, each once.
CREATE INDEX "link_mini_program" ON "link"("workspace_pk", (inside_apps ->> 'appId'), (inside_apps ->> 'path')) WHERE (inside_apps ->> 'open' = 'miniProgram');
