"use server";

import type { FormAnswer } from "#components/forms/form";
import { eraseContact, listContacts } from "#lib/audience/contacts";
import { type Contact, listContactsQuery } from "#lib/audience/contacts/schema";
import { nameArgument } from "../../../action.ts";
import { answerAction, changeAction } from "../../workspace-action.ts";
import { withFormErrors } from "../listing.ts";

/** An action, not a URL: logs must not contain phones and email addresses. */
export const findContactAction = answerAction(
  [nameArgument],
  async (scope, person): Promise<FormAnswer<Contact | null>> => {
    const query = listContactsQuery.safeParse({ person, pageSize: 1 });
    if (!query.success) return { ok: false, form: "contactSearch" };
    const answer = await withFormErrors(() => listContacts(scope, query.data), {
      unprocessable_entity: { form: "contactSearch" },
    });
    return answer.ok ? { ok: true, done: answer.done[0] ?? null } : answer;
  },
);

export const eraseContactAction = changeAction([nameArgument], eraseContact);
