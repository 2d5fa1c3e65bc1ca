import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { Card } from "#components/ui/card";
import { SelectField } from "#components/ui/labeled";
import {
  type ChangeImport,
  domainsMax,
  type Import,
  type NamedDomain,
  type Preview,
} from "#lib/transfer/imports/schema";

/** Adds a domain to the workspace; null for members who may not. */
export type AddDomain = ((form: FormData) => Promise<FormAnswer<string>>) | null;

interface ImportDomainsProps {
  workspace: string;
  shown: Import;
  preview: Preview;
  hosts: readonly string[];
  addDomain: AddDomain;
  onOptions: (options: NonNullable<ChangeImport["options"]>) => void;
}

// These values contain a space, so they cannot be a host.
const skip = "skip rows";
const add = "add domain";

/** The domains in the rows, with one choice for all rows of each domain. */
export function ImportDomains(props: ImportDomainsProps) {
  const { shown, preview, hosts, onOptions } = props;
  const t = useTranslations("imports.domains");
  const { domains } = preview;
  const isRestLeft = preview.checked < shown.rows || domains.length === domainsMax;
  if (shown.source === null && domains.every(({ state }) => state === "active")) return null;
  return (
    <Card heading={t("heading")} note={t("note")}>
      <div className="grid gap-4 sm:grid-cols-2">
        {domains.map((named) => (
          <DomainChoice key={named.domain} named={named} {...props} />
        ))}
        {isRestLeft ? (
          <SelectField
            label={t("others")}
            options={[...hosts.map((host) => optionOf(t, host)), { value: skip, label: t("skip") }]}
            value={shown.options.otherDomain ?? skip}
            onValueChange={(value) => onOptions({ otherDomain: value === skip ? null : value })}
          />
        ) : null}
      </div>
    </Card>
  );
}

type Texts = ReturnType<typeof useTranslations<"imports.domains">>;

function optionOf(t: Texts, host: string) {
  return { value: host, label: t("use", { host }) };
}

function DomainChoice({
  named: { domain, rows, state },
  workspace,
  shown,
  hosts,
  addDomain,
  onOptions,
}: ImportDomainsProps & { named: NamedDomain }) {
  const t = useTranslations("imports.domains");
  const runAction = useAction();
  const { domains, otherDomain } = shown.options;
  const mayKeep = state === "active" || state === "archived" || state === "pending";
  const usual = state === "active" ? domain : (otherDomain ?? skip);

  function choose(value: string | null) {
    onOptions({ domains: { ...domains, [domain]: value } });
  }

  async function keepNew(adding: NonNullable<AddDomain>) {
    const form = new FormData();
    form.set("slug", domain);
    if (await runAction(() => adding(form))) choose(domain);
  }

  return (
    <SelectField
      label={t("rows", { domain, rows })}
      hint={hintOf(t, { domain, state, workspace, mayAdd: addDomain !== null })}
      options={[
        ...(mayKeep ? [{ value: domain, label: t("keep", { domain }) }] : []),
        ...hosts.filter((host) => host !== domain).map((host) => optionOf(t, host)),
        ...(state === "addable" && addDomain ? [{ value: add, label: t("add", { domain }) }] : []),
        { value: skip, label: t("skip") },
      ]}
      value={Object.hasOwn(domains, domain) ? (domains[domain] ?? skip) : usual}
      onValueChange={(value) => {
        if (value === add && addDomain) void keepNew(addDomain);
        else choose(value === skip ? null : value);
      }}
    />
  );
}

interface HintContext extends Pick<NamedDomain, "domain" | "state"> {
  workspace: string;
  mayAdd: boolean;
}

function hintOf(t: Texts, { domain, state, workspace, mayAdd }: HintContext): ReactNode {
  if (state === "active") return undefined;
  if (state === "addable") return mayAdd ? undefined : t("mayNotAdd");
  if (state !== "pending") return t(`why.${state}`);
  return t.rich("pending", {
    link: (text) => (
      <Link
        className="text-accent hover:underline"
        href={`/app/${workspace}/domains/${encodeURIComponent(domain)}`}
      >
        {text}
      </Link>
    ),
  });
}
