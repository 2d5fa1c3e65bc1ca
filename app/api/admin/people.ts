/** POST /api/admin/people/{id}/…: changes of accounts, each with a reason. */
import { z } from "@hono/zod-openapi";
import {
  addOperator,
  dropPersonFactor,
  endPersonSessions,
  removeOperator,
  resendConfirmation,
} from "#lib/office/people";
import { reasonField } from "#lib/tenancy/operators/schema";
import { OfficeResource } from "../router.ts";

export const people = new OfficeResource();

const idCharsMax = 100;

const changes = {
  "resend-confirmation": resendConfirmation,
  "end-sessions": endPersonSessions,
  "turn-off-factor": dropPersonFactor,
  "make-administrator": addOperator,
  "remove-administrator": removeOperator,
};

for (const [name, change] of Object.entries(changes)) {
  people.answer(`post /people/{id}/${name}`, {
    summary: `Person: ${name}`,
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
