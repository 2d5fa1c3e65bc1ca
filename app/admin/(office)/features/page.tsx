import { getFormatter, getTranslations } from "next-intl/server";
import { ReasonButtons } from "#components/admin/reason-buttons";
import { PageHead } from "#components/shell/page-head";
import { Badge } from "#components/ui/badge";
import { Card } from "#components/ui/card";
import { listFeatures } from "#lib/tenancy/features";
import type { FeatureState } from "#lib/tenancy/features/schema";
import { requireOperator } from "../../access.ts";
import { officeTitle } from "../../title.ts";
import { switchFeatureAction } from "./actions.ts";

export const generateMetadata = officeTitle("features");

export default async function FeaturesPage() {
  const operator = await requireOperator();
  const [nav, t, features] = await Promise.all([
    getTranslations("admin.nav"),
    getTranslations("admin.features"),
    listFeatures(operator),
  ]);
  return (
    <>
      <PageHead heading={nav("features")} note={t("note")} />
      <div className="max-w-2xl">
        <Card heading={t("list")}>
          <ul aria-label={t("list")} className="divide-y divide-line">
            {features.map((feature) => (
              <Item key={feature.name} feature={feature} />
            ))}
          </ul>
        </Card>
      </div>
    </>
  );
}

async function Item({ feature }: { feature: FeatureState }) {
  const [t, format] = await Promise.all([getTranslations("admin.features"), getFormatter()]);
  const { name, enabled, reason, changedAt } = feature;
  const verb = enabled ? "turnOff" : "turnOn";
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 text-sm first:pt-0 last:pb-0">
      <div className="grid min-w-0 flex-1 basis-60 gap-0.5">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {t(`names.${name}`)}
          <Badge tone={enabled ? "green" : "red"}>{t(enabled ? "on" : "off")}</Badge>
        </p>
        <p className="text-ink-muted">{t(`notes.${name}`)}</p>
        {reason === null || changedAt === null ? null : (
          <p className="break-words text-ink-muted text-xs">
            {t("changed", {
              at: format.dateTime(new Date(changedAt), {
                dateStyle: "medium",
                timeStyle: "short",
                timeZone: "UTC",
              }),
              reason,
            })}
          </p>
        )}
      </div>
      <ReasonButtons
        size="sm"
        label={t("reason")}
        hint={t("reasonHint")}
        changes={[
          {
            button: t(verb),
            "aria-label": t(`${verb}Named`, { feature: t(`names.${name}`) }),
            title: t(`${verb}Named`, { feature: t(`names.${name}`) }),
            text: t(`${verb}Text`),
            submit: t(verb),
            done: t(`${verb}Done`),
            change: switchFeatureAction.bind(null, name, !enabled),
          },
        ]}
      />
    </li>
  );
}
