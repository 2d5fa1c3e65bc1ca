-- When the deletion of the links of an import was started.
ALTER TABLE "import" ADD COLUMN "undone_at" TIMESTAMPTZ(3);
