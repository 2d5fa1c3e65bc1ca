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
import { fileResponses, named, Resource } from "./router.ts";

const optOut = named("OptOut", optOutShape);

export const optOuts = new Resource("Opt-outs");

optOuts.answer("listOptOuts", "get /opt-outs", {
  ...access("campaigns.read", { personal: maskedAnswer }),
  summary: "List opt-outs",
  description: "Newest first. Without the permission `people.view`, phones are masked.",
  request: { query: listOptOutsQuery },
  returns: [200, z.array(optOut), "A page of opt-outs."],
  run: ({ scope, query }) => listOptOuts(scope, query),
});

optOuts.answer("addOptOuts", "post /opt-outs", {
  ...access("campaigns.write", { personal: ownAnswer }),
  summary: `Add up to ${optOutPhonesMax} phones to the opt-outs`,
  description: `These phones get no links and messages of campaigns from now on. Without the permission \`people.view\`, a call has at most ${optOutPhonesUnseen} phones, and ${limits.unseenOptOutsPerActor.max} calls are possible in 24 hours.`,
  request: { body: phonesBody },
  returns: [200, z.object(addedOptOutsShape.shape), "The number of added phone numbers."],
  run: ({ scope, body }) => addOptOuts(scope, body),
});

optOuts.answer("checkOptOuts", "post /opt-outs/check", {
  ...access("people.view", { personal: true }),
  summary: "Check which phones have opted out",
  description: "Needs the permission `people.view`.",
  request: { body: phonesBody },
  returns: [200, z.object(checkedOptOutsShape.shape), "The phones that have opted out."],
  run: ({ scope, body }) => checkOptOuts(scope, body),
});

optOuts.respond("exportOptOuts", "get /opt-outs/export", {
  ...access("people.view", { personal: true }),
  summary: "Export the opt-outs",
  description:
    "Streams the phones, newest first, without people who were erased. Needs the permission `people.view`; each export is recorded in the audit log. In CSV files, phones have digits only.",
  request: { query: exportOptOutsQuery },
  responses: fileResponses(Object.values(recordTypes), "The file."),
  run: async ({ c, scope, query }) => sendFile(c, await exportOptOuts(scope, query)),
});

optOuts.answer("deleteOptOut", "delete /opt-outs/{id}", {
  ...access("campaigns.write", { also: "people.view", personal: true }),
  summary: "Delete an opt-out",
  description:
    "The phone can get messages again. Needs the permission `people.view` too, which only owners, admins and their API keys have.",
  request: {
    params: z.object({ id: z.string().openapi({ example: "opt_01KAYV5M3EJ2Q4R8ZC7D0N6XWB" }) }),
  },
  returns: [200, z.object({ id: z.string() }), "The id of the deleted opt-out."],
  run: ({ scope, params }) => deleteOptOut(scope, params.id),
});
