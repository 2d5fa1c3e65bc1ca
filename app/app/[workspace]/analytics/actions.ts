"use server";

import type { FormAnswer } from "#components/forms/form";
import { createShare, getShareToken, revokeShare } from "#lib/analytics/shares";
import { newShare } from "#lib/analytics/shares/schema";
import { config } from "#lib/platform/config";
import { action, formArgument, nameArgument } from "../../../action.ts";
import { byField, parseBody } from "../../../form-data.ts";
import { refreshPages, runInWorkspace } from "../../access.ts";

export interface CreatedShare {
  name: string;
  address: string;
}

function addressOf(token: string): string {
  return `${config().FUXI_URL}/share/${token}`;
}

const messages = {
  name: "shareName",
  parts: "sharePartsMissing",
  password: "sharePasswordLength",
  endsAt: "shareEndPast",
} as const;

/** `subject` is "workspace", or a kind and an id separated by a colon. */
function readForm(data: FormData): Record<string, unknown> {
  const text = (name: string) => String(data.get(name) ?? "").trim() || undefined;
  const [kind, subjectId] = String(data.get("subject") ?? "").split(":", 2);
  const end = text("endsAt");
  return {
    name: text("name"),
    kind,
    subjectId,
    parts: data.getAll("parts"),
    annotations: data.get("annotations") !== null,
    daysMax: text("daysMax") === "all" ? undefined : text("daysMax"),
    password: text("password"),
    endsAt: end && `${end}T23:59:59Z`,
  };
}

export const createShareAction = action(
  [nameArgument, formArgument(["parts"])],
  async (slug, data): Promise<FormAnswer<CreatedShare>> => {
    const parsed = parseBody(readForm(data), newShare, byField(messages));
    if (!parsed.ok) return parsed;
    return await runInWorkspace(slug, async (scope) => {
      const { token } = await createShare(scope, parsed.value);
      refreshPages(slug);
      return { ok: true, done: { name: parsed.value.name, address: addressOf(token) } };
    });
  },
);

export const showShareAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<string>> => {
    return await runInWorkspace(slug, async (scope) => {
      return { ok: true, done: addressOf(await getShareToken(scope, id)) };
    });
  },
);

export const revokeShareAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await revokeShare(scope, id);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);
