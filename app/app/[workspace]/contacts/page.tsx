import { Contact } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { z } from "zod";
import { ContactList } from "#components/contacts/contact-list";
import { EmptyState } from "#components/ui/empty-state";
import { listContacts } from "#lib/audience/contacts";
import type { ContactFilter } from "#lib/audience/contacts/schema";
import { listForms } from "#lib/audience/forms";
import { type ListPageOf, Texts, titleOf } from "../../../pages.tsx";
import { requireScope } from "../../access.ts";
import { FormTabs } from "../forms/form-tabs.tsx";
import { midnightOf } from "../settings/audit/query.ts";
import { findContactAction } from "./actions.ts";

const pageSize = 50;

export const generateMetadata = titleOf("contacts.heading");

export default async function ContactsPage({ params, searchParams }: ListPageOf<"workspace">) {
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
      <FormTabs scope={scope} workspace={workspace} current="contacts" />
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

const day = z.iso.date().catch("");
const id = z.string().max(64).catch("");

const shape = z.object({
  form: id,
  link: id,
  marketing: z.enum(["true", "false"]).or(z.literal("")).catch(""),
  from: day,
  to: day,
  after: id,
});
type ContactPageFilters = z.output<typeof shape>;

function parseFilters(asked: Record<string, unknown>): ContactPageFilters {
  return shape.parse(asked);
}

function filterOf(
  { form, link, marketing, from, to }: ContactPageFilters,
  zone: string,
): ContactFilter {
  return {
    ...(form ? { formId: form } : {}),
    ...(link ? { linkId: link } : {}),
    ...(marketing ? { marketing: marketing === "true" } : {}),
    ...(from ? { start: midnightOf(from, zone, 0) } : {}),
    ...(to ? { end: midnightOf(to, zone, 1) } : {}),
  };
}

function paramsOf({ after: _, ...filters }: ContactPageFilters): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ""));
}
