/** POST /api/admin/people/{id}/…: changes of accounts, each with a reason. */
import { createRoute, z } from "@hono/zod-openapi";
import {
  addOperator,
  dropPersonFactor,
  endPersonSessions,
  removeOperator,
  resendConfirmation,
} from "#lib/office/people";
import { reasonField } from "#lib/tenancy/operators/schema";
import { jsonBody, newRouter, responses } from "../router.ts";

export const people = newRouter();

const idCharsMax = 100;

const changes = {
  "resend-confirmation": resendConfirmation,
  "end-sessions": endPersonSessions,
  "turn-off-factor": dropPersonFactor,
  "make-administrator": addOperator,
  "remove-administrator": removeOperator,
};

for (const [name, change] of Object.entries(changes)) {
  people.openapi(
    createRoute({
      method: "post",
      path: `/people/{id}/${name}`,
      summary: `Person: ${name}`,
      request: {
        params: z.object({ id: z.string().max(idCharsMax) }),
        ...jsonBody(z.strictObject({ reason: reasonField })),
      },
      responses: responses(200, z.object({ id: z.string() }), "Changed."),
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      await change(c.get("operator"), id, c.req.valid("json").reason);
      return c.json({ id }, 200);
    },
  );
}
