import { useFormatter, useTranslations } from "next-intl";
import { Card } from "#components/ui/card";
import type { OfficeLink as LinkOfOffice } from "#lib/office/views/schema";
import { type Fact, Facts } from "./facts.tsx";
import { OfficeLink } from "./office-link.tsx";
import { useMoment } from "./use-moment.ts";

/** A link: where it leads, its state, who and which key created it. */
export function LinkView({ link: found }: { link: LinkOfOffice }) {
  const t = useTranslations("admin.link");
  const { link } = found;
  return (
    <div className="grid gap-5">
      <Card heading={t("destination")}>
        <p className="break-all text-sm">{link.url}</p>
        <Facts facts={useTargets(found)} />
        <Rules rules={link.rules ?? []} />
      </Card>
      <Card heading={t("origin")}>
        <Facts facts={useOrigin(found)} />
      </Card>
      <Card heading={t("state")}>
        <Facts facts={useState(found)} />
      </Card>
      <Card heading={t("qrCode")}>
        {/* biome-ignore lint/performance/noImgElement: an image that this instance draws */}
        <img src={link.qrCode} alt={t("qrCode")} className="size-40 rounded-md bg-white p-2" />
      </Card>
    </div>
  );
}

function Rules({ rules }: { rules: readonly unknown[] }) {
  const t = useTranslations("admin.link");
  if (rules.length === 0) return null;
  return (
    <ol aria-label={t("rules")} className="grid gap-1 text-xs">
      {rules.map((rule) => (
        <li key={JSON.stringify(rule)}>
          <code className="break-all">{JSON.stringify(rule)}</code>
        </li>
      ))}
    </ol>
  );
}

/** The other destinations, where it has them. */
function useTargets({ link }: LinkOfOffice): Fact[] {
  const t = useTranslations("admin.link");
  const { ios, android, geo, testVariants, expiredUrl } = link;
  const targets = [
    { label: "iOS", value: ios },
    { label: "Android", value: android },
    { label: t("geo"), value: geo && JSON.stringify(geo) },
    { label: t("variants"), value: testVariants && JSON.stringify(testVariants) },
    { label: t("expiredUrl"), value: expiredUrl },
  ];
  return targets.filter(({ value }) => value !== null);
}

function useOrigin({ workspace, creator, apiKey, link, pk, code }: LinkOfOffice): Fact[] {
  const t = useTranslations("admin.link");
  const format = useFormatter();
  const moment = useMoment();
  return [
    {
      label: t("workspace"),
      value: <OfficeLink href={`/admin/workspaces/${workspace.id}`}>{workspace.name}</OfficeLink>,
    },
    {
      label: t("creator"),
      value: creator ? (
        <OfficeLink href={`/admin/people/${creator.id}`}>{creator.name}</OfficeLink>
      ) : (
        "–"
      ),
    },
    { label: t("apiKey"), value: apiKey ? `${apiKey.name} (${apiKey.id})` : "–" },
    { label: t("created"), value: moment(link.createdAt) },
    { label: t("updated"), value: moment(link.updatedAt) },
    { label: t("id"), value: link.id },
    { label: t("pk"), value: format.number(pk, { useGrouping: false }) },
    { label: t("slug"), value: t(code ? "generated" : "custom") },
  ];
}

function useState({ link, retiredAt, bannedAt }: LinkOfOffice): Fact[] {
  const t = useTranslations("admin.link");
  const format = useFormatter();
  const moment = useMoment();
  return [
    { label: t("clicks"), value: format.number(link.clicks) },
    { label: t("lastClicked"), value: moment(link.lastClicked) },
    { label: t("archived"), value: t(link.archived ? "yes" : "no") },
    { label: t("disabled"), value: moment(link.disabledAt) },
    { label: t("banned"), value: moment(bannedAt) },
    { label: t("expires"), value: moment(link.expiresAt) },
    { label: t("retired"), value: moment(retiredAt) },
    { label: t("password"), value: t(link.password === null ? "no" : "yes") },
  ];
}
