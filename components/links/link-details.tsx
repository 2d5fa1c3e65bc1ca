import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Link } from "#lib/links/fields/schema";
import { Badge } from "../ui/badge.tsx";

export function LinkDetails({ link }: { link: Link }) {
  const t = useTranslations("linkPage");
  const links = useTranslations("links");
  const format = useFormatter();
  const moment = (text: string) =>
    format.dateTime(new Date(text), { dateStyle: "medium", timeStyle: "short" });
  return (
    <section
      aria-labelledby="details-heading"
      className="rounded-xl border border-line bg-surface p-4"
    >
      <h2 id="details-heading" className="mb-3 font-medium text-sm">
        {t("details")}
      </h2>
      <dl className="grid gap-x-6 gap-y-2.5 text-sm sm:grid-cols-[max-content_1fr]">
        <Detail name={t("destination")}>{link.url}</Detail>
        {link.title ? <Detail name={t("linkTitle")}>{link.title}</Detail> : null}
        <Detail name={t("created")}>{moment(link.createdAt)}</Detail>
        <Detail name={t("changed")}>{moment(link.updatedAt)}</Detail>
        <Detail name={t("lastClick")}>
          {link.lastClicked ? moment(link.lastClicked) : t("never")}
        </Detail>
        {limitsOf(link).map(([name, value]) => (
          <Detail key={name} name={t(name)}>
            {typeof value === "string" ? moment(value) : t(value.word, { count: value.count })}
          </Detail>
        ))}
        {link.externalId ? <Detail name={t("externalId")}>{link.externalId}</Detail> : null}
        {link.tags.length > 0 || link.archived ? (
          <Detail name={t("tags")}>
            <span className="flex flex-wrap gap-1">
              {link.archived ? <Badge>{links("archived")}</Badge> : null}
              {link.tags.map((tag) => (
                <Badge key={tag.id} tone={tag.color}>
                  {tag.name}
                </Badge>
              ))}
            </span>
          </Detail>
        ) : null}
        {link.comments ? (
          <Detail name={t("comments")}>
            <span className="whitespace-pre-wrap">{link.comments}</span>
          </Detail>
        ) : null}
      </dl>
    </section>
  );
}

type LimitName = "startsAt" | "expiresAt" | "maxClicks" | "password" | "rules" | "test";
type Limit =
  | string
  | { word: "passwordSet" | "visits" | "ruleCount" | "variantCount"; count: number };

/** The conditions between a visit and the destination: moments as they are, others as text. */
function limitsOf(link: Link): [LimitName, Limit][] {
  const { startsAt, expiresAt, maxClicks, password, rules, testVariants } = link;
  const limits: [LimitName, Limit | null | undefined][] = [
    ["startsAt", startsAt],
    ["expiresAt", expiresAt],
    ["maxClicks", maxClicks === undefined ? null : { word: "visits", count: maxClicks }],
    ["password", password === null ? null : { word: "passwordSet", count: 0 }],
    ["rules", rules && { word: "ruleCount", count: rules.length }],
    ["test", testVariants && { word: "variantCount", count: testVariants.length }],
  ];
  return limits.flatMap(([name, value]) => (value ? [[name, value]] : []));
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-0.5 sm:contents">
      <dt className="text-ink-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
