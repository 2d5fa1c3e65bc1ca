-- Whether links are distributed over Citus workers; db:distribute replaces it.
CREATE FUNCTION links_distributed() RETURNS BOOLEAN LANGUAGE sql STABLE AS $$ SELECT false $$;

-- External ids of distributed links: a unique index of link would have to contain what distributes it, its primary key.
CREATE TABLE "link_external_id" (
    "workspace_pk" INTEGER NOT NULL,
    "external_id" TEXT NOT NULL,
    "link_pk" BIGINT NOT NULL,

    CONSTRAINT "link_external_id_pkey" PRIMARY KEY ("workspace_pk", "external_id")
);
