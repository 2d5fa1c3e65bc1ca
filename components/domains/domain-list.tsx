"use client";

import { Globe, Plus, SearchX } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { PageHead } from "#components/shell/page-head";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { UrlSearch } from "#components/shell/url-filters";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { DataTable } from "#components/ui/data-table";
import { Dialog, DialogContent, DialogSubmit } from "#components/ui/dialog";
import { EmptyState } from "#components/ui/empty-state";
import { FormError } from "#components/ui/form-error";
import type { DomainView, Verification } from "#lib/links/domains/schema";
import { HostField } from "./host-field.tsx";
import { StateBadge } from "./state-badge.tsx";

interface ListedDomain extends DomainView {
  state: Verification["state"];
  written: string;
}

interface DomainListProps {
  path: string;
  domains: readonly ListedDomain[];
  search: string;
  /** The domain for new links of workspaces that have no domain of their own. */
  ownHost: string;
  /** The domains of the instance, which every workspace may use. */
  shared: readonly string[];
  add: FormAction<string> | null;
}

export function DomainList({ path, domains, search, ownHost, shared, add }: DomainListProps) {
  const t = useTranslations("domains");
  const named = useTranslations("named");
  const [adding, setAdding] = useState(false);
  const button = add ? (
    <Button variant="solid" onClick={() => setAdding(true)}>
      <Plus aria-hidden />
      {t("add")}
    </Button>
  ) : null;
  return (
    <>
      <PageHead heading={t("heading")} note={t("note")}>
        {domains.length > 0 || search !== "" ? button : null}
      </PageHead>
      {domains.length > 0 || search !== "" ? (
        <UrlSearch label={t("search")} placeholder={t("search")} searching={named("searching")} />
      ) : null}
      {domains.length > 0 ? (
        <DomainTable path={path} domains={domains} />
      ) : search === "" ? (
        <EmptyState icon={<Globe aria-hidden />} title={t("emptyTitle")} actions={button}>
          <p>{t("emptyText", { host: ownHost })}</p>
          <ol className="mt-3 grid list-decimal gap-1 pl-5 text-left">
            <li>{t("emptyAdd")}</li>
            <li>{t("emptyCopy")}</li>
            <li>{t("emptyWait")}</li>
          </ol>
        </EmptyState>
      ) : (
        <EmptyState icon={<SearchX aria-hidden />} title={t("nothingTitle")}>
          {t("nothingText", { search })}
        </EmptyState>
      )}
      {shared.length > 0 && search === "" ? (
        <div className="mt-6">
          <Card heading={t("shared")} note={t("sharedNote")}>
            <ul className="grid gap-1 font-medium text-sm">
              {shared.map((host) => (
                <li key={host} className="break-all">
                  {host}
                </li>
              ))}
            </ul>
          </Card>
        </div>
      ) : null}
      {add ? <AddDialog path={path} add={add} open={adding} onOpenChange={setAdding} /> : null}
    </>
  );
}

function DomainTable({ path, domains }: Pick<DomainListProps, "path" | "domains">) {
  const t = useTranslations("domains");
  return (
    <DataTable
      caption={t("heading")}
      rows={domains}
      columns={[
        {
          heading: t("columnDomain"),
          headClass: "w-full",
          cellClass: "max-w-0",
          cell: ({ slug, written, primary, archived }) => (
            <div className="flex items-center gap-2 py-1">
              <div className="grid min-w-0">
                <PrefetchLink
                  href={`${path}/${slug}`}
                  className="truncate font-medium hover:underline"
                >
                  {written}
                </PrefetchLink>
                {written === slug ? null : (
                  <span className="truncate text-ink-muted text-xs">{slug}</span>
                )}
              </div>
              {primary ? <Badge className="shrink-0">{t("primary")}</Badge> : null}
              {archived ? <Badge className="shrink-0">{t("archived")}</Badge> : null}
            </div>
          ),
        },
        { heading: t("columnState"), cell: ({ state }) => <StateBadge state={state} /> },
      ]}
    />
  );
}

interface AddDialogProps {
  path: string;
  add: FormAction<string>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function AddDialog({ path, add, open, onOpenChange }: AddDialogProps) {
  const t = useTranslations("domains");
  const router = useRouter();
  const { form, pending, error, errorOf, typed } = useForm(add, (host) => {
    onOpenChange(false);
    router.push(`${path}/${host}`);
  });
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent side="right" title={t("addTitle")}>
        <form {...form} className="grid gap-4">
          <FormError>{error}</FormError>
          <HostField error={errorOf("slug")} initial={typed("slug")} />
          <DialogSubmit pending={pending}>{t("add")}</DialogSubmit>
        </form>
      </DialogContent>
    </Dialog>
  );
}
