/** A copy of a link with everything except its names: a generated key, no externalId. */
import { parseId } from "#lib/basics/ids";
import type { LinkFailure } from "#lib/links/fields";
import { createLinkBody, type Link } from "#lib/links/fields/schema";
import { findDomain } from "#lib/links/hosts";
import { findRows, presentFound, presentLink } from "#lib/links/presenting";
import { withKnownLogo } from "#lib/links/qr-design";
import { withoutHidden } from "#lib/links/visible-links";
import { AppError } from "#lib/platform/errors";
import { assertMay, type WorkspaceScope } from "#lib/tenancy/access";
import { createCopy } from "./create.ts";

/** Fields that are not copied. UTM parameters are already in the URL. */
const ownFields = [
  "key",
  "externalId",
  "origin",
  "password",
  "archived",
  "tagId",
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_term",
  "utm_content",
] as const;

export async function duplicateLink(
  scope: WorkspaceScope,
  id: string,
): Promise<{ ok: true; link: Link } | LinkFailure> {
  assertMay(scope, "links.write");
  const uuid = parseId("link", id);
  const rows = uuid ? await findRows(scope.workspacePk, [uuid]) : [];
  // defence: hidden-link-not-duplicated
  const [row] = await withoutHidden(scope, rows);
  const [link] = row ? await presentFound(scope, [row]) : [];
  if (!row || !link) {
    throw new AppError("not_found", `Link "${id}" not found in this workspace.`);
  }
  const copied: Partial<Record<string, unknown>> = { ...link };
  for (const name of ownFields) delete copied[name];
  const body = createLinkBody.parse({
    ...copied,
    tagIds: link.tags.map((tag) => tag.id),
    disabled: link.disabledAt !== null,
    reuse: false,
  });
  // The public host takes no other links, so a copy gets the default domain.
  if ((await findDomain(scope, link.domain))?.isPublic) body.domain = undefined;
  if (body.qr) body.qr = await withKnownLogo(scope.workspacePk, body.qr);
  const options = { source: "dashboard", prefill: true } as const;
  const outcome = await createCopy(scope, body, row.password_hash, options);
  if (!outcome.ok) return outcome;
  if ("found" in outcome) throw new Error("Duplicating a link returned an existing link");
  const { row: copy, context } = outcome;
  return { ok: true, link: presentLink(copy, { ...context, folderId: row.folder_id }) };
}
