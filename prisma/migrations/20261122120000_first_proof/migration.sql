-- Keys of accounts whose address nobody has proven may be in production: they survive the proof, and the owner decides.
ALTER TABLE "api_key" ADD COLUMN "unproven" BOOLEAN NOT NULL DEFAULT false;
UPDATE "api_key" SET "unproven" = true
FROM "app_user"
WHERE "app_user"."pk" = "api_key"."user_pk" AND "app_user"."email_proven_at" IS NULL;

CREATE INDEX "api_key_user_pk_idx" ON "api_key"("user_pk");
CREATE INDEX "invitation_invited_by_idx" ON "invitation"("invited_by");
CREATE INDEX "share_made_by_idx" ON "share"("made_by");
