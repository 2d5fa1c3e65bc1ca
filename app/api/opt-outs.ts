/** The opt-outs of a workspace over the API. */
import { z } from "@hono/zod-openapi";
import {
  addOptOuts,
  checkOptOuts,
  deleteOptOut,
  exportOptOuts,
  listOptOuts,
} from "#lib/outreach/opt-outs";
import {
  addedOptOutsShape,
  checkedOptOutsShape,
  exportOptOutsQuery,
  listOptOutsQuery,
  optOutPhonesMax,
  optOutPhonesUnseen,
  optOutShape,
  phonesBody,
} from "#lib/outreach/opt-outs/schema";
import { recordTypes } from "#lib/platform/downloads/schema";
import { limits } from "#lib/platform/limits";
import { access, maskedAnswer, ownAnswer } from "./access.ts";
import { sendFile } from "./download.ts";
import { createRoute, fileResponses, jsonBody, newRouter, responses } from "./router.ts";

const tags = ["Opt-outs"];
// Created again: only schemas created after loading the OpenAPI extension have its methods.
const optOut = z.object(optOutShape.shape).openapi("OptOut");

const list = createRoute({
  method: "get",
  path: "/opt-outs",
  operationId: "listOptOuts",
  ...access("campaigns.read", { personal: maskedAnswer }),
  tags,
  summary: "List opt-outs",
  description: "Newest first. Without the permission `people.view`, phones are masked.",
  request: { query: listOptOutsQuery },
  responses: responses(200, z.array(optOut), "A page of opt-outs."),
});

const add = createRoute({
  method: "post",
  path: "/opt-outs",
  operationId: "addOptOuts",
  ...access("campaigns.write", { personal: ownAnswer }),
  tags,
  summary: `Add up to ${optOutPhonesMax} phones to the opt-outs`,
  description: `These phones get no links and messages of campaigns from now on. Without the permission \`people.view\`, a call has at most ${optOutPhonesUnseen} phones, and ${limits.unseenOptOutsPerActor.max} calls are possible in 24 hours.`,
  request: jsonBody(phonesBody),
  responses: responses(200, z.object(addedOptOutsShape.shape), "How many were added."),
});

const check = createRoute({
  method: "post",
  path: "/opt-outs/check",
  operationId: "checkOptOuts",
  ...access("people.view", { personal: true }),
  tags,
  summary: "Check which phones have opted out",
  description: "Needs the permission `people.view`.",
  request: jsonBody(phonesBody),
  responses: responses(200, z.object(checkedOptOutsShape.shape), "The phones that have opted out."),
});

const exportFile = createRoute({
  method: "get",
  path: "/opt-outs/export",
  operationId: "exportOptOuts",
  ...access("people.view", { personal: true }),
  tags,
  summary: "Export the opt-outs",
  description:
    "Streams the phones, newest first, without people who were erased. Needs the permission `people.view`; each export is recorded in the audit log. In CSV files, phones have digits only.",
  request: { query: exportOptOutsQuery },
  responses: fileResponses(Object.values(recordTypes), "The file."),
});

const remove = createRoute({
  method: "delete",
  path: "/opt-outs/{id}",
  operationId: "deleteOptOut",
  ...access("campaigns.write", { also: "people.view", personal: true }),
  tags,
  summary: "Delete an opt-out",
  description:
    "The phone can get messages again. Needs the permission `people.view` too, which only owners, admins and their API keys have.",
  request: {
    params: z.object({ id: z.string().openapi({ example: "opt_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }) }),
  },
  responses: responses(200, z.object({ id: z.string() }), "The id of the deleted opt-out."),
});

export const optOuts = newRouter();

optOuts.openapi(list, async (c) =>
  c.json(await listOptOuts(c.get("scope"), c.req.valid("query")), 200),
);
optOuts.openapi(add, async (c) =>
  c.json(await addOptOuts(c.get("scope"), c.req.valid("json")), 200),
);
optOuts.openapi(check, async (c) =>
  c.json(await checkOptOuts(c.get("scope"), c.req.valid("json")), 200),
);
optOuts.openapi(exportFile, async (c) =>
  sendFile(c, await exportOptOuts(c.get("scope"), c.req.valid("query"))),
);
optOuts.openapi(remove, async (c) =>
  c.json(await deleteOptOut(c.get("scope"), c.req.valid("param").id), 200),
);
