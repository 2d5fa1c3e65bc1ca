-- What administrators announce to everyone who is signed in.
CREATE TABLE "announcement" (
  "pk" SERIAL NOT NULL,
  "id" TEXT NOT NULL,
  "text_en" TEXT NOT NULL,
  "text_zh" TEXT NOT NULL,
  "url" TEXT,
  "level" TEXT NOT NULL,
  "starts_at" TIMESTAMPTZ(3) NOT NULL,
  "ends_at" TIMESTAMPTZ(3) NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "announcement_pkey" PRIMARY KEY ("pk"),
  CONSTRAINT "announcement_level" CHECK ("level" IN ('info', 'warning'))
);

CREATE UNIQUE INDEX "announcement_id_key" ON "announcement"("id");

-- Answers which are shown now: each page asks.
CREATE INDEX "announcement_shown" ON "announcement"("ends_at");

-- Who closed an announcement.
CREATE TABLE "announcement_closed" (
  "announcement_pk" INTEGER NOT NULL,
  "user_pk" INTEGER NOT NULL,
  CONSTRAINT "announcement_closed_pkey" PRIMARY KEY ("announcement_pk", "user_pk")
);

CREATE INDEX "announcement_closed_user_pk_idx" ON "announcement_closed"("user_pk");

ALTER TABLE "announcement_closed"
  ADD CONSTRAINT "announcement_closed_announcement_pk_fkey" FOREIGN KEY ("announcement_pk")
  REFERENCES "announcement"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "announcement_closed"
  ADD CONSTRAINT "announcement_closed_user_pk_fkey" FOREIGN KEY ("user_pk")
  REFERENCES "app_user"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
