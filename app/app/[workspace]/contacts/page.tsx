import { Contact } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { ContactList } from "#components/contacts/contact-list";
import { EmptyState } from "#components/ui/empty-state";
import { listContacts } from "#lib/audience/contacts";
import { listForms } from "#lib/audience/forms";
import { titleOf } from "../../../pages.ts";
import { Texts } from "../../../texts.tsx";
import { requireScope } from "../../access.ts";
import { findContactAction } from "./actions.ts";
import { filterOf, paramsOf, parseFilters } from "./query.ts";

const pageSize = 50;

export const generateMetadata = titleOf("contacts.heading");

interface ContactsPageProps {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ContactsPage({ params, searchParams }: ContactsPageProps) {
  const [{ workspace }, asked] = await Promise.all([params, searchParams]);
  const scope = await requireScope(workspace);
  const t = await getTranslations("contacts");
  if (!scope.permissions.has("people.view")) {
    return (
      <EmptyState icon={<Contact aria-hidden />} title={t("heading")} wholePage>
        {t("notYours")}
      </EmptyState>
    );
  }
  const filters = parseFilters(asked);
  const filter = filterOf(filters, scope.zone);
  const place = filters.after === "" ? {} : { startingAfter: filters.after };
  const [contacts, forms] = await Promise.all([
    listContacts(scope, { ...filter, ...place, pageSize }),
    listForms(scope),
  ]);
  const path = `/app/${workspace}/contacts`;
  const last = contacts.length === pageSize ? contacts.at(-1) : undefined;
  const chosen = paramsOf(filters);
  const address = (more: Record<string, string>) => {
    const search = new URLSearchParams({ ...chosen, ...more }).toString();
    return search === "" ? path : `${path}?${search}`;
  };
  const texts = Object.entries(filter).map(([name, value]) => [name, String(value)]);
  const exported = new URLSearchParams({ workspace, ...Object.fromEntries(texts) });
  return (
    <Texts of={["contacts"]}>
      <ContactList
        contacts={contacts}
        forms={forms.map(({ id, name }) => ({ id, name }))}
        form={forms.find(({ id }) => id === filters.form)?.name}
        isFiltered={Object.keys(chosen).length > 0}
        exportHref={`/api/contacts/export?${exported}`}
        path={path}
        formsPath={`/app/${workspace}/forms`}
        zone={scope.zone}
        pages={{
          first: filters.after === "" ? undefined : address({}),
          next: last ? address({ after: last.id }) : undefined,
        }}
        find={findContactAction.bind(null, workspace)}
      />
    </Texts>
  );
}
