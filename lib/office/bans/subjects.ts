/** Finds what administrators name when they ban something. */

import { domainToASCII } from "node:url";
import { presentId } from "#lib/basics/ids";
import { parseUrl } from "#lib/basics/urls/schema";
import { shortUrl } from "#lib/links/hosts";
import { findNamedLink, type NamedLink } from "#lib/office/links";
import { config } from "#lib/platform/config";
import { AppError } from "#lib/platform/errors";
import { query, sql } from "#lib/platform/postgres";
import type { BanKind } from "#lib/tenancy/bans/schema";

export interface BanSubject {
  subject: string;
  name: string;
  workspacePk: number | null;
  userPk: number | null;
  link: NamedLink | null;
}

/** Throws if the subject does not exist, or must not be banned. */
export async function getSubject(kind: BanKind, text: string): Promise<BanSubject> {
  const found = await finders[kind](text.trim());
  if (found) return found;
  throw new AppError("not_found", missing[kind], { problem: `ban_${kind}` });
}

const missing: Record<BanKind, string> = {
  link: "Link not found. Enter its short URL or ID.",
  host: "This isn’t a host. Enter one such as example.com.",
  workspace: "Workspace not found. Enter its slug or ID.",
  user: "Person not found. Enter their email address or ID.",
};

const finders: Record<BanKind, (text: string) => Promise<BanSubject | undefined>> = {
  link: async (text) => {
    const link = await findNamedLink(text);
    if (!link) return undefined;
    const { id, slug, key, workspacePk } = link;
    const subject = presentId("link", id);
    return { subject, name: shortUrl(slug, key), workspacePk, userPk: null, link };
  },
  host: (text) => Promise.resolve(hostSubject(text)),
  workspace: findWorkspace,
  user: findUser,
};

function parseHost(text: string): string | undefined {
  const bare = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "").replace(/^\*\./, "");
  const host = parseUrl(`http://${bare}`)?.hostname.replace(/\.$/, "") ?? "";
  return domainToASCII(host) !== "" && host.includes(".") ? host : undefined;
}

function hostSubject(text: string): BanSubject | undefined {
  const host = parseHost(text);
  if (!host) return undefined;
  assertForeign(host);
  return { subject: host, name: host, workspacePk: null, userPk: null, link: null };
}

/** Links to the instance are refused anyway, and a ban of its host would stop its own pages. */
function assertForeign(host: string): void {
  const { FUXI_URL, FUXI_SHORT_HOST } = config();
  const own = [new URL(FUXI_URL).hostname, FUXI_SHORT_HOST ?? ""];
  if (!own.some((one) => one === host || one.endsWith(`.${host}`))) return;
  throw new AppError(
    "unprocessable_entity",
    `${host} is a host of this instance. Ban a link or a workspace instead.`,
    { problem: "ban_own_host", params: { host } },
  );
}

async function findWorkspace(text: string): Promise<BanSubject | undefined> {
  // Answered by workspace_id_key and workspace_slug_key.
  const [row] = await query<{ pk: number; id: string; name: string }>(sql`
    SELECT pk, id, name
    FROM workspace
    WHERE id = ${text}
      OR slug = ${text.toLowerCase()}`);
  if (!row) return undefined;
  return { subject: row.id, name: row.name, workspacePk: row.pk, userPk: null, link: null };
}

async function findUser(text: string): Promise<BanSubject | undefined> {
  // Answered by app_user_id_key and app_user_email_key.
  const [row] = await query<{ pk: number; id: string; email: string; operator: boolean }>(sql`
    SELECT pk, id, email, operator
    FROM app_user
    WHERE id = ${text}
      OR email = ${text.toLowerCase()}`);
  if (!row) return undefined;
  // defence: operators-not-banned
  if (row.operator) {
    throw new AppError(
      "unprocessable_entity",
      "This person is an administrator. Remove them as an administrator before you ban them.",
      { problem: "ban_administrator" },
    );
  }
  return { subject: row.id, name: row.email, workspacePk: null, userPk: row.pk, link: null };
}
