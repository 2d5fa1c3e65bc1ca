"use client";

import { Bot, Pause, Play, QrCode } from "lucide-react";
import { useFormatter, useNow, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";
import type { LiveClick } from "#lib/analytics/click-feed/schema";
import { writeFilter } from "#lib/analytics/reports/schema";
import { bareUrl } from "#lib/basics/urls/schema";
import type { BoardQuery } from "./board-query.ts";
import { useBoard } from "./board-state.tsx";
import { Card } from "./card.tsx";
import { liveClicks } from "./live-signal.ts";
import { useValueNames } from "./value-names.ts";

const shownMax = 30;

interface LiveCardProps {
  workspace: string;
  linkId?: string | undefined;
  bots: boolean;
}

export function LiveCard({ workspace, linkId, bots }: LiveCardProps) {
  const t = useTranslations("analytics");
  const [paused, setPaused] = useState(false);
  const { query } = useBoard();
  const { clicks, state } = useLiveClicks(liveUrl(workspace, linkId, query), paused);
  const shown = clicks.filter((click) => bots || !click.bot).slice(0, shownMax);
  const label = paused ? "paused" : state;
  return (
    <Card
      id="live"
      heading={t("cards.live")}
      body={
        shown.length > 0 ? (
          <ol
            aria-label={t("cards.live")}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable from the keyboard
            tabIndex={0}
            className="max-h-[300px] overflow-y-auto"
          >
            {shown.map((click) => (
              <LiveRow key={click.id} click={click} />
            ))}
          </ol>
        ) : (
          <p className="grid h-20 place-items-center px-4 text-center text-ink-muted text-sm">
            {t("liveEmpty")}
          </p>
        )
      }
    >
      <p role="status" className="flex items-center gap-1.5 text-ink-muted text-xs">
        <span
          aria-hidden
          className={classNames(
            "size-1.5 rounded-full",
            label === "live" ? "bg-accent" : "bg-line-strong",
          )}
        />
        {t(`liveStates.${label}`)}
      </p>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t(paused ? "liveGoOn" : "livePause")}
        onClick={() => setPaused(!paused)}
      >
        {paused ? <Play aria-hidden /> : <Pause aria-hidden />}
      </Button>
    </Card>
  );
}

function liveUrl(workspace: string, linkId: string | undefined, { filters }: BoardQuery): string {
  const params = new URLSearchParams({
    workspace,
    ...Object.fromEntries(filters.map((filter) => [filter.name, writeFilter(filter)])),
    ...(linkId ? { linkId } : {}),
  });
  return `/api/events/live?${params}`;
}

function LiveRow({ click }: { click: LiveClick }) {
  const t = useTranslations("analytics");
  const format = useFormatter();
  const nameOf = useValueNames();
  const now = useNow({ updateInterval: 10_000 });
  const { country, city, device, browser, referer } = click;
  const at = new Date(click.timestamp);
  const place = [city, country ? nameOf("country", country) : null].filter(Boolean).join(", ");
  const agent = [browser, device ? nameOf("device", device) : null].filter(Boolean).join(" · ");
  return (
    <li className="grid grid-cols-[1fr_auto] items-center gap-x-3 border-line border-b px-4 py-2 text-sm last:border-b-0 sm:grid-cols-[1.2fr_1.1fr_1.2fr_auto]">
      <span className="flex min-w-0 items-center gap-1.5 font-medium">
        <span className="truncate">{bareUrl(click.shortLink)}</span>
        {click.trigger === "qr" ? (
          <QrCode aria-label={t("triggerNames.qr")} className="size-3.5 shrink-0 text-ink-muted" />
        ) : null}
        {click.bot ? (
          <Bot aria-label={t("bots")} className="size-3.5 shrink-0 text-ink-muted" />
        ) : null}
      </span>
      <span className="order-3 truncate text-ink-muted sm:order-none">{place || t("unknown")}</span>
      <span className="hidden truncate text-ink-muted sm:block">
        {agent || t("unknown")}
        {referer ? ` · ${referer}` : ""}
      </span>
      <time dateTime={click.timestamp} className="text-right text-ink-faint text-xs tabular-nums">
        {format.relativeTime(at < now ? at : now, now)}
      </time>
    </li>
  );
}

type LiveState = "connecting" | "live" | "away";

function useLiveClicks(url: string, paused: boolean) {
  const [clicks, setClicks] = useState<readonly LiveClick[]>([]);
  const [state, setState] = useState<LiveState>("connecting");
  // biome-ignore lint/correctness/useExhaustiveDependencies: clicks of other filters are removed
  useEffect(() => {
    setClicks([]);
  }, [url]);
  useEffect(() => {
    if (paused) return;
    let source: EventSource | undefined;
    let isNew = false;
    const open = () => {
      source = new EventSource(url);
      source.addEventListener("open", () => setState("live"));
      source.addEventListener("error", () => setState("away"));
      // The totals already contain all clicks before the first `ready` event.
      source.addEventListener("ready", () => {
        if (isNew) liveClicks.notify();
        isNew = true;
      });
      source.addEventListener("click", ({ data }) => {
        if (isNew) liveClicks.notify();
        const click: LiveClick = JSON.parse(data);
        setClicks((before) =>
          before.some(({ id }) => id === click.id) ? before : withClick(before, click),
        );
      });
    };
    const close = () => {
      source?.close();
      source = undefined;
    };
    const follow = () => {
      if (document.visibilityState === "hidden") close();
      else if (!source) open();
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      close();
    };
  }, [url, paused]);
  return { clicks, state };
}

const keptMax = 200;

function withClick(before: readonly LiveClick[], click: LiveClick): LiveClick[] {
  return [click, ...before]
    .sort((a, b) => b.timestamp.localeCompare(a.timestamp))
    .slice(0, keptMax);
}
