-- Leads and sales: customers of workspaces, events, and the counters of links.
ALTER TABLE "link_stat"
    ADD COLUMN "leads" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "conversions" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "sales" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "sale_amount" BIGINT NOT NULL DEFAULT 0;

CREATE INDEX "link_stat_sales" ON "link_stat"("workspace_pk", "sale_amount") WHERE (sale_amount > 0);

CREATE TABLE "customer" (
    "pk" BIGSERIAL NOT NULL,
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "external_hash" BYTEA NOT NULL,
    "key_version" SMALLINT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "link_pk" BIGINT,
    "click_at" TIMESTAMPTZ(3) NOT NULL,
    "click_id" UUID NOT NULL,
    "country" TEXT,
    "sales" INTEGER NOT NULL DEFAULT 0,
    "sale_amount" BIGINT NOT NULL DEFAULT 0,
    "first_sale_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "customer_pkey" PRIMARY KEY ("pk")
);

CREATE UNIQUE INDEX "customer_id_key" ON "customer"("id");

CREATE UNIQUE INDEX "customer_external" ON "customer"("workspace_pk", "external_hash");

CREATE INDEX "customer_list" ON "customer"("workspace_pk", "pk" DESC);

CREATE INDEX "customer_link" ON "customer"("link_pk");

ALTER TABLE "customer" ADD CONSTRAINT "customer_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- A lead or a sale, with what is known about its click: clicks themselves are kept for some months only. The columns of a
-- click have the names that they have in analytics.click, so that both are filtered and grouped by the same SQL.
CREATE TABLE analytics.conversion (
    pk BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at TIMESTAMPTZ(3) NOT NULL,
    id UUID NOT NULL,
    workspace_pk INTEGER NOT NULL,
    link_pk BIGINT NOT NULL,
    domain_pk INTEGER NOT NULL,
    -- Null: the customer was erased.
    customer_pk BIGINT,
    -- False: a public key reported it.
    verified BOOLEAN NOT NULL,
    sale BOOLEAN NOT NULL,
    -- The first sale of its customer.
    first_sale BOOLEAN NOT NULL DEFAULT false,
    quantity INTEGER NOT NULL DEFAULT 1,
    event_name TEXT NOT NULL,
    -- In the minor unit of the currency of the instance.
    amount BIGINT NOT NULL DEFAULT 0,
    -- As it was reported.
    given_amount BIGINT NOT NULL DEFAULT 0,
    currency TEXT,
    processor TEXT,
    invoice_id TEXT,
    key_version SMALLINT,
    -- Encrypted.
    metadata BYTEA,
    click_at TIMESTAMPTZ(3) NOT NULL,
    click_id UUID NOT NULL,
    qr BOOLEAN NOT NULL,
    continent TEXT,
    country TEXT,
    region TEXT,
    city TEXT,
    device TEXT,
    browser TEXT,
    os TEXT,
    language TEXT,
    referer TEXT,
    referer_url TEXT,
    utm_source TEXT,
    utm_medium TEXT,
    utm_campaign TEXT,
    utm_term TEXT,
    utm_content TEXT,
    url TEXT
);

-- A lead is counted once per customer and event, a sale once per invoice.
CREATE UNIQUE INDEX conversion_lead ON analytics.conversion (customer_pk, event_name) WHERE NOT sale;

CREATE UNIQUE INDEX conversion_invoice ON analytics.conversion (workspace_pk, invoice_id, verified) WHERE invoice_id IS NOT NULL;

CREATE INDEX conversion_workspace ON analytics.conversion (workspace_pk, at);

CREATE INDEX conversion_link ON analytics.conversion (link_pk, at);

CREATE INDEX conversion_customer ON analytics.conversion (customer_pk);
