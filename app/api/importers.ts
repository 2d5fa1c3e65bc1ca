import { z } from "@hono/zod-openapi";
import * as verbs from "#lib/transfer/importers";
import * as fields from "#lib/transfer/importers/schema";
import { access } from "./access.ts";
import { idParams, named, Resource } from "./router.ts";

const importer = named("Importer", fields.importerShape);
const params = idParams("impr", "The id of the import from another system.");

export const importers = new Resource("Imports");

importers.answer("createImporter", "post /importers", {
  ...access("links.write"),
  summary: "Read the links of another system",
  description: [
    `Reads up to ${fields.linksMax.toLocaleString("en")} links of Bitly, Short.io, Rebrandly, Dub, YOURLS or Shlink in the background, with a token of that system.`,
    "When it is `ready`, `importId` is an import to review and start. No links are created before that.",
    "The limits of the other system are respected: reading waits and continues by itself.",
  ].join(" "),
  request: { body: fields.newImporterBody },
  returns: [201, importer, "The queued importer."],
  run: ({ scope, body }) => verbs.createImporter(scope, body),
});

importers.answer("listImporters", "get /importers", {
  ...access("links.read"),
  summary: "List importers",
  description: `Returns your importers, newest first; owners and admins see those of all members. They are kept for ${fields.keptDays} days after their end.`,
  request: { query: fields.listImportersQuery },
  returns: [200, z.array(importer), "The importers."],
  run: ({ scope, query }) => verbs.listImporters(scope, query),
});

importers.answer("getImporter", "get /importers/{id}", {
  ...access("links.read"),
  summary: "Get an importer and its progress",
  description:
    "Shows how much was read from the other system. Ask again every few seconds until it is done.",
  request: { params },
  returns: [200, importer, "The importer."],
  run: ({ scope, params }) => verbs.getImporter(scope, params.id),
});

importers.answer("cancelImporter", "post /importers/{id}/cancel", {
  ...access("links.write"),
  summary: "Cancel an importer",
  description: "Deletes what was read, and the token.",
  request: { params },
  returns: [200, importer, "The canceled importer."],
  run: ({ scope, params }) => verbs.cancelImporter(scope, params.id),
});
