/** Requested emails, sent by a worker. */
import { z } from "zod";
import {
  type EmailTokenPurpose,
  emailTokenMinutes,
  issueEmailToken,
} from "#lib/identity/email-tokens";
import { config } from "#lib/platform/config";
import { sendEmail } from "#lib/platform/mail";
import { transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { findAccountPk, isEmailFree } from "./store.ts";

const pages: Record<EmailTokenPurpose, string> = {
  reset: "/reset",
  signin: "/signin/letter",
  email: "/verify",
};

const emailRequest = z.object({
  /** held: a sign-up with an address that already has an account. */
  purpose: z.enum(["reset", "signin", "email", "held"]),
  email: z.string(),
  locale: z.string(),
  /** The account that changes its address; null: the email is for the owner of the address. */
  userPk: z.int().nullable(),
});

export const sendEmailJob = defineJob({
  name: "account.letter",
  schema: emailRequest,
  concurrency: 4,
  // Run twice, it sends two emails, each valid until one is used.
  handle: sendTokenEmail,
});

async function sendTokenEmail({ purpose, email, locale, userPk }: z.output<typeof emailRequest>) {
  if (purpose === "held") {
    if ((await findAccountPk(email)) === undefined) return;
    await sendEmail({ email, locale }, "held", { address: `${config().FUXI_URL}/signin` });
    return;
  }
  const pk = userPk ?? (await findAccountPk(email));
  // An address of another account gets no email: there is nothing to confirm.
  if (pk === undefined || (userPk !== null && !(await isEmailFree(email, userPk)))) return;
  const token = await transaction((tx) => issueEmailToken(tx, purpose, { userPk: pk, email }));
  const address = `${config().FUXI_URL}${pages[purpose]}?token=${token}`;
  const minutes = emailTokenMinutes[purpose];
  await sendEmail({ email, locale }, purpose, { address, minutes, email });
}
