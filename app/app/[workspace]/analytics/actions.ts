"use server";

import { createShare, getShareToken, revokeShare } from "#lib/analytics/shares";
import { newShare } from "#lib/analytics/shares/schema";
import { config } from "#lib/platform/config";
import type { ErrorMessageKey } from "#lib/platform/messages/schema";
import type { FormAnswer } from "../../../../components/forms/form.tsx";
import { action, formArgument, nameArgument } from "../../../action.ts";
import { refreshPages, runInWorkspace } from "../../access.ts";

export interface CreatedShare {
  name: string;
  address: string;
}

function addressOf(token: string): string {
  return `${config().FUXI_URL}/share/${token}`;
}

const messages: Readonly<Record<string, ErrorMessageKey>> = {
  name: "shareName",
  parts: "sharePartsMissing",
  password: "sharePasswordLength",
  endsAt: "shareEndPast",
};

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
    const parsed = newShare.safeParse(readForm(data));
    if (!parsed.success) {
      const names = parsed.error.issues.map(({ path }) => String(path[0]));
      const fields = names.map((name): [string, ErrorMessageKey] => [
        name,
        messages[name] ?? "unknown",
      ]);
      return { ok: false, fields: Object.fromEntries(fields) };
    }
    return await runInWorkspace(slug, async (scope) => {
      const { token } = await createShare(scope, parsed.data);
      refreshPages(slug);
      return { ok: true, done: { name: parsed.data.name, address: addressOf(token) } };
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
