import { z } from "@hono/zod-openapi";
import { approveKey, declineKey, listPendingKeys } from "#lib/identity/api-keys";
import { pendingKeyShape } from "#lib/identity/api-keys/schema";
import * as people from "#lib/office/people";
import { reasonField } from "#lib/tenancy/operators/schema";
import { readPlanOf, setPlan } from "#lib/tenancy/plan-changes";
import { planStateShape, setPlanBody } from "#lib/tenancy/plan-changes/schema";
import { OfficeResource } from "../router.ts";

export const accounts = new OfficeResource();

const idCharsMax = 100;

accounts.answer("get /api-keys", {
  summary: "List pending API keys",
  returns: [200, z.array(pendingKeyShape), "The oldest 100 that are pending."],
  run: ({ operator }) => listPendingKeys(operator),
});

const changes = {
  "people/{id}/resend-confirmation": people.resendConfirmation,
  "people/{id}/end-sessions": people.endPersonSessions,
  "people/{id}/turn-off-factor": people.dropPersonFactor,
  "people/{id}/make-administrator": people.addOperator,
  "people/{id}/remove-administrator": people.removeOperator,
  "api-keys/{id}/approve": approveKey,
  "api-keys/{id}/decline": declineKey,
};

for (const [path, change] of Object.entries(changes)) {
  accounts.answer(`post /${path}`, {
    summary: path,
    request: {
      params: z.object({ id: z.string().max(idCharsMax) }),
      body: z.strictObject({ reason: reasonField }),
    },
    returns: [200, z.object({ id: z.string() }), "Changed."],
    run: async ({ operator, params: { id }, body }) => {
      await change(operator, id, body.reason);
      return { id };
    },
  });
}

const path = "/workspaces/{id}/plan";
const params = z.object({ id: z.string().max(255) });

accounts.answer(`get ${path}`, {
  summary: "Get the plan of a workspace",
  request: { params },
  returns: [200, planStateShape, "The plan, the custom limits and the end date."],
  run: ({ operator, params }) => readPlanOf(operator, params.id),
});

accounts.answer(`put ${path}`, {
  summary: "Set the plan of a workspace",
  request: { params, body: setPlanBody },
  returns: [200, planStateShape, "The plan as it is now."],
  run: ({ operator, params: { id }, body }) => setPlan(operator, id, body),
});
