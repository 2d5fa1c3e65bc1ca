/** Answers a visit inside WeChat with the page that opens its mini program. It is a click, like a redirect. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { InsideApps } from "#lib/links/link-cache/schema";
import { findBranding } from "./branding.ts";
import { eventTextOf } from "./click.ts";
import { pageHead } from "./document.ts";
import { withIcp } from "./icp.ts";
import { addressOfLink } from "./link-address.ts";
import { openTagPage, openTagSources, type SharedCard } from "./open-tag-page.ts";
import { forwardUrl, sendCounted, type Visit } from "./redirecting.ts";
import { newClickId, withClickId } from "./tracked.ts";
import type { SignedPage } from "./wechat-sites.ts";

/** A mini program that opens with a button of WeChat, and its URL Link, if there is one. */
export interface TaggedProgram {
  url: string;
  program: InsideApps;
  signed: SignedPage;
  urlLink: string | undefined;
}

export async function sendOpenTag(
  req: IncomingMessage,
  res: ServerResponse,
  visited: Visit,
  { url, program, signed, urlLink }: TaggedProgram,
  now: number,
): Promise<void> {
  const { target, query, tracked, contact } = visited;
  const id = tracked || contact ? newClickId(req) : undefined;
  const branding = await findBranding(target.workspacePk);
  const forwarded = await forwardUrl(target.url, visited);
  const webUrl = id !== undefined && tracked ? withClickId(forwarded, now, id) : forwarded;
  const page = withIcp(
    openTagPage({
      program,
      signed,
      card: cardOf(req, visited),
      urlLink,
      webUrl: (program.canContinue ?? true) ? webUrl : undefined,
      acceptLanguage: req.headers["accept-language"],
      branding,
    }),
    req,
  );
  const head = [...pageHead(page, openTagSources, branding), "Vary", "User-Agent"];
  sendCounted(req, res, page, head, {
    target,
    query,
    now,
    sentTo: eventTextOf(target, url),
    id,
    contact,
  });
}

/** The preview of the link. WeChat accepts a URL of the same domain only: the short link, without what the visit added. */
function cardOf(req: IncomingMessage, { target }: Visit): SharedCard | undefined {
  const card = target.extras?.card;
  if (!card?.title) return undefined;
  const { title, description = "", image = "" } = card;
  return { title, desc: description, link: addressOfLink(req, ""), imgUrl: image };
}
