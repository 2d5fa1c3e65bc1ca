/** Suggests color and logo for visitor pages from the sites of a workspace. */
import sharp from "sharp";
import { parseUrl } from "#lib/basics/urls/schema";
import { findLook } from "#lib/destinations/pages";
import { listDomains } from "#lib/links/hosts";
import { listLinks } from "#lib/links/reading";
import { listLinksQuery } from "#lib/links/reading/schema";
import { AppError } from "#lib/platform/errors";
import type { Sender } from "#lib/platform/parsers";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { shrinkLogo } from "./logo.ts";
import type { BrandingSuggestion } from "./schema.ts";

/** Each site takes a few requests, and someone is waiting. */
const sitesMax = 2;
const linksMax = 20;

export async function suggestBranding(scope: WorkspaceScope): Promise<BrandingSuggestion> {
  // defence: page-look-needs-admin
  assertMay(scope, "workspace.write");
  const look = await findLook(scope, await listSites(scope));
  if (!look) return { site: null, color: null, logo: null };
  const logo = look.icon && (await shrink(look.icon, { workspaceId: scope.workspaceId }));
  return {
    site: new URL(look.site).host,
    color: look.color ?? (look.icon ? await vividColor(look.icon) : null),
    logo: logo?.toString("base64") ?? null,
  };
}

/** The site of the domain (`example.com` for `go.example.com`), then the most linked ones. */
async function listSites(scope: WorkspaceScope): Promise<string[]> {
  const [domains, links] = await Promise.all([
    listDomains(scope),
    listLinks(scope, listLinksQuery.parse({ pageSize: linksMax })),
  ]);
  const parents = domains
    .filter(({ workspacePk }) => workspacePk !== undefined)
    .map(({ slug }) => slug.split(".").slice(1))
    .filter((labels) => labels.length > 1)
    .map((labels) => `https://${labels.join(".")}`);
  const counts = new Map<string, number>();
  for (const { url } of links) {
    const site = parseUrl(url)?.origin ?? "null";
    if (site !== "null") counts.set(site, (counts.get(site) ?? 0) + 1);
  }
  const linked = [...counts].sort(([, a], [, b]) => b - a).map(([site]) => site);
  return [...new Set([...parents.slice(0, 1), ...linked])].slice(0, sitesMax);
}

async function shrink(icon: Buffer, sender: Sender): Promise<Buffer | undefined> {
  try {
    return await shrinkLogo(icon, sender);
  } catch (error) {
    if (error instanceof AppError && error.code !== "service_unavailable") return undefined;
    throw error;
  }
}

const side = 16;
/** From 0 to 255. A pixel with less chroma counts as gray, one with less alpha as transparent. */
const chromaMin = 60;
const alphaMin = 200;
/** Share of all pixels. A rarer color is only a detail of the icon. */
const shareMin = 0.1;

/** The mean of the colored pixels, or null if there are hardly any. */
export async function vividColor(icon: Buffer): Promise<string | null> {
  const pixels = await sharp(icon)
    .resize(side, side, { fit: "fill" })
    .ensureAlpha()
    .raw()
    .toBuffer();
  const sums = [0, 0, 0];
  let count = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    const channels = [...pixels.subarray(at, at + 3)];
    const chroma = Math.max(...channels) - Math.min(...channels);
    if (chroma < chromaMin || pixels.readUInt8(at + 3) < alphaMin) continue;
    channels.forEach((value, channel) => {
      sums[channel] = (sums[channel] ?? 0) + value;
    });
    count += 1;
  }
  if (count < shareMin * side * side) return null;
  return `#${sums
    .map((sum) =>
      Math.round(sum / count)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}
