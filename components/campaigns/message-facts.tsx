"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useCountryOptions } from "#components/forms/countries.ts";
import { Card } from "#components/ui/card";
import type { Campaign } from "#lib/outreach/campaigns/schema";
import { draftOfCampaign, utmFields } from "./campaign-draft.ts";
import { MessagePreview } from "./message-preview.tsx";
import type { SampleLinks } from "./preview-text.ts";

interface MessageFactsProps {
  campaign: Campaign;
  links: SampleLinks;
  /** Writers see the preview in the form above. */
  isWriter: boolean;
}

export function MessageFacts({ campaign, links, isWriter }: MessageFactsProps) {
  const t = useTranslations("campaignForm");
  const facts = useFacts(campaign);
  return (
    <div className="mt-4 grid gap-4">
      {isWriter ? null : (
        <div className="max-w-sm">
          <MessagePreview draft={draftOfCampaign(campaign)} links={links} />
        </div>
      )}
      <Card heading={t("facts")}>
        <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[12rem_minmax(0,1fr)]">
          {facts.map(({ name, value }) => (
            <div key={name} className="contents">
              <dt className="text-ink-muted">{name}</dt>
              <dd className="whitespace-pre-wrap break-words">{value}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </div>
  );
}

function useFacts(campaign: Campaign): { name: string; value: string }[] {
  const t = useTranslations("campaignForm");
  const utm = useTranslations("linkForm.utm");
  const format = useFormatter();
  const countries = new Map(useCountryOptions().map(({ value, label }) => [value, label]));
  const countryOf = (code: string) => countries.get(code) ?? code;
  const { variants, link, prices, consentOn } = campaign;
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  const percent = (share: number) => format.number(share / 100, { style: "percent" });
  const facts = [
    ...variants.map(({ name, template, percentage }) => ({
      name: variants.length > 1 ? `${name} (${percent(percentage)})` : t("message"),
      value: template,
    })),
    { name: t("kind"), value: t(`kinds.${campaign.kind}`) },
    { name: t("columns"), value: campaign.columns.map(({ name }) => name).join(", ") },
    { name: t("defaultCountry"), value: countryOf(campaign.defaultCountry) },
    { name: t("destination"), value: campaign.destination },
    { name: t("domain"), value: text(link["domain"]) },
    ...utmFields.map((name) => ({ name: t("utm", { name: utm(name) }), value: text(link[name]) })),
    { name: t("linkDays"), value: campaign.linkDays === null ? "" : String(campaign.linkDays) },
    { name: t("senderName"), value: campaign.senderName ?? "" },
    { name: t("optOutText"), value: campaign.optOutText ?? "" },
    { name: t("consentSource"), value: campaign.consentSource ?? "" },
    {
      name: t("consentOn"),
      value: consentOn
        ? format.dateTime(new Date(consentOn), { dateStyle: "medium", timeZone: "UTC" })
        : "",
    },
    ...Object.entries(prices?.perPart ?? {}).map(([country, price]) => ({
      name: t("priceOf", { country: country === "default" ? t("anyCountry") : countryOf(country) }),
      value: `${price} ${prices?.currency ?? ""}`,
    })),
  ];
  return facts.filter(({ value }) => value !== "");
}
