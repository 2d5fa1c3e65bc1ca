"use client";

import { Bell } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { lazyPart } from "#components/messages/lazy-part";
import { useVisibleInterval } from "#components/shell/visible-interval.ts";
import { Button } from "#components/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover";
import type { Notification } from "#lib/tenancy/notifications/schema";

const NotificationList = lazyPart(() =>
  import("./notification-list.tsx").then((one) => one.NotificationList),
);

export interface NotificationBellProps {
  notifications: readonly Notification[];
  poll: () => Promise<Notification[]>;
  markRead: () => Promise<void>;
  base: string;
}

const pollEveryMs = 30_000;

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
        <NotificationList notifications={shown} base={base} />
      </PopoverContent>
    </Popover>
  );
}
