/**
 * Announces links that enter the warning period: per day, each owner and admin of a workspace gets
 * one notification and one email that names the first links. The notification is written with the
 * position. The emails are jobs, so that they are retried.
 */
import { z } from "zod";
import { parseUrl } from "#lib/basics/urls/schema";
import { shortUrl } from "#lib/links/hosts";
import { config } from "#lib/platform/config";
import { sendEmail } from "#lib/platform/mail";
import { transaction } from "#lib/platform/postgres";
import { defineJob, enqueue } from "#lib/platform/queue";
import { addNotification, listManagers } from "#lib/tenancy/notifications";
import { countDated, findWarned, listDated, lockWarned, saveWarned } from "./store.ts";

const namedMax = 10;

const warning = z.object({
  workspacePk: z.int(),
  userPk: z.int(),
  links: z.int(),
  /** When these links retire. Jobs of an earlier version lack it, and their emails name no link. */
  period: z.object({ after: z.iso.datetime(), until: z.iso.datetime() }).optional(),
});
type Warning = z.output<typeof warning>;

export const warnJob = defineJob({ name: "retirement.warn", schema: warning, handle: sendWarning });

export async function warn(workspacePk: number, now: Date, until: Date): Promise<number> {
  return await transaction(async (tx) => {
    const warned = await lockWarned(tx, workspacePk);
    if (!warned) return 0;
    const after = warned.warnedUntil ?? now;
    const links = await countDated(tx, workspacePk, after, until);
    await saveWarned(tx, workspacePk, until);
    if (links === 0) return 0;
    const day = now.toISOString().slice(0, 10);
    for (const userPk of await listManagers(tx, workspacePk)) {
      const details = { links, until: until.toISOString() };
      await addNotification(tx, { workspacePk, userPk, kind: "links.retiring", details });
      // Before the commit, because sending a warning twice is better than sending none.
      const period = { after: after.toISOString(), until: until.toISOString() };
      const job = { workspacePk, userPk, links, period };
      await enqueue(warnJob, job, { id: `${workspacePk}-${userPk}-${day}` });
    }
    return links;
  });
}

async function sendWarning({ workspacePk, userPk, links, period }: Warning): Promise<void> {
  const person = await findWarned(workspacePk, userPk);
  if (!person) return;
  const { email, workspace, slug } = person;
  const address = `${config().FUXI_URL}/app/${slug}/links?status=retiring`;
  await sendEmail({ email, locale: person.locale ?? "en" }, "retiring", {
    address,
    workspace,
    links,
    firstLinks: period ? await listFirst(workspacePk, period) : [],
  });
}

async function listFirst(workspacePk: number, { after, until }: NonNullable<Warning["period"]>) {
  const first = await listDated(workspacePk, new Date(after), new Date(until), namedMax);
  return first.map(({ slug, key, url }) => ({
    shortLink: shortUrl(slug, key),
    host: parseUrl(url)?.hostname ?? "",
  }));
}
