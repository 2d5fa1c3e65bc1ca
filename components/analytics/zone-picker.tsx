"use client";

import { ChevronDown } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "#components/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover";
import { Skeleton } from "#components/ui/skeleton";
import { useBoard } from "./board-state.tsx";
import { useSource } from "./source.tsx";

const ZoneList = dynamic(
  () => import("#components/workspaces/zone-list").then((one) => one.ZoneList),
  {
    ssr: false,
    loading: () => <Skeleton className="m-2 h-40" />,
  },
);

/** The time zone of days and hours: that of the workspace, or another one in the URL. */
export function ZonePicker() {
  const t = useTranslations("analytics");
  const { zone, change } = useBoard();
  const { zone: ownZone } = useSource();
  const [open, setOpen] = useState(false);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button variant="ghost" size="sm" className="-ml-2 text-ink-muted">
          {t("zoneNote", { zone })}
          <ChevronDown aria-hidden className="!size-3.5" />
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label={t("zone")} align="start" className="p-0">
        <ZoneList
          label={t("zone")}
          placeholder={t("zoneSearch")}
          empty={t("zoneEmpty")}
          zone={zone}
          first={ownZone}
          onChoose={(name) => {
            change({ zone: name === ownZone ? undefined : name });
            setOpen(false);
          }}
        />
      </PopoverContent>
    </Popover>
  );
}
