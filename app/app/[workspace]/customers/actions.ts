"use server";

import type { FormAnswer } from "#components/forms/form";
import { eraseCustomer, listCustomers } from "#lib/analytics/customers";
import { type ListedCustomer, listCustomersQuery } from "#lib/analytics/customers/schema";
import { action, nameArgument } from "../../../action.ts";
import { refreshPages, runInWorkspace } from "../../access.ts";

/** An action, and no address: an external id can be an email address, which must not be in logs. */
export const findCustomerAction = action(
  [nameArgument, nameArgument],
  async (slug, externalId): Promise<FormAnswer<ListedCustomer | null>> => {
    return await runInWorkspace(slug, async (scope) => {
      const query = listCustomersQuery.parse({ externalId, pageSize: 1 });
      const [found] = await listCustomers(scope, query);
      return { ok: true, done: found ?? null };
    });
  },
);

export const eraseCustomerAction = action(
  [nameArgument, nameArgument],
  async (slug, id): Promise<FormAnswer<null>> => {
    return await runInWorkspace(slug, async (scope) => {
      await eraseCustomer(scope, id);
      refreshPages(slug);
      return { ok: true, done: null };
    });
  },
);
