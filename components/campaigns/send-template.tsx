import { useTranslations } from "next-intl";
import { CopyButton } from "#components/ui/copy-button";
import type { Campaign } from "#lib/outreach/campaigns/schema";
import type { GatewayTemplate } from "#lib/outreach/gateways/schema";
import { templateTextOf } from "./send-template-text.ts";

interface SendTemplateProps {
  campaign: Campaign;
  smsTemplate: GatewayTemplate;
  host: string | null;
}

/** What the provider has to approve before this campaign is sent with its template. */
export function SendTemplate({ campaign, smsTemplate, host }: SendTemplateProps) {
  const t = useTranslations("sending");
  const { kind, variants, linkScheme } = campaign;
  const options = { host: host ?? "…", linkScheme, variables: smsTemplate.variables };
  return (
    <section
      aria-label={t("template")}
      className="grid gap-3 rounded-lg border border-line p-4 text-sm"
    >
      <div className="grid gap-1">
        <h3 className="font-medium">{t("template")}</h3>
        <p className="text-ink-muted">
          {t("templateNote", { code: smsTemplate.code, sign: smsTemplate.signature })}
        </p>
        {kind === "marketing" ? <p className="text-ink-muted">{t("templateMarketing")}</p> : null}
        {variants.length > 1 ? <p className="text-ink-muted">{t("templateVariants")}</p> : null}
      </div>
      {variants.map(({ name, template }) => {
        const { text, missing } = templateTextOf(template, options);
        return (
          <div key={name} className="grid gap-1.5">
            <div className="flex min-w-0 items-start gap-1 rounded-md bg-sunken py-1.5 pr-1 pl-3">
              <p className="min-w-0 flex-1 whitespace-pre-wrap break-words py-0.5">{text}</p>
              <CopyButton text={text} label={t("copyTemplate", { name })} />
            </div>
            {missing.length > 0 ? (
              <p className="text-danger">
                {t("templateMissing", {
                  names: missing.map((one) => (one === "link" ? "{code}" : `{${one}}`)).join(", "),
                })}
              </p>
            ) : null}
          </div>
        );
      })}
    </section>
  );
}
