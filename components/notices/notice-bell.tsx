"use client";

import { Bell } from "lucide-react";
import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { type Notice, noticeKinds } from "#lib/tenancy/notifications/schema";
import { useRepeat } from "../shell/repeat.ts";
import { Button } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { Popover, PopoverContent, PopoverTrigger } from "../ui/popover.tsx";

export interface NoticeBellProps {
  notices: readonly Notice[];
  /** Loads the present notifications. */
  look: () => Promise<Notice[]>;
  /** Marks all of them as read. */
  markRead: () => Promise<void>;
  /** Path of the workspace's dashboard. */
  base: string;
}

const lookEveryMs = 30_000;

/** Notifications about the user's long-running work, with a mark for unread ones. */
export function NoticeBell({ notices, look, markRead, base }: NoticeBellProps) {
  const t = useTranslations("notices");
  const [shown, setShown] = useState(notices);
  const refresh = () => look().then(setShown, () => undefined); // the next poll reports it too
  useEffect(() => setShown(notices), [notices]);
  useRepeat(lookEveryMs, () => void refresh());

  const unread = shown.filter(({ read }) => !read).length;
  /** New entries stay marked while the list is open. */
  function toggle(open: boolean) {
    if (open) return void (unread > 0 ? markRead().catch(() => undefined) : refresh());
    setShown((before) => before.map((notice) => ({ ...notice, read: true })));
  }

  return (
    <Popover onOpenChange={toggle}>
      <PopoverTrigger asChild>
        <Button
          look="ghost"
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
            {shown.map((notice) => (
              <Row key={notice.id} notice={notice} base={base} />
            ))}
          </ul>
        )}
      </PopoverContent>
    </Popover>
  );
}

function Row({
  notice: { kind, subject, details, at, read },
  base,
}: {
  notice: Notice;
  base: string;
}) {
  const t = useTranslations("notices");
  const format = useFormatter();
  const known = noticeKinds.find((one) => one === kind);
  return (
    <li>
      <Link
        href={base + pathOf(kind, subject)}
        className="flex gap-2 rounded-md px-2 py-2 text-sm hover:bg-hover"
      >
        <span className={classNames("mt-1.5 size-2 shrink-0 rounded-full", !read && "bg-accent")} />
        <span className="grid">
          <span>
            {known ? t(`kinds.${noticeWords[known]}`, { slug: String(details?.["slug"]) }) : kind}
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

/** The page of a notification's subject. */
function pathOf(kind: string, subject: string | null): string {
  if (kind.startsWith("domain.")) return "/domains";
  if (kind.startsWith("import.")) return subject ? `/imports/${subject}` : "/imports";
  return "/settings/export";
}

/** A message key has no dot. */
const noticeWords = {
  "takeout.done": "takeoutDone",
  "takeout.failed": "takeoutFailed",
  "import.done": "importDone",
  "import.failed": "importFailed",
  "domain.verified": "domainVerified",
  "domain.failing": "domainFailing",
  "domain.unverified": "domainUnverified",
} as const;
