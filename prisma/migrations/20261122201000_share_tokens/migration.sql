-- The tokens of shares, encrypted, so that their URLs can be shown again.
ALTER TABLE "share" ADD COLUMN     "sealed_token" BYTEA;
