"use client";

import { Plus, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { useCountryOptions } from "#components/forms/countries.ts";
import { Button } from "#components/ui/button";
import { InputField, SelectField } from "../ui/labeled.tsx";
import { type CampaignDraft, missingColumns, withColumn } from "./campaign-draft.ts";
import { MessageFigures } from "./message-figures.tsx";
import { PhoneMessage } from "./phone-message.tsx";
import { previewMessage, type SampleLinks, sampledColumns } from "./preview-text.ts";
import { useTemplateProblem } from "./template-problem.ts";

interface MessagePreviewProps {
  draft: CampaignDraft;
  links: SampleLinks;
  /** Omitted: the campaign can no longer be changed. */
  change?: (changes: Partial<CampaignDraft>) => void;
}

/** The message as one recipient gets it, with its parts, while it is written. */
export function MessagePreview({ draft, links, change }: MessagePreviewProps) {
  const t = useTranslations("campaignForm.preview");
  const [chosen, setChosen] = useState(0);
  const [country, setCountry] = useState<string>();
  const [samples, setSamples] = useState<Readonly<Record<string, string>>>({});
  const countries = useCountryOptions();
  const sayProblem = useTemplateProblem();
  const at = Math.min(chosen, draft.variants.length - 1);
  const shownCountry = country ?? draft.defaultCountry;
  const view = previewMessage({ draft, at, country: shownCountry, samples, links });
  const put = (template: string) =>
    change?.({
      variants: draft.variants.map((one, other) => (other === at ? { ...one, template } : one)),
    });
  return (
    <section
      aria-label={t("label")}
      className="grid content-start gap-4 rounded-xl border border-line bg-sunken p-4"
    >
      {draft.variants.length > 1 ? (
        <VariantTabs draft={draft} at={at} onChoose={setChosen} />
      ) : null}
      {view.ok ? (
        <PhoneMessage sender={draft.senderName} view={view} />
      ) : (
        <PreviewNote>{sayProblem(view)}</PreviewNote>
      )}
      <MissingColumns draft={draft} change={change} />
      {view.ok && draft.variants[at]?.template.trim() ? (
        <MessageFigures
          view={view}
          country={shownCountry}
          currency={draft.currency.trim().toUpperCase()}
          onReplace={change ? put : undefined}
        />
      ) : null}
      <SelectField
        label={t("country")}
        options={countries}
        value={shownCountry}
        onValueChange={setCountry}
      />
      {sampledColumns(draft, at).map((name) => (
        <InputField
          key={name}
          label={t("sample", { name })}
          autoComplete="off"
          value={samples[name] ?? name}
          onChange={({ target }) => setSamples({ ...samples, [name]: target.value })}
        />
      ))}
    </section>
  );
}

interface VariantTabsProps {
  draft: CampaignDraft;
  at: number;
  onChoose: (at: number) => void;
}

function VariantTabs({ draft, at, onChoose }: VariantTabsProps) {
  const t = useTranslations("campaignForm.preview");
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">{t("variant")}</legend>
      {draft.variants.map(({ id, name }, other) => (
        <Button
          key={id}
          size="sm"
          variant={other === at ? "solid" : "outline"}
          aria-pressed={other === at}
          onClick={() => onChoose(other)}
        >
          {name || t("unnamed", { number: other + 1 })}
        </Button>
      ))}
    </fieldset>
  );
}

interface MissingColumnsProps {
  draft: CampaignDraft;
  change: MessagePreviewProps["change"] | undefined;
}

function MissingColumns({ draft, change }: MissingColumnsProps) {
  const t = useTranslations("campaignForm.preview");
  return missingColumns(draft).map((name) => (
    <PreviewNote key={name}>
      {t("missingColumn", { name })}{" "}
      {change ? (
        <Button size="sm" onClick={() => change({ columns: withColumn(draft, name) })}>
          <Plus aria-hidden />
          {t("addColumn", { name })}
        </Button>
      ) : null}
    </PreviewNote>
  ));
}

function PreviewNote({ children }: { children: ReactNode }) {
  return (
    <div role="status" className="flex gap-2 rounded-md bg-danger-soft px-3 py-2 text-sm">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="grid min-w-0 justify-items-start gap-2 break-words">{children}</div>
    </div>
  );
}
