"use server";

import type { FormAnswer } from "#components/forms/form";
import { eraseContact, listContacts } from "#lib/audience/contacts";
import { type Contact, listContactsQuery } from "#lib/audience/contacts/schema";
import { action, nameArgument } from "../../../action.ts";
import { refreshPages, runInWorkspace } from "../../access.ts";
import { withFormErrors } from "../listing.ts";

/** An action, and no address: phones and email addresses must not be in logs. */
export const findContactAction = action(
  [nameArgument, nameArgument],
  async (slug, person): Promise<FormAnswer<Contact | null>> => {
    return await runInWorkspace(slug, async (scope) => {
      const query = listContactsQuery.safeParse({ person, pageSize: 1 });
      if (!query.success) return { ok: false, form: "contactSearch" };
      const answer = await withFormErrors(() => listContacts(scope, query.data), {
        unprocessable_entity: { form: "contactSearch" },
      });
      return answer.ok ? { ok: true, done: answer.done[0] ?? null } : answer;
    });
  },
);

export const eraseContactAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await eraseContact(scope, id);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);
