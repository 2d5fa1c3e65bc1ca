-- Some notifications are also sent by email.
ALTER TABLE "notice" ADD COLUMN "mail_due" BOOLEAN NOT NULL DEFAULT false;

CREATE INDEX "notice_mail" ON "notice"("pk") WHERE mail_due;
