/** Requested emails, sent by a worker. */
import { z } from "zod";
import { issueProof, type ProofPurpose, proofMinutes } from "#lib/identity/email-tokens";
import { config } from "#lib/platform/config";
import { sendLetter } from "#lib/platform/mail";
import { transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { findHolder, isFree } from "./store.ts";

const pages: Record<ProofPurpose, string> = {
  reset: "/reset",
  signin: "/signin/letter",
  email: "/verify",
};

const asked = z.object({
  /** held: a sign-up with an address that already has an account. */
  purpose: z.enum(["reset", "signin", "email", "held"]),
  email: z.string(),
  locale: z.string(),
  /** The account that changes its address; null: the email is for the owner of the address. */
  userPk: z.int().nullable(),
});

export const sendAsked = defineJob({
  name: "account.letter",
  schema: asked,
  concurrency: 4,
  // Run twice, it sends two emails, each valid until one is used.
  handle: sendProof,
});

async function sendProof({ purpose, email, locale, userPk }: z.output<typeof asked>) {
  if (purpose === "held") {
    if ((await findHolder(email)) === undefined) return;
    await sendLetter({ email, locale }, "held", { address: `${config().FUXI_URL}/signin` });
    return;
  }
  const pk = userPk ?? (await findHolder(email));
  // An address of another account gets no email: there is nothing to confirm.
  if (pk === undefined || (userPk !== null && !(await isFree(email, userPk)))) return;
  const token = await transaction((tx) => issueProof(tx, purpose, { userPk: pk, email }));
  const address = `${config().FUXI_URL}${pages[purpose]}?token=${token}`;
  const minutes = proofMinutes[purpose];
  await sendLetter({ email, locale }, purpose, { address, minutes, email });
}
