-- An uploaded file of links, and how far it was worked through.
CREATE TABLE "import" (
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "user_pk" INTEGER NOT NULL,
    "api_key_pk" INTEGER,
    "name" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "encoding" TEXT NOT NULL,
    "delimiter" TEXT NOT NULL,
    "records" INTEGER NOT NULL,
    "width" INTEGER NOT NULL,
    "head" JSONB NOT NULL,
    "mapping" JSONB NOT NULL,
    "options" JSONB NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'ready',
    "position" BIGINT NOT NULL DEFAULT 0,
    "done" INTEGER NOT NULL DEFAULT 0,
    "made" INTEGER NOT NULL DEFAULT 0,
    "refused" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "seen_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "import_pkey" PRIMARY KEY ("id")
);

-- What the rows of one transaction came to.
CREATE TABLE "import_chunk" (
    "import_id" TEXT NOT NULL,
    "first_row" INTEGER NOT NULL,
    "rows" INTEGER NOT NULL,
    "refused" INTEGER NOT NULL,
    "outcomes" BYTEA NOT NULL,

    CONSTRAINT "import_chunk_pkey" PRIMARY KEY ("import_id", "first_row")
);

-- CreateIndex
CREATE INDEX "import_workspace_pk_created_at_idx" ON "import"("workspace_pk", "created_at" DESC);

-- CreateIndex
CREATE INDEX "import_open" ON "import"("created_at") WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));

-- AddForeignKey
ALTER TABLE "import" ADD CONSTRAINT "import_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_chunk" ADD CONSTRAINT "import_chunk_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "import"("id") ON DELETE CASCADE ON UPDATE CASCADE;
