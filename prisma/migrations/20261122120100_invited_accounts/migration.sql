-- An invitation that let someone sign up admits only them.
ALTER TABLE "invitation" ADD COLUMN "user_id" TEXT;
