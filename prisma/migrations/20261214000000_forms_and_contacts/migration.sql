-- Forms that a link shows before it goes on, and the people who answered them.
CREATE TABLE "form" (
    "pk" SERIAL NOT NULL,
    "id" TEXT NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "revision" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "published" BOOLEAN NOT NULL DEFAULT false,
    "version" INTEGER NOT NULL,
    "content" JSONB NOT NULL,
    "personal" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "form_pkey" PRIMARY KEY ("pk")
);

CREATE UNIQUE INDEX "form_id_key" ON "form"("id");

CREATE UNIQUE INDEX "form_name" ON "form"("workspace_pk", "name") WHERE (deleted_at IS NULL);

CREATE TABLE "form_version" (
    "form_pk" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "content" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "form_version_pkey" PRIMARY KEY ("form_pk", "version")
);

CREATE TABLE "contact" (
    "pk" BIGSERIAL NOT NULL,
    "id" UUID NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "person_hash" BYTEA NOT NULL,
    "key_version" SMALLINT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "country" TEXT,
    "marketing" BOOLEAN NOT NULL,
    "answers" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "answered_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contact_pkey" PRIMARY KEY ("pk")
);

CREATE UNIQUE INDEX "contact_id_key" ON "contact"("id");

CREATE UNIQUE INDEX "contact_person" ON "contact"("workspace_pk", "person_hash");

CREATE INDEX "contact_list" ON "contact"("workspace_pk", "pk" DESC);

CREATE TABLE "contact_answer" (
    "pk" BIGSERIAL NOT NULL,
    "id" UUID NOT NULL,
    "workspace_pk" INTEGER NOT NULL,
    "contact_pk" BIGINT NOT NULL,
    "form_pk" INTEGER NOT NULL,
    "form_version" INTEGER NOT NULL,
    "link_pk" BIGINT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "marketing" BOOLEAN NOT NULL,
    "language" TEXT NOT NULL,
    "key_version" SMALLINT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "lead_due" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "contact_answer_pkey" PRIMARY KEY ("pk")
);

CREATE UNIQUE INDEX "contact_answer_id_key" ON "contact_answer"("id");

CREATE INDEX "contact_answer_contact" ON "contact_answer"("contact_pk", "pk" DESC);

CREATE INDEX "contact_answer_workspace" ON "contact_answer"("workspace_pk", "pk" DESC);

CREATE INDEX "contact_answer_form" ON "contact_answer"("form_pk");

CREATE INDEX "contact_answer_link" ON "contact_answer"("link_pk") WHERE (link_pk IS NOT NULL);

CREATE INDEX "contact_answer_lead" ON "contact_answer"("at") WHERE lead_due;

CREATE TABLE "contact_visit" (
    "contact_pk" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "click_id" UUID NOT NULL,
    "link_pk" BIGINT NOT NULL,

    CONSTRAINT "contact_visit_pkey" PRIMARY KEY ("contact_pk", "at", "click_id")
);

CREATE INDEX "contact_visit_link" ON "contact_visit"("link_pk");

ALTER TABLE "form" ADD CONSTRAINT "form_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "form_version" ADD CONSTRAINT "form_version_form_pk_fkey" FOREIGN KEY ("form_pk") REFERENCES "form"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "contact" ADD CONSTRAINT "contact_workspace_pk_fkey" FOREIGN KEY ("workspace_pk") REFERENCES "workspace"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "contact_answer" ADD CONSTRAINT "contact_answer_contact_pk_fkey" FOREIGN KEY ("contact_pk") REFERENCES "contact"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "contact_answer" ADD CONSTRAINT "contact_answer_form_pk_fkey" FOREIGN KEY ("form_pk") REFERENCES "form"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "contact_visit" ADD CONSTRAINT "contact_visit_contact_pk_fkey" FOREIGN KEY ("contact_pk") REFERENCES "contact"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "link" ADD COLUMN "form_id" TEXT;

CREATE INDEX "link_form" ON "link"("form_id", "id" DESC) WHERE (form_id IS NOT NULL);
