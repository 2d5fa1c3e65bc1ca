import Link from "next/link";
import { useTranslations } from "next-intl";
import { Card } from "#components/ui/card";
import type { ChangeImport, Import, ImportSource } from "#lib/transfer/imports/schema";
import { SelectField } from "../ui/labeled.tsx";

const unchanged = "unchanged";

interface SourceDomainsProps {
  workspace: string;
  shown: Import;
  source: ImportSource;
  hosts: readonly string[];
  onOptions: (options: NonNullable<ChangeImport["options"]>) => void;
}

/** Which domain of the workspace replaces each domain of another system. */
export function SourceDomains({ workspace, shown, source, hosts, onOptions }: SourceDomainsProps) {
  const t = useTranslations("imports.source");
  const { domains } = shown.options;
  function choose(domain: string, value: string) {
    const { [domain]: _before, ...others } = domains;
    onOptions({ domains: value === unchanged ? others : { ...others, [domain]: value } });
  }
  return (
    <Card
      heading={t("domains")}
      note={t("domainsNote")}
      aside={
        <Link className="text-accent text-sm hover:underline" href={`/app/${workspace}/domains`}>
          {t("addDomain")}
        </Link>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {source.domains.map(({ domain, links }) => (
          <SelectField
            key={domain}
            label={t("domainLinks", { domain, links })}
            options={[
              {
                value: unchanged,
                label: hosts.includes(domain) ? t("keep", { domain }) : t("skip"),
              },
              ...hosts
                .filter((host) => host !== domain)
                .map((host) => ({ value: host, label: t("use", { host }) })),
            ]}
            value={domains[domain] ?? unchanged}
            onValueChange={(value) => choose(domain, value)}
          />
        ))}
      </div>
    </Card>
  );
}

/** What another system or Fuxi has no place for, before anything is written. */
export function SourceLeftOut({ source: { leftOut } }: { source: ImportSource }) {
  const t = useTranslations("imports.source");
  return (
    <Card heading={t("heading")} note={leftOut.length === 0 ? t("all") : t("note")}>
      {leftOut.length > 0 ? (
        <ul className="grid gap-1.5 text-sm">
          {leftOut.map(({ property, reason, links }) => (
            <li key={`${property} ${reason}`}>
              <span className="font-medium">
                {t("item", { property: nameOf(t, property), links })}
              </span>{" "}
              <span className="text-ink-muted">{t(`why.${reason}`)}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </Card>
  );
}

/** A property that the catalogue does not have is shown as it is. */
function nameOf(t: ReturnType<typeof useTranslations<"imports.source">>, property: string): string {
  const key = `properties.${property}` as "properties.rules";
  return t.has(key) ? t(key) : property;
}
