import { getFormatter, getTranslations } from "next-intl/server";
import { AnnouncementForm } from "#components/admin/announcement-form";
import { ReasonButtons } from "#components/admin/reason-buttons";
import { PageHead } from "#components/shell/page-head";
import { Badge } from "#components/ui/badge";
import { Card } from "#components/ui/card";
import { listAnnouncements } from "#lib/tenancy/announcements";
import type { Announcement } from "#lib/tenancy/announcements/schema";
import { Texts } from "../../../pages.tsx";
import { requireOperator } from "../../access.ts";
import { officeTitle } from "../../title.ts";
import { createAnnouncementAction, endAnnouncementAction } from "./actions.ts";

const texts = ["admin.announcements"];
const tones = { scheduled: "blue", shown: "green", ended: "gray" } as const;

export const generateMetadata = officeTitle("announcements");

export default async function AnnouncementsPage() {
  const operator = await requireOperator();
  const [nav, t, announcements] = await Promise.all([
    getTranslations("admin.nav"),
    getTranslations("admin.announcements"),
    listAnnouncements(operator),
  ]);
  return (
    <>
      <PageHead heading={nav("announcements")} note={t("note")} />
      <Texts of={texts}>
        <div className="grid max-w-2xl grid-cols-[minmax(0,1fr)] gap-5">
          <Card heading={t("list")}>
            {announcements.length === 0 ? (
              <p className="text-ink-muted text-sm">{t("empty")}</p>
            ) : (
              <ul aria-label={t("list")} className="grid gap-4">
                {announcements.map((one) => (
                  <Item key={one.id} announcement={one} />
                ))}
              </ul>
            )}
          </Card>
          <AnnouncementForm create={createAnnouncementAction} />
        </div>
      </Texts>
    </>
  );
}

async function Item({ announcement }: { announcement: Announcement }) {
  const [t, format] = await Promise.all([getTranslations("admin.announcements"), getFormatter()]);
  const { id, textEn, textZh, url, level, startsAt, endsAt, state, closed } = announcement;
  const momentOf = (text: string) =>
    format.dateTime(new Date(text), { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
  return (
    <li className="grid gap-1 border-line border-t pt-4 text-sm first:border-t-0 first:pt-0">
      <p className="flex flex-wrap gap-2">
        <Badge tone={tones[state]}>{t(state)}</Badge>
        <Badge tone={level === "warning" ? "red" : "gray"}>{t(level)}</Badge>
      </p>
      <p className="break-words" lang="en">
        {textEn}
      </p>
      <p className="break-words" lang="zh-CN">
        {textZh}
      </p>
      {url === null ? null : <p className="break-all text-ink-muted">{url}</p>}
      <p className="text-ink-muted text-xs">
        {t("period", { from: momentOf(startsAt), to: momentOf(endsAt) })} ·{" "}
        {t("closed", { count: closed })}
      </p>
      {state === "ended" ? null : (
        <div className="mt-1">
          <ReasonButtons
            size="sm"
            label={t("reason")}
            hint={t("reasonHint")}
            changes={[
              {
                button: t("end"),
                "aria-label": t("endOf", { text: textEn }),
                title: t("endTitle"),
                text: t("endText"),
                submit: t("endTitle"),
                done: t("done"),
                change: endAnnouncementAction.bind(null, id),
              },
            ]}
          />
        </div>
      )}
    </li>
  );
}
