"use client";

import { BadgeCheck, Contact as ContactIcon } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import type { FormAnswer } from "#components/forms/form";
import { ListPages } from "#components/shell/list-pages";
import { PageHead } from "#components/shell/page-head";
import { PeriodFields } from "#components/shell/period-fields";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { everything, useUrlFilters } from "#components/shell/url-filters";
import { DataTable } from "#components/ui/data-table";
import { EmptyState } from "#components/ui/empty-state";
import { ExportMenu } from "#components/ui/export-menu";
import { SelectField } from "#components/ui/labeled";
import { Spinner } from "#components/ui/spinner";
import type { Contact } from "#lib/audience/contacts/schema";
import { ExactSearch } from "../named/exact-search.tsx";
import { contactName } from "./contact-names.ts";

interface ContactListProps {
  contacts: readonly Contact[];
  form: string | undefined;
  forms: readonly { id: string; name: string }[];
  isFiltered: boolean;
  exportHref: string;
  path: string;
  formsPath: string;
  zone: string;
  pages: { first: string | undefined; next: string | undefined };
  find: (person: string) => Promise<FormAnswer<Contact | null>>;
}

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

function ConfirmedPhone() {
  const t = useTranslations("contacts");
  return (
    <span title={t("phoneConfirmed")} className="ml-1.5 inline-block align-[-3px] text-accent">
      <BadgeCheck aria-hidden className="size-4" />
      <span className="sr-only">{t("phoneConfirmed")}</span>
    </span>
  );
}

interface ContactFiltersProps {
  forms: readonly { id: string; name: string }[];
  exportHref: string;
}

function ContactFilters({ forms, exportHref }: ContactFiltersProps) {
  const t = useTranslations("contacts");
  const { params, pending, set, select } = useUrlFilters();
  return (
    <search className="mb-5 grid grid-cols-2 items-end gap-3 lg:grid-cols-[1.2fr_1fr_auto_auto_auto]">
      <SelectField
        label={t("form")}
        {...select("form")}
        options={[
          { value: everything, label: t("anyForm") },
          ...forms.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <SelectField
        label={t("marketing")}
        {...select("marketing")}
        options={[
          { value: everything, label: t("anyMarketing") },
          { value: "true", label: t("yes") },
          { value: "false", label: t("no") },
        ]}
      />
      <PeriodFields labels={{ from: t("from"), to: t("to") }} filters={{ params, set }} />
      <ExportMenu
        label={t("export")}
        icon={pending ? <Spinner /> : undefined}
        className="col-span-2 h-9 lg:col-span-1 pointer-coarse:h-11"
        formats={["csv", "xlsx", "jsonl"]}
        hrefOf={(format) => `${exportHref}&format=${format}`}
      />
    </search>
  );
}
