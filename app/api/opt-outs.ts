import { z } from "@hono/zod-openapi";
import * as verbs from "#lib/outreach/opt-outs";
import * as fields from "#lib/outreach/opt-outs/schema";
import { recordTypes } from "#lib/platform/downloads/schema";
import { limits } from "#lib/platform/limits";
import { access, maskedAnswer, ownAnswer } from "./access.ts";
import { sendFile } from "./download.ts";
import { fileResponses, idParams, named, Resource } from "./router.ts";

const optOut = named("OptOut", fields.optOutShape);

export const optOuts = new Resource("Opt-outs");

optOuts.answer("listOptOuts", "get /opt-outs", {
  ...access("campaigns.read", { personal: maskedAnswer }),
  summary: "List opt-outs",
  description: "Newest first. Without the permission `people.view`, phones are masked.",
  request: { query: fields.listOptOutsQuery },
  returns: [200, z.array(optOut), "A page of opt-outs."],
  run: ({ scope, query }) => verbs.listOptOuts(scope, query),
});

optOuts.answer("addOptOuts", "post /opt-outs", {
  ...access("campaigns.write", { personal: ownAnswer }),
  summary: `Add up to ${fields.optOutPhonesMax} phones to the opt-outs`,
  description: `These phones get no links and messages of campaigns from now on. Without the permission \`people.view\`, a call has at most ${fields.optOutPhonesUnseen} phones, and ${limits.unseenOptOutsPerActor.max} calls are possible in 24 hours.`,
  request: { body: fields.phonesBody },
  returns: [200, z.object(fields.addedOptOutsShape.shape), "The number of added phone numbers."],
  run: ({ scope, body }) => verbs.addOptOuts(scope, body),
});

optOuts.answer("checkOptOuts", "post /opt-outs/check", {
  ...access("people.view", { personal: true }),
  summary: "Check which phones have opted out",
  description: "Needs the permission `people.view`.",
  request: { body: fields.phonesBody },
  returns: [200, z.object(fields.checkedOptOutsShape.shape), "The phones that have opted out."],
  run: ({ scope, body }) => verbs.checkOptOuts(scope, body),
});

optOuts.respond("exportOptOuts", "get /opt-outs/export", {
  ...access("people.view", { personal: true }),
  summary: "Export the opt-outs",
  description:
    "Streams the phones, newest first, without people who were erased. Needs the permission `people.view`; each export is recorded in the audit log. In CSV files, phones have digits only.",
  request: { query: fields.exportOptOutsQuery },
  responses: fileResponses(Object.values(recordTypes), "The file."),
  run: async ({ c, scope, query }) => sendFile(c, await verbs.exportOptOuts(scope, query)),
});

optOuts.answer("deleteOptOut", "delete /opt-outs/{id}", {
  ...access("campaigns.write", { also: "people.view", personal: true }),
  summary: "Delete an opt-out",
  description:
    "The phone can get messages again. Needs the permission `people.view` too, which only owners, admins and their API keys have.",
  request: {
    params: idParams("opt", "The id of the opt-out."),
  },
  returns: [200, z.object({ id: z.string() }), "The id of the deleted opt-out."],
  run: ({ scope, params }) => verbs.deleteOptOut(scope, params.id),
});
