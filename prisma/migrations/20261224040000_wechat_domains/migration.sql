-- The domains of official accounts, and the files by which WeChat verifies them.
CREATE TABLE "wechat_domain" (
    "pk" SERIAL NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "account_pk" INTEGER NOT NULL,
    "domain_pk" INTEGER NOT NULL,
    "host" TEXT NOT NULL,
    "file_name" TEXT,
    "file_content" TEXT,

    CONSTRAINT "wechat_domain_pkey" PRIMARY KEY ("pk")
);

CREATE UNIQUE INDEX "wechat_domain_domain" ON "wechat_domain"("domain_pk");

CREATE INDEX "wechat_domain_workspace" ON "wechat_domain"("workspace_pk");

CREATE INDEX "wechat_domain_account" ON "wechat_domain"("account_pk");

ALTER TABLE "wechat_domain" ADD CONSTRAINT "wechat_domain_account_pk_fkey" FOREIGN KEY ("account_pk") REFERENCES "wechat_account"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "wechat_domain" ADD CONSTRAINT "wechat_domain_domain_pk_fkey" FOREIGN KEY ("domain_pk") REFERENCES "domain"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
