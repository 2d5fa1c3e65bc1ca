import { cache } from "react";
import { getLink } from "#lib/links/reading";
import { drawLinkCode } from "#lib/outreach/qr-templates";
import { AppError } from "#lib/platform/errors";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { orMissing } from "../../../../pages.tsx";
import { requireReader, requireScope } from "../../../access.ts";

/** The link of a page and the person’s scope, loaded once per request. */
export const openLink = cache(async (workspace: string, id: string) =>
  findLink(await requireScope(workspace), id),
);

/** Also for visitors of the public demo. */
export const readLink = cache(async (workspace: string, id: string) =>
  findLink(await requireReader(workspace), id),
);

async function findLink(scope: WorkspaceScope, id: string) {
  return { scope, ...(await orMissing(getLink(scope, id))) };
}

const pixels = 1_024;
const millimeters = 50;

/** The QR code of a link in its design, as a data URL; "" when that design cannot contain the link's URL. */
export async function drawCode(scope: WorkspaceScope, linkId: string): Promise<string> {
  try {
    const options = { format: "svg", size: pixels, millimeters } as const;
    const { body } = await drawLinkCode(scope, linkId, {}, options);
    return `data:image/svg+xml;base64,${Buffer.from(body).toString("base64")}`;
  } catch (error) {
    if (error instanceof AppError && error.code === "unprocessable_entity") return "";
    throw error;
  }
}
