"use client";

import Link from "next/link";
import { useFormatter, useLocale, useTranslations } from "next-intl";
import { classNames } from "#components/ui/class-names.ts";
import { camelOf } from "#lib/basics/variants/schema";
import { planNames } from "#lib/platform/config/schema";
import { appLabel, appNames } from "#lib/platform/request-info/schema";
import { type Notification, notificationKinds } from "#lib/tenancy/notifications/schema";
import { quotaNames } from "#lib/tenancy/plans/schema";

interface NotificationListProps {
  notifications: readonly Notification[];
  base: string;
}

export function NotificationList({ notifications, base }: NotificationListProps) {
  const t = useTranslations("noticeList");
  if (notifications.length === 0) {
    return <p className="px-2 pb-2 text-ink-muted text-sm">{t("empty")}</p>;
  }
  return (
    <ul className="max-h-80 overflow-y-auto">
      {notifications.map((notification) => (
        <NotificationRow key={notification.id} notice={notification} base={base} />
      ))}
    </ul>
  );
}

function NotificationRow({
  notice: { kind, subject, details, at, read },
  base,
}: {
  notice: Notification;
  base: string;
}) {
  const t = useTranslations("noticeList");
  const format = useFormatter();
  const locale = useLocale();
  const known = notificationKinds.find((one) => one === kind);
  return (
    <li>
      <Link
        href={pathOutside(kind, details) ?? base + pathOf(kind, subject)}
        className="flex gap-2 rounded-md px-2 py-2 text-sm hover:bg-hover"
      >
        <span className={classNames("mt-1.5 size-2 shrink-0 rounded-full", !read && "bg-accent")} />
        <span className="grid">
          <span>
            {known
              ? t(`kinds.${camelOf(known)}`, {
                  slug: String(details?.["slug"]),
                  name: String(details?.["name"]),
                  reason: String(details?.["reason"]),
                  count: Number(details?.["links"]),
                  keys: Number(details?.["keys"]),
                  ...planValues(t, details),
                  kind: String(details?.["kind"]),
                  pause: String(details?.["reason"]),
                  app: appOf(details, locale),
                  host: String(details?.["host"]),
                  of: isCampaign(subject) ? "campaign" : "link",
                  state: String(details?.["state"]),
                  ...codeValues(details, locale),
                  ...importValues(details),
                })
              : kind}
          </span>
          <span className="text-ink-muted text-xs">
            {read ? null : <span className="sr-only">{t("new")} </span>}
            {format.dateTime(new Date(at), { dateStyle: "medium", timeStyle: "short" })}
          </span>
        </span>
      </Link>
    </li>
  );
}

type NoticeTexts = ReturnType<typeof useTranslations<"noticeList">>;

function planValues(t: NoticeTexts, details: Notification["details"]) {
  const plan = planNames.find((one) => one === details?.["plan"]);
  const quota = quotaNames.find((one) => one === details?.["quota"]);
  return {
    plan: plan ? t(`planNames.${plan}`) : "",
    outcome: String(details?.["outcome"]),
    quota: quota ? t(`quotas.${quota}`) : "",
    days: Number(details?.["days"]),
    percent: Number(details?.["percent"]),
    used: Number(details?.["used"]),
    limit: Number(details?.["limit"]),
  };
}

function codeValues(details: Notification["details"], locale: string) {
  const names = new Intl.DisplayNames(locale, { type: "region", fallback: "code" });
  const { country } = details ?? {};
  return {
    country: (/^[A-Z]{2}$/.test(String(country)) && names.of(String(country))) || "",
    asked: Number(details?.["asked"]),
    usual: Number(details?.["usual"]),
    clicks: Number(details?.["clicks"]),
    hours: Number(details?.["hours"]),
  };
}

/** Notifications of earlier versions have no count of reused links. */
function importValues(details: Notification["details"]) {
  const made = Number(details?.["made"] ?? 0);
  const reused = Number(details?.["reused"] ?? 0);
  return { made: made - reused, reused, refused: Number(details?.["refused"] ?? 0) };
}

function appOf(details: Notification["details"], locale: string): string {
  const app = appNames.find((one) => one === details?.["app"]);
  return app ? appLabel(app, locale === "zh" ? "zh" : "en") : "";
}

function pathOutside(kind: string, details: Notification["details"]): string | undefined {
  if (kind === "account.wrong_codes") return "/app/account/security";
  return kind.startsWith("ban.") ? `/appeal?token=${String(details?.["token"])}` : undefined;
}

function isCampaign(subject: string | null): boolean {
  return subject?.startsWith("camp_") ?? false;
}

function pathOf(kind: string, subject: string | null): string {
  if (isCampaign(subject)) return `/campaigns/${subject}`;
  const [topic = ""] = kind.split(".");
  if (topic === "domain") return pathOfDomain(kind, subject);
  const page = pages[kind] ?? pages[topic];
  if (page !== undefined) return page;
  if (kind === "importer.failed" && subject) return `/imports/move/${subject}`;
  const { [topic]: list } = subjectLists;
  if (list === undefined) return "/settings/export";
  return subject ? `${list}/${subject}` : list;
}

const pages: Readonly<Record<string, string>> = {
  "links.retiring": "/links?status=retiring",
  destination: "/links?status=broken",
  account: "/settings/api-keys",
  clicks: "/analytics",
  codes: "/settings",
  form: "/forms",
  key: "/settings/api-keys",
  plan: "/settings/plan",
  quota: "/settings/plan",
};

/** The subject of an alarm is the host, which is also the name of its page. */
function pathOfDomain(kind: string, subject: string | null): string {
  return kind.endsWith("blocked") || kind === "domain.silent" ? `/domains/${subject}` : "/domains";
}

const subjectLists: Readonly<Record<string, string>> = {
  campaign: "/campaigns",
  recipients: "/campaigns",
  import: "/imports",
  importer: "/imports",
  webhook: "/settings/webhooks",
};
