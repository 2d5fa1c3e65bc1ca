/** The demo: a workspace with realistic data, so that a new instance shows its features. */

import { randomBytes } from "node:crypto";
import { writeHistory } from "#lib/analytics/ingest";
import { uuidSource } from "#lib/basics/ids";
import { dayMs } from "#lib/basics/time/schema";
import { findRefused, loadDestinationRules, refusalMessage } from "#lib/destinations/lists";
import { createLinks, openLinks } from "#lib/links/creating";
import { createDomain, makePrimary } from "#lib/links/domains";
import { createDomainBody } from "#lib/links/domains/schema";
import { createLinkBody } from "#lib/links/fields/schema";
import { defaultHost } from "#lib/links/hosts";
import { backdateLinks } from "#lib/links/link-rows";
import { createTag } from "#lib/links/tags";
import { createGateway } from "#lib/outreach/gateway-accounts";
import { createGatewayBody } from "#lib/outreach/gateway-accounts/schema";
import { AppError } from "#lib/platform/errors";
import { log } from "#lib/platform/log";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { openOwnWorkspace } from "#lib/tenancy/workspaces";
import { demoSlug } from "#lib/tenancy/workspaces/schema";
import { type DemoLink, demoLinks, demoTags } from "./catalogue.ts";
import { type LinkPlace, makeTraffic } from "./traffic.ts";

const noWorkspacePk = 0;
/** Its messages go to the outbox of the demo. */
const demoGateway = createGatewayBody.parse({ name: "Demo outbox", settings: { kind: "demo" } });
const shopUrl = "https://www.alderpine.example/";

/** False if the demo exists, or if this instance refuses links to its shop. */
export async function seedDemo(now = Date.now()): Promise<boolean> {
  if (await isShopRefused()) return false;
  const own = await openOwnWorkspace({ name: "Alder & Pine (demo)", slug: demoSlug, demo: true });
  if (!own?.isNew) return false;
  const { scope } = own;
  await openLinks();
  for (const tag of demoTags) await createTag(scope, tag);
  await createGateway(scope, demoGateway);
  await makeLinks(scope, await makeDomain(scope));
  const { clicks, first } = makeTraffic(await backdatePlaces(scope, now), now);
  await writeHistory(scope.workspacePk, clicks, first);
  return true;
}

async function isShopRefused(): Promise<boolean> {
  const rules = await loadDestinationRules(noWorkspacePk);
  const refused = findRefused(rules, [shopUrl], (url) => new URL(url).hostname);
  if (refused) log.warn({ event: "demo.skipped", reason: refusalMessage(refused) });
  return refused !== undefined;
}

/** Every name below localhost leads to this machine; another domain would need DNS records. */
async function makeDomain(scope: WorkspaceScope): Promise<string | undefined> {
  if (defaultHost() !== "localhost") return undefined;
  const slug = "demo.localhost";
  const created = await createDomain(scope, createDomainBody.parse({ slug })).catch(ignoreTaken);
  if (!created) return undefined;
  await makePrimary(scope, slug);
  return slug;
}

/** Another workspace already serves the host. */
function ignoreTaken(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== "conflict") throw error;
}

/** Uses random slugs on the domain of the instance, where chosen ones would be taken from others. */
async function makeLinks(scope: WorkspaceScope, domain: string | undefined): Promise<void> {
  const bodies = demoLinks.map((link, at) => {
    const { title, tags } = link;
    const place =
      domain !== undefined && at % 3 > 0 ? { domain, key: link.name } : { domain: defaultHost() };
    return createLinkBody.parse({ url: urlOf(link), title, tagNames: tags, ...place });
  });
  const outcomes = await createLinks(scope, bodies, { source: "dashboard", prefill: false });
  for (const outcome of outcomes) if (!outcome.ok) throw new Error(outcome.message);
}

function urlOf({ path }: DemoLink): string {
  return `${shopUrl}${path}`;
}

async function backdatePlaces(scope: WorkspaceScope, now: number): Promise<LinkPlace[]> {
  const oldestFirst = [...demoLinks].sort((a, b) => b.ageDays - a.ageDays);
  const dated = oldestFirst.map((link) => {
    const at = now - link.ageDays * dayMs;
    const makeUuid = uuidSource(() => at, randomBytes);
    return { url: urlOf(link), uuid: makeUuid(), at: new Date(at) };
  });
  const rows = await backdateLinks(scope.workspacePk, dated);
  return demoLinks.map((link) => {
    const row = rows.find(({ url }) => url === urlOf(link));
    if (!row) throw new Error(`The demo link ${link.name} wasn’t created`);
    const { linkPk, domainPk } = row;
    return { link, linkPk, domainPk, workspacePk: scope.workspacePk, url: urlOf(link) };
  });
}
