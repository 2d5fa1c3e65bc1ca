-- From where something was done, as far as a request says it.
ALTER TABLE "audit" ADD COLUMN "address" TEXT,
ADD COLUMN "agent" TEXT;
