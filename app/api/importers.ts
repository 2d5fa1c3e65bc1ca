/** Importers: the links of another system, read with a token, become an import. */
import { z } from "@hono/zod-openapi";
import {
  cancelImporter,
  createImporter,
  getImporter,
  listImporters,
} from "#lib/transfer/importers";
import {
  importerShape,
  keptDays,
  linksMax,
  listImportersQuery,
  newImporterBody,
} from "#lib/transfer/importers/schema";
import { access } from "./access.ts";
import { createRoute, jsonBody, newRouter, responses } from "./router.ts";

const tags = ["Imports"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const importer = z.object(importerShape.shape).openapi("Importer");
const params = z.object({
  id: z.string().openapi({ example: "impr_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }),
});

const create = createRoute({
  method: "post",
  path: "/importers",
  operationId: "createImporter",
  ...access("links.write"),
  tags,
  summary: "Read the links of another system",
  description: [
    `Reads up to ${linksMax.toLocaleString("en")} links of Bitly, Short.io, Rebrandly, Dub, YOURLS or Shlink in the background, with a token of that system.`,
    "When it is `ready`, `importId` is an import to review and start: no links are created before.",
    "The limits of the other system are respected; reading goes on by itself.",
  ].join(" "),
  request: jsonBody(newImporterBody),
  responses: responses(201, importer, "The queued importer."),
});

const list = createRoute({
  method: "get",
  path: "/importers",
  operationId: "listImporters",
  ...access("links.read"),
  tags,
  summary: "List importers",
  description: `Returns your importers, newest first; owners and admins see those of all members. They are kept for ${keptDays} days after their end.`,
  request: { query: listImportersQuery },
  responses: responses(200, z.array(importer), "The importers."),
});

const get = createRoute({
  method: "get",
  path: "/importers/{id}",
  operationId: "getImporter",
  ...access("links.read"),
  tags,
  summary: "Get an importer and its progress",
  request: { params },
  responses: responses(200, importer, "The importer."),
});

const cancel = createRoute({
  method: "post",
  path: "/importers/{id}/cancel",
  operationId: "cancelImporter",
  ...access("links.write"),
  tags,
  summary: "Cancel an importer",
  description: "What was read is deleted, and so is the token.",
  request: { params },
  responses: responses(200, importer, "The canceled importer."),
});

export const importers = newRouter();

importers.openapi(create, async (c) =>
  c.json(await createImporter(c.get("scope"), c.req.valid("json")), 201),
);
importers.openapi(list, async (c) =>
  c.json(await listImporters(c.get("scope"), c.req.valid("query")), 200),
);
importers.openapi(get, async (c) =>
  c.json(await getImporter(c.get("scope"), c.req.valid("param").id), 200),
);
importers.openapi(cancel, async (c) =>
  c.json(await cancelImporter(c.get("scope"), c.req.valid("param").id), 200),
);
