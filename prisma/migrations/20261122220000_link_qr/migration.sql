-- The design of a link's QR code. Null: the default template of the workspace, or a plain code.
ALTER TABLE "link" ADD COLUMN "qr" JSONB;

-- Answers the public image of a code in its saved design.
CREATE INDEX "link_qr" ON "link"("id") WHERE (qr IS NOT NULL);

-- Answers whether a link uses a logo.
CREATE INDEX "link_qr_logo" ON "link"("workspace_pk", ("qr" ->> 'logoId')) WHERE (("qr" ->> 'logoId') IS NOT NULL);
