/**
 * Announces links that entered the warning period: one notification per owner and admin, workspace and day, and one
 * email. The notification is written with the position; the emails are jobs, so that they are retried.
 */
import { z } from "zod";
import { config } from "#lib/platform/config";
import { sendEmail } from "#lib/platform/mail";
import { transaction } from "#lib/platform/postgres";
import { defineJob, enqueue } from "#lib/platform/queue";
import { addNotification } from "#lib/tenancy/notifications";
import { countDated, findWarned, listManagers, lockWarned, saveWarned } from "./store.ts";

export const warnJob = defineJob({
  name: "retirement.warn",
  schema: z.object({ workspacePk: z.int(), userPk: z.int(), links: z.int() }),
  handle: sendWarning,
});

/** Returns the number of announced links. */
export async function warn(workspacePk: number, now: Date, until: Date): Promise<number> {
  return await transaction(async (tx) => {
    const warned = await lockWarned(tx, workspacePk);
    if (!warned) return 0;
    const links = await countDated(tx, workspacePk, warned.warnedUntil ?? now, until);
    await saveWarned(tx, workspacePk, until);
    if (links === 0) return 0;
    const day = now.toISOString().slice(0, 10);
    for (const { userPk } of await listManagers(tx, workspacePk)) {
      const details = { links, until: until.toISOString() };
      await addNotification(tx, { workspacePk, userPk, kind: "links.retiring", details });
      // Before the commit: a warning that is sent twice is better than none. The id prevents most of these.
      await enqueue(warnJob, { workspacePk, userPk, links }, `${workspacePk}-${userPk}-${day}`);
    }
    return links;
  });
}

interface Warning {
  workspacePk: number;
  userPk: number;
  links: number;
}

async function sendWarning({ workspacePk, userPk, links }: Warning): Promise<void> {
  const person = await findWarned(workspacePk, userPk);
  if (!person) return;
  const { email, workspace, slug } = person;
  const address = `${config().FUXI_URL}/app/${slug}/links?status=retiring`;
  await sendEmail({ email, locale: person.locale ?? "en" }, "retiring", {
    address,
    workspace,
    links,
  });
}
