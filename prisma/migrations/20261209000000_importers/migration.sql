-- What a link was at the system that it comes from: system, shortLink, clicks, createdAt. Null: it was created here.
ALTER TABLE "link" ADD COLUMN "origin" JSONB;

-- Finds the links that were imported before.
CREATE INDEX "link_origin" ON "link"("workspace_pk", ("origin" ->> 'shortLink')) WHERE (("origin" ->> 'shortLink') IS NOT NULL);

-- Of imports that were read from another system: which one, its domains, and what will not come along.
ALTER TABLE "import" ADD COLUMN "source" JSONB;

CREATE TABLE "importer" (
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "user_pk" INTEGER NOT NULL,
    "api_key_pk" INTEGER,
    "system" TEXT NOT NULL,
    "address" TEXT,
    "sealed" BYTEA,
    "clicks" BOOLEAN NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "cursor" JSONB,
    "pages" INTEGER NOT NULL DEFAULT 0,
    "found" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER,
    "counts" JSONB NOT NULL DEFAULT '{}',
    "failures" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "import_id" TEXT NOT NULL,
    "error" TEXT,
    "problem" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "resumes_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "importer_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "importer_workspace_pk_created_at_idx" ON "importer"("workspace_pk", "created_at" DESC);

CREATE INDEX "importer_open" ON "importer"("created_at") WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));

ALTER TABLE "importer" ADD CONSTRAINT "importer_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "importer_page" (
    "importer_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "sealed" BYTEA NOT NULL,

    CONSTRAINT "importer_page_pkey" PRIMARY KEY ("importer_id","number")
);

ALTER TABLE "importer_page" ADD CONSTRAINT "importer_page_importer_id_fkey" FOREIGN KEY ("importer_id") REFERENCES "importer"("id") ON DELETE CASCADE ON UPDATE CASCADE;
