/** /api/admin/api-keys: API keys that wait for an administrator. */
import { z } from "@hono/zod-openapi";
import { approveKey, declineKey, listPendingKeys } from "#lib/identity/api-keys";
import { pendingKeyShape } from "#lib/identity/api-keys/schema";
import { reasonField } from "#lib/tenancy/operators/schema";
import { OfficeResource } from "../router.ts";

export const apiKeys = new OfficeResource();

apiKeys.answer("get /api-keys", {
  summary: "List pending API keys",
  returns: [200, z.array(pendingKeyShape), "The oldest 100 that are pending."],
  run: ({ operator }) => listPendingKeys(operator),
});

const idCharsMax = 100;
const decisions = { approve: approveKey, decline: declineKey };

for (const [verb, decide] of Object.entries(decisions)) {
  apiKeys.answer(`post /api-keys/{id}/${verb}`, {
    summary: `Pending API key: ${verb}`,
    request: {
      params: z.object({ id: z.string().min(1).max(idCharsMax) }),
      body: z.strictObject({ reason: reasonField }),
    },
    returns: [200, z.object({ id: z.string() }), "Changed."],
    run: async ({ operator, params: { id }, body }) => {
      await decide(operator, id, body.reason);
      return { id };
    },
  });
}
