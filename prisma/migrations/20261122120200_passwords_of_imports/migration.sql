-- Passwords of links in an uploaded file are erased once the import has ended; the sweep finds files that still have some.
ALTER TABLE "import" ADD COLUMN "passwords_erased_at" TIMESTAMPTZ(3);
