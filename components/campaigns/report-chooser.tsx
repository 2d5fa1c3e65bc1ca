import { useFormatter, useTranslations } from "next-intl";
import { Button } from "#components/ui/button";
import { FormError } from "#components/ui/form-error";
import type { Campaign } from "#lib/outreach/campaigns/schema";

interface ReportChooserProps {
  campaigns: readonly Campaign[];
  chosen: readonly string[];
  /** Too many are chosen. */
  wrong: boolean;
}

/** The campaigns to compare. A plain form: the address of the page has the choice, and it works without scripts. */
export function ReportChooser({ campaigns, chosen, wrong }: ReportChooserProps) {
  const t = useTranslations("campaignReport");
  const format = useFormatter();
  return (
    <details
      open={chosen.length < 2 || wrong}
      className="rounded-xl border border-line bg-surface p-5"
    >
      <summary className="cursor-pointer rounded-sm font-semibold text-base">{t("choose")}</summary>
      <form className="mt-4 grid gap-4">
        <FormError>{wrong ? t("chooseWrong") : undefined}</FormError>
        <fieldset className="grid max-h-80 gap-1 overflow-y-auto">
          <legend className="sr-only">{t("choose")}</legend>
          {campaigns.map(({ id, name, recipients, createdAt }) => (
            <label
              key={id}
              className="flex items-center gap-3 rounded-md px-2 py-1.5 text-sm hover:bg-hover pointer-coarse:py-2.5"
            >
              <input
                type="checkbox"
                name="ids"
                value={id}
                defaultChecked={chosen.includes(id)}
                className="size-4 shrink-0 accent-accent"
              />
              <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
              <span className="shrink-0 text-ink-muted">
                {t("recipientCount", { count: recipients })}
                <span className="hidden sm:inline">
                  {" · "}
                  {format.dateTime(new Date(createdAt), { dateStyle: "medium" })}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
        <div>
          <Button type="submit" variant="solid">
            {t("compareAction")}
          </Button>
        </div>
      </form>
    </details>
  );
}
