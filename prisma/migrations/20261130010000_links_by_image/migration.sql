-- Answers which links use an uploaded image. A URL can be longer than an entry of an index.
CREATE INDEX "link_image" ON "link" (hashtextextended("image", "workspace_pk")) WHERE ((image IS NOT NULL));
