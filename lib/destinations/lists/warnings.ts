import { z } from "zod";
import { config } from "#lib/platform/config";
import { sendEmail } from "#lib/platform/mail";
import { query, sql } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { instanceListKinds, problemMessage } from "./schema.ts";
import { findLists } from "./store.ts";

/** Emails administrators when the source of an instance’s list starts to fail. */
export const warnListsJob = defineJob({
  name: "destinations.warn",
  schema: z.object({ kind: z.enum(instanceListKinds) }),
  // Run twice, it sends two emails. If the list was repaired meanwhile, it sends none.
  handle: async ({ kind }) => {
    const list = (await findLists(null)).find((one) => one.kind === kind);
    if (!list?.problem) return;
    const values = {
      address: `${config().FUXI_URL}/admin/lists`,
      list: kind,
      problem: problemMessage(list.problem),
    };
    // SQL, because imports load this room and must not load Prisma. Answered by app_user_operator.
    const operators = await query<{ email: string; locale: string | null }>(
      sql`SELECT email, locale FROM app_user WHERE operator AND email_proven_at IS NOT NULL`,
    );
    for (const { email, locale } of operators) {
      await sendEmail({ email, locale: locale ?? "en" }, "listFailing", values);
    }
  },
});
