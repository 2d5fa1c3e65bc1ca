-- Of the secret that everything in the database is sealed with. Noted at the next start.
ALTER TABLE "installation" ADD COLUMN "secret_fingerprint" TEXT;

-- Keys of earlier secrets, for addresses in messages that were sent.
CREATE TABLE "former_key" (
  "pk" SERIAL NOT NULL,
  "purpose" TEXT NOT NULL,
  "sealed" BYTEA NOT NULL,

  CONSTRAINT "former_key_pkey" PRIMARY KEY ("pk")
);
