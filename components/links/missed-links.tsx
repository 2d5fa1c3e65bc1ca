"use client";

import { Plus } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { Button } from "#components/ui/button";
import { DataTable } from "#components/ui/data-table";
import type { MissedLink } from "#lib/analytics/missed-links/schema";
import { useLinkCreator } from "./creator-context.ts";

interface MissedLinkTableProps {
  workspace: string;
  links: readonly MissedLink[];
  zone: string;
}

export function MissedLinkTable({ workspace, links, zone }: MissedLinkTableProps) {
  const t = useTranslations("missedLinks");
  const format = useFormatter();
  return (
    <DataTable
      caption={t("heading")}
      rows={links.map((link) => ({ id: nameOf(link), ...link }))}
      columns={[
        {
          heading: t("slug"),
          cellClass: "max-w-44 py-2 sm:max-w-80 lg:max-w-md",
          cell: (link) => (
            <>
              <span className="flex font-medium" title={link.id}>
                <span className="min-w-[2ch] shrink-[9999] truncate">{link.domain}</span>
                <span className="min-w-0 truncate">/{link.key}</span>
              </span>
              <Suggestion workspace={workspace} link={link} />
            </>
          ),
        },
        {
          heading: t("visits"),
          headClass: "text-right",
          cellClass: "text-right tabular-nums",
          cell: ({ visits, atLeast }) =>
            atLeast < visits ? t("between", { atLeast, visits }) : format.number(visits),
        },
        {
          heading: t("lastAt"),
          className: "hidden md:table-cell",
          headClass: "text-right",
          cellClass: "text-right text-ink-muted",
          cell: ({ lastAt }) =>
            format.dateTime(new Date(lastAt), {
              dateStyle: "medium",
              timeStyle: "short",
              timeZone: zone,
            }),
        },
        {
          heading: t("actions"),
          silent: true,
          cellClass: "text-right",
          cell: (link) => <CreateMissed link={link} />,
        },
      ]}
    />
  );
}

function nameOf({ domain, key }: Pick<MissedLink, "domain" | "key">): string {
  return `${domain}/${key}`;
}

interface RowProps {
  link: MissedLink;
}

function Suggestion({ workspace, link: { key, suggestion } }: RowProps & { workspace: string }) {
  const t = useTranslations("missedLinks");
  if (!suggestion) return null;
  const link = (chunks: ReactNode) => (
    <PrefetchLink
      href={`/app/${workspace}/links/${suggestion.id}`}
      className="text-accent underline"
    >
      {chunks}
    </PrefetchLink>
  );
  return (
    <span className="block truncate text-ink-muted text-xs">
      {suggestion.key === key
        ? t.rich("exists", { link })
        : t.rich("meant", { key: suggestion.key, link })}
    </span>
  );
}

/** The new link starts with the destination of the link that visitors may have meant. */
function CreateMissed({ link: { domain, key, suggestion } }: RowProps) {
  const t = useTranslations("missedLinks");
  const { openCreator } = useLinkCreator();
  if (!openCreator || suggestion?.key === key) return null;
  return (
    <Button
      size="sm"
      aria-label={t("createLabel", { key })}
      onClick={() => openCreator({ domain, key, ...(suggestion ? { url: suggestion.url } : {}) })}
    >
      <Plus aria-hidden />
      {t("create")}
    </Button>
  );
}
