import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { Badge } from "#components/ui/badge";
import type { Link } from "#lib/links/fields/schema";
import { type SystemName, systemLabels } from "#lib/transfer/importers/schema";
import { useInsideAppsText } from "./inside-apps-text.ts";
import { RuleWords, Target } from "./rule-words.tsx";

interface LinkDetailsProps {
  link: Link;
  creator: { name: string; key: { id: string; name: string } | null } | undefined;
  /** The list of API keys; null if the person may not see it. */
  keysHref: string | null;
  /** What is known about the destination. */
  children: ReactNode;
}

export function LinkDetails({ link, creator, keysHref, children }: LinkDetailsProps) {
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
        <Detail name={t("destination")}>
          <Target url={link.url} />
          {children}
        </Detail>
        {link.title ? <Detail name={t("linkTitle")}>{link.title}</Detail> : null}
        {link.origin ? <Before origin={link.origin} /> : null}
        <Detail name={t("created")}>{moment(link.createdAt)}</Detail>
        <CreatedBy creator={creator} keysHref={keysHref} />
        <Detail name={t("changed")}>{moment(link.updatedAt)}</Detail>
        <Detail name={t("lastClick")}>
          {link.lastClicked ? moment(link.lastClicked) : t("never")}
        </Detail>
        {limitsOf(link).map(([name, value]) => (
          <Detail key={name} name={t(name)}>
            {typeof value === "string" ? moment(value) : t(value.word, { count: value.count })}
          </Detail>
        ))}
        {link.expiredUrl ? (
          <Detail name={t("expiredUrl")}>
            <Target url={link.expiredUrl} />
          </Detail>
        ) : null}
        {hasRules(link) ? (
          <Detail name={t("rules")}>
            <RuleWords link={link} />
          </Detail>
        ) : null}
        <InsideApps link={link} />
        {link.testVariants ? (
          <Detail name={t("test")}>
            <Variants link={link} moment={moment} />
          </Detail>
        ) : null}
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

/** The link’s origin in another system, which counted its own clicks. */
function Before({ origin }: { origin: NonNullable<Link["origin"]> }) {
  const t = useTranslations("linkPage");
  const format = useFormatter();
  const { system, shortLink, clicks, createdAt } = origin;
  const name = isSystem(system) ? systemLabels[system] : null;
  const parts = [
    shortLink,
    clicks === null ? null : t("beforeClicks", { count: clicks }),
    createdAt
      ? t("beforeCreated", { date: format.dateTime(new Date(createdAt), { dateStyle: "medium" }) })
      : null,
  ];
  return (
    <Detail name={name ? t("beforeAt", { system: name }) : t("before")}>
      {parts.filter(Boolean).join(" · ")}
    </Detail>
  );
}

function InsideApps({ link: { insideApps } }: { link: Link }) {
  const t = useTranslations("linkPage");
  const textOf = useInsideAppsText();
  return insideApps ? <Detail name={t("insideApps")}>{textOf(insideApps)}</Detail> : null;
}

function isSystem(system: string): system is SystemName {
  return Object.hasOwn(systemLabels, system);
}

function CreatedBy({ creator, keysHref }: Pick<LinkDetailsProps, "creator" | "keysHref">) {
  const t = useTranslations("linkPage");
  if (!creator) return null;
  const { name, key } = creator;
  return (
    <>
      <Detail name={t("createdBy")}>{name}</Detail>
      {key && keysHref ? (
        <Detail name={t("createdWith")}>
          <PrefetchLink href={`${keysHref}/${key.id}`} className="text-accent hover:underline">
            {key.name}
          </PrefetchLink>
        </Detail>
      ) : null}
    </>
  );
}

type LimitName = "disabled" | "startsAt" | "expiresAt" | "maxClicks" | "password";
type Limit = string | { word: "passwordSet" | "visits"; count: number };

/** The conditions between a visit and the destination. Times stay as they are; the others become a word and a count. */
function limitsOf(link: Link): [LimitName, Limit][] {
  const { disabledAt, startsAt, expiresAt, maxClicks, password } = link;
  const limits: [LimitName, Limit | null | undefined][] = [
    ["disabled", disabledAt],
    ["startsAt", startsAt],
    ["expiresAt", expiresAt],
    ["maxClicks", maxClicks === undefined ? null : { word: "visits", count: maxClicks }],
    ["password", password === null ? null : { word: "passwordSet", count: 0 }],
  ];
  return limits.flatMap(([name, value]) => (value ? [[name, value]] : []));
}

function hasRules({ rules, ios, android, geo }: Link): boolean {
  return Boolean(rules?.length || ios || android || geo);
}

function Variants({ link, moment }: { link: Link; moment: (text: string) => string }) {
  const t = useTranslations("linkPage");
  const format = useFormatter();
  const { testVariants, testStartedAt, testCompletedAt } = link;
  const share = (percent: number) =>
    format.number(percent / 100, { style: "percent", maximumFractionDigits: 2 });
  return (
    <div className="grid gap-1.5">
      <ul className="grid gap-1.5">
        {testVariants?.map(({ url, percentage }) => (
          <li key={`${percentage} ${url}`}>
            {t("variantShare", { percentage: share(percentage) })} <Target url={url} />
          </li>
        ))}
      </ul>
      {testStartedAt ? (
        <p className="text-ink-muted">{t("testFrom", { date: moment(testStartedAt) })}</p>
      ) : null}
      {testCompletedAt ? (
        <p className="text-ink-muted">{t("testUntil", { date: moment(testCompletedAt) })}</p>
      ) : null}
    </div>
  );
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-0.5 sm:contents">
      <dt className="text-ink-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
