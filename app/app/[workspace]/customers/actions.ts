"use server";

import { eraseCustomer, listCustomers } from "#lib/analytics/customers";
import { type ListedCustomer, listCustomersQuery } from "#lib/analytics/customers/schema";
import { nameArgument } from "../../../action.ts";
import { changeAction, readAction } from "../../workspace-action.ts";

/** An action, not a URL: an external id can be an email address, which logs must not contain. */
export const findCustomerAction = readAction(
  [nameArgument],
  async (scope, externalId): Promise<ListedCustomer | null> => {
    const query = listCustomersQuery.parse({ externalId, pageSize: 1 });
    const [found] = await listCustomers(scope, query);
    return found ?? null;
  },
);

export const eraseCustomerAction = changeAction([nameArgument], eraseCustomer);
