"use client";

import { Bell } from "lucide-react";
import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { planNames } from "#lib/platform/config/schema";
import { type Notification, notificationKinds } from "#lib/tenancy/notifications/schema";
import { quotaNames } from "#lib/tenancy/plans/schema";
import { useVisibleInterval } from "../shell/visible-interval.ts";
import { Button } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { Popover, PopoverContent, PopoverTrigger } from "../ui/popover.tsx";

export interface NotificationBellProps {
  notifications: readonly Notification[];
  /** Loads the present notifications. */
  poll: () => Promise<Notification[]>;
  /** Marks all of them as read. */
  markRead: () => Promise<void>;
  /** Path of the workspace's dashboard. */
  base: string;
}

const pollEveryMs = 30_000;

/** Notifications about the user's long-running work, with a mark for unread ones. */
export function NotificationBell({ notifications, poll, markRead, base }: NotificationBellProps) {
  const t = useTranslations("notices");
  const [shown, setShown] = useState(notifications);
  const refresh = () => poll().then(setShown, () => undefined); // the next poll reports it too
  useEffect(() => setShown(notifications), [notifications]);
  useVisibleInterval(pollEveryMs, () => void refresh());

  const unread = shown.filter(({ read }) => !read).length;
  /** New entries stay marked while the list is open. */
  function toggle(open: boolean) {
    if (open) return void (unread > 0 ? markRead().catch(() => undefined) : refresh());
    setShown((before) => before.map((notification) => ({ ...notification, read: true })));
  }

  return (
    <Popover onOpenChange={toggle}>
      <PopoverTrigger asChild>
        <Button
          variant="ghost"
          size="icon"
          className="relative"
          aria-label={unread > 0 ? t("unread", { count: unread }) : t("heading")}
        >
          <Bell aria-hidden />
          {unread > 0 ? (
            <span aria-hidden className="absolute top-1 right-1 size-2 rounded-full bg-accent" />
          ) : null}
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label={t("heading")} className="w-80 max-w-[90vw] p-2">
        <h2 className="px-2 py-1 font-semibold text-sm">{t("heading")}</h2>
        {shown.length === 0 ? (
          <p className="px-2 pb-2 text-ink-muted text-sm">{t("empty")}</p>
        ) : (
          <ul className="max-h-80 overflow-y-auto">
            {shown.map((notification) => (
              <NotificationRow key={notification.id} notice={notification} base={base} />
            ))}
          </ul>
        )}
      </PopoverContent>
    </Popover>
  );
}

function NotificationRow({
  notice: { kind, subject, details, at, read },
  base,
}: {
  notice: Notification;
  base: string;
}) {
  const t = useTranslations("notices");
  const format = useFormatter();
  const known = notificationKinds.find((one) => one === kind);
  return (
    <li>
      <Link
        href={kind.startsWith("ban.") ? appealPath(details) : base + pathOf(kind, subject)}
        className="flex gap-2 rounded-md px-2 py-2 text-sm hover:bg-hover"
      >
        <span className={classNames("mt-1.5 size-2 shrink-0 rounded-full", !read && "bg-accent")} />
        <span className="grid">
          <span>
            {known
              ? t(`kinds.${messageKeys[known]}`, {
                  slug: String(details?.["slug"]),
                  name: String(details?.["name"]),
                  reason: String(details?.["reason"]),
                  count: Number(details?.["links"]),
                  ...planValues(t, details),
                  kind: String(details?.["kind"]),
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

type NoticeTexts = ReturnType<typeof useTranslations<"notices">>;

/** The values of messages about plans and their limits. */
function planValues(t: NoticeTexts, details: Notification["details"]) {
  const plan = planNames.find((one) => one === details?.["plan"]);
  const quota = quotaNames.find((one) => one === details?.["quota"]);
  return {
    plan: plan ? t(`planNames.${plan}`) : "",
    quota: quota ? t(`quotas.${quota}`) : "",
    days: Number(details?.["days"]),
    percent: Number(details?.["percent"]),
    used: Number(details?.["used"]),
    limit: Number(details?.["limit"]),
  };
}

/** The page with the reason of a ban, where it can be appealed. */
function appealPath(details: Notification["details"]): string {
  return `/appeal?token=${String(details?.["token"])}`;
}

/** The page of a notification's subject. */
function pathOf(kind: string, subject: string | null): string {
  if (kind.startsWith("domain.")) return "/domains";
  if (kind.startsWith("account.") || kind.startsWith("key.")) return "/settings/api-keys";
  if (kind.startsWith("plan.") || kind.startsWith("quota.")) return "/settings/plan";
  if (kind === "links.retiring") return "/links?status=retiring";
  if (kind.startsWith("import.")) return subject ? `/imports/${subject}` : "/imports";
  return "/settings/export";
}

/** A message key has no dot. */
const messageKeys = {
  "takeout.done": "takeoutDone",
  "takeout.failed": "takeoutFailed",
  "import.done": "importDone",
  "import.failed": "importFailed",
  "domain.verified": "domainVerified",
  "domain.failing": "domainFailing",
  "domain.unverified": "domainUnverified",
  "account.claimed": "accountClaimed",
  "links.retiring": "linksRetiring",
  "plan.ended": "planEnded",
  "plan.ending": "planEnding",
  "quota.near": "quotaNear",
  "ban.started": "banStarted",
  "ban.lifted": "banLifted",
  "ban.appeal_declined": "appealDeclined",
  "key.approved": "keyApproved",
  "key.declined": "keyDeclined",
} as const;
