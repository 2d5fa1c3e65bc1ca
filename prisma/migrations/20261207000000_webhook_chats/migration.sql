-- The language of messages to chats, and why a webhook was disabled: "gone" or "failing"; null also for earlier ones.
ALTER TABLE "webhook" ADD COLUMN "language" TEXT NOT NULL DEFAULT 'en';
ALTER TABLE "webhook" ADD COLUMN "disabled_reason" TEXT;
