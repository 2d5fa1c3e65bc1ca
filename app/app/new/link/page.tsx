import { redirect } from "next/navigation";
import { newLinkParameters } from "#components/links/start-of-link.ts";
import { listWorkspaces } from "#lib/tenancy/workspaces";
import type { PageQuery } from "../../../pages.tsx";
import { requireUser } from "../../access.ts";

/**
 * Opened by the bookmarklet: the form of a new link, filled in with a page. Any site can open it, so nothing is created before
 * the form is submitted.
 */
export default async function NewLinkPage({ searchParams }: PageQuery) {
  const given = await searchParams;
  const text = (name: string) => [given[name]].flat()[0] ?? "";
  const filled = newLinkParameters({ url: text("url"), title: text("title") });
  const slug = text("workspace");
  const next = new URLSearchParams({ workspace: slug, url: text("url"), title: text("title") });
  const user = await requireUser(`/app/new/link?${next}`);
  const own = (await listWorkspaces(user.id, user.ssoWorkspacePk)).filter(({ demo }) => !demo);
  const chosen = own.find((one) => one.slug === slug) ?? own[0];
  redirect(chosen ? `/app/${chosen.slug}/links?${filled}` : "/app/new");
}
