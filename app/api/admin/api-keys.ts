/** /api/admin/api-keys: API keys that wait for an administrator. */
import { createRoute, z } from "@hono/zod-openapi";
import { approveKey, declineKey, listPendingKeys } from "#lib/identity/api-keys";
import { pendingKeyShape } from "#lib/identity/api-keys/schema";
import { reasonField } from "#lib/tenancy/operators/schema";
import { jsonBody, newRouter, responses } from "../router.ts";

export const apiKeys = newRouter();

apiKeys.openapi(
  createRoute({
    method: "get",
    path: "/api-keys",
    summary: "List pending API keys",
    responses: responses(200, z.array(pendingKeyShape), "The oldest 100 that are pending."),
  }),
  async (c) => c.json(await listPendingKeys(c.get("operator")), 200),
);

const idCharsMax = 100;
const decisions = { approve: approveKey, decline: declineKey };

for (const [verb, decide] of Object.entries(decisions)) {
  apiKeys.openapi(
    createRoute({
      method: "post",
      path: `/api-keys/{id}/${verb}`,
      summary: `Pending API key: ${verb}`,
      request: {
        params: z.object({ id: z.string().min(1).max(idCharsMax) }),
        ...jsonBody(z.strictObject({ reason: reasonField })),
      },
      responses: responses(200, z.object({ id: z.string() }), "Changed."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await decide(c.get("operator"), id, c.req.valid("json").reason);
      return c.json({ id }, 200);
    },
  );
}
