"use server";

import type { FormAnswer } from "#components/forms/form";
import { createAnnotation, deleteAnnotation, editAnnotation } from "#lib/analytics/annotations";
import { annotationBody } from "#lib/analytics/annotations/schema";
import { createShare, getShareToken, revokeShare } from "#lib/analytics/shares";
import { newShare } from "#lib/analytics/shares/schema";
import { config } from "#lib/platform/config";
import { formArgument, nameArgument, readBy } from "../../../action.ts";
import { byField, parseBody } from "../../../form-data.ts";
import { changeAction, formAction, readAction } from "../../workspace-action.ts";

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

export const createShareAction = formAction(
  [
    readBy(formArgument(["parts"]), (data) =>
      parseBody(readForm(data), newShare, byField(messages)),
    ),
  ],
  async (scope, fields): Promise<FormAnswer<CreatedShare>> => {
    const { token } = await createShare(scope, fields);
    return { ok: true, done: { name: fields.name, address: addressOf(token) } };
  },
);

export const showShareAction = readAction([nameArgument], async (scope, id) =>
  addressOf(await getShareToken(scope, id)),
);

export const revokeShareAction = changeAction([nameArgument], revokeShare);

export const createAnnotationAction = changeAction([annotationBody], createAnnotation);

export const editAnnotationAction = changeAction([nameArgument, annotationBody], editAnnotation);

export const deleteAnnotationAction = changeAction([nameArgument], deleteAnnotation);
