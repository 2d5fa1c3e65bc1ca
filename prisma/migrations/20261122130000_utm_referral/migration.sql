-- The parameter ref of UTM templates, and who created them.
ALTER TABLE "utm_template" ADD COLUMN "ref" TEXT;
ALTER TABLE "utm_template" ADD COLUMN "user_id" TEXT;
