"use client";

import { Contact as ContactIcon } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import type { FormAnswer } from "#components/forms/form";
import { ListPages } from "#components/shell/list-pages";
import { PageHead } from "#components/shell/page-head";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { DataTable } from "#components/ui/data-table";
import { EmptyState } from "#components/ui/empty-state";
import type { Contact } from "#lib/audience/contacts/schema";
import { ExactSearch } from "../named/exact-search.tsx";
import { ConfirmedPhone } from "./confirmed-phone.tsx";
import { ContactFilters } from "./contact-filters.tsx";
import { contactName } from "./contact-names.ts";

interface ContactListProps {
  contacts: readonly Contact[];
  /** The name of the form that they answered; undefined: any. */
  form: string | undefined;
  forms: readonly { id: string; name: string }[];
  isFiltered: boolean;
  /** All that match, as a file. */
  exportHref: string;
  /** Paths of this page, and of the forms. */
  path: string;
  formsPath: string;
  zone: string;
  pages: { first: string | undefined; next: string | undefined };
  find: (person: string) => Promise<FormAnswer<Contact | null>>;
}

/** The contacts of a workspace, newest first, and a search by phone or email address. */
export function ContactList(props: ContactListProps) {
  const { contacts, form, forms, isFiltered, exportHref, path, formsPath, pages, find } = props;
  const t = useTranslations("contacts");
  const [found, setFound] = useState<Contact>();
  const isUsed = contacts.length > 0 || pages.first !== undefined || isFiltered;
  return (
    <>
      <PageHead heading={t("heading")} note={form ? t("ofForm", { form }) : t("note")} />
      {isUsed ? (
        <>
          <ExactSearch messages="contacts" search={find} onFound={setFound} />
          <ContactFilters forms={forms} exportHref={exportHref} />
          {isFiltered ? (
            <p className="text-sm">
              <PrefetchLink href={path} className="text-accent underline">
                {t("clear")}
              </PrefetchLink>
            </p>
          ) : null}
          <ContactTable {...props} contacts={found ? [found] : contacts} />
          {found ? null : <ListPages {...pages} newest={t("newest")} older={t("older")} />}
        </>
      ) : (
        <EmptyState icon={<ContactIcon aria-hidden />} title={t("emptyTitle")}>
          {t("emptyText")}{" "}
          <PrefetchLink href={formsPath} className="text-accent underline">
            {t("toForms")}
          </PrefetchLink>
        </EmptyState>
      )}
    </>
  );
}

function ContactTable({ contacts, path, zone }: ContactListProps) {
  const t = useTranslations("contacts");
  const format = useFormatter();
  if (contacts.length === 0) {
    return (
      <EmptyState icon={<ContactIcon aria-hidden />} title={t("nothingTitle")}>
        {t("nothingText")}
      </EmptyState>
    );
  }
  const date = (at: string) =>
    format.dateTime(new Date(at), { dateStyle: "medium", timeZone: zone });
  return (
    <DataTable
      caption={t("heading")}
      rows={contacts}
      columns={[
        {
          heading: t("contact"),
          cellClass: "max-w-48 font-medium",
          cell: (contact) => (
            <PrefetchLink
              href={`${path}/${contact.id}`}
              className="block truncate hover:text-accent hover:underline"
            >
              {contactName(contact)}
            </PrefetchLink>
          ),
        },
        {
          heading: t("phone"),
          cellClass: "whitespace-nowrap text-ink-muted tabular-nums",
          cell: ({ phone, phoneConfirmed }) => (
            <>
              {phone ?? "–"}
              {phoneConfirmed ? <ConfirmedPhone /> : null}
            </>
          ),
        },
        {
          heading: t("email"),
          className: "hidden md:table-cell",
          cellClass: "max-w-56 truncate text-ink-muted",
          cell: ({ email }) => email ?? "–",
        },
        {
          heading: t("wechat"),
          className: "hidden lg:table-cell",
          cellClass: "max-w-40 truncate text-ink-muted",
          cell: ({ wechat: [user] }) => user?.nickname ?? user?.openid ?? "–",
        },
        {
          heading: t("marketing"),
          className: "hidden lg:table-cell",
          cellClass: "text-ink-muted",
          cell: ({ marketing }) => t(marketing ? "yes" : "no"),
        },
        {
          heading: t("answeredAt"),
          className: "hidden sm:table-cell",
          headClass: "text-right",
          cellClass: "text-right text-ink-muted",
          cell: ({ answeredAt }) => date(answeredAt),
        },
      ]}
    />
  );
}
