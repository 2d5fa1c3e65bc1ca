import { useFormatter, useTranslations } from "next-intl";
import { LinkActions } from "#components/admin/link-actions";
import { type Fact, Facts, OfficeLink, useMoment } from "#components/admin/tables";
import { PageHead } from "#components/shell/page-head";
import { Card } from "#components/ui/card";
import { bareUrl } from "#lib/basics/urls/schema";
import { viewLink } from "#lib/office/views";
import type { OfficeLink as LinkOfOffice } from "#lib/office/views/schema";
import { orMissing, type PageOf } from "../../../../pages.tsx";
import { requireOperator } from "../../../access.ts";
import { officeTitle } from "../../../title.ts";
import { disableLinkAction } from "../actions.ts";

export const generateMetadata = officeTitle("links");

export default async function OfficeLinkPage({ params }: PageOf<"id">) {
  const operator = await requireOperator();
  const { id } = await params;
  const link = await orMissing(viewLink(operator, id));
  return (
    <>
      <PageHead heading={bareUrl(link.link.shortLink)} />
      <LinkView link={link} />
    </>
  );
}

function LinkView({ link: found }: { link: LinkOfOffice }) {
  const t = useTranslations("admin.link");
  const actions = useTranslations("admin.linkActions");
  const { link } = found;
  return (
    <div className="grid gap-5">
      <Card heading={t("destination")}>
        <p className="break-all text-sm">{link.url}</p>
        <Facts facts={useTargets(found)} />
        <Rules rules={link.rules ?? []} />
      </Card>
      <Card heading={actions("heading")}>
        <LinkActions
          link={link}
          workspace={found.workspace}
          disable={link.disabledAt === null ? disableLinkAction.bind(null, link.id) : null}
        />
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
