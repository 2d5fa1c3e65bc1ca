import { CustomerList } from "#components/customers/customer-list";
import { listCustomers } from "#lib/analytics/customers";
import { listCustomersQuery } from "#lib/analytics/customers/schema";
import { config } from "#lib/platform/config";
import { type ListPageOf, Texts, titleOf } from "../../../pages.tsx";
import { requireScope } from "../../access.ts";
import { findCustomerAction } from "./actions.ts";

const pageSize = 50;

export const generateMetadata = titleOf("customers.heading");

export default async function CustomersPage({ params, searchParams }: ListPageOf<"workspace">) {
  const [{ workspace }, asked] = await Promise.all([params, searchParams]);
  const scope = await requireScope(workspace);
  const given = listCustomersQuery.safeParse({ startingAfter: asked.after, pageSize });
  const query = given.success ? given.data : listCustomersQuery.parse({ pageSize });
  const customers = await listCustomers(scope, query);
  const path = `/app/${workspace}/customers`;
  const last = customers.length === query.pageSize ? customers.at(-1) : undefined;
  return (
    <Texts of={["customers"]}>
      <CustomerList
        customers={customers}
        path={path}
        zone={scope.zone}
        currency={config().FUXI_CURRENCY}
        pages={{
          first: query.startingAfter === undefined ? undefined : path,
          next: last ? `${path}?after=${last.id}` : undefined,
        }}
        find={findCustomerAction.bind(null, workspace)}
      />
    </Texts>
  );
}
