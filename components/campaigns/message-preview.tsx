"use client";

import { Plus, TriangleAlert } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { useCountryOptions } from "#components/forms/countries.ts";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";
import type { Segments } from "#lib/outreach/segments";
import { InputField, SelectField } from "../ui/labeled.tsx";
import { type CampaignDraft, missingColumns, withColumn } from "./campaign-draft.ts";
import {
  type MessageView,
  previewMessage,
  type SampleLinks,
  sampledColumns,
} from "./preview-text.ts";
import { useTemplateProblem } from "./template-problem.ts";

interface MessagePreviewProps {
  draft: CampaignDraft;
  links: SampleLinks;
  change?: (changes: Partial<CampaignDraft>) => void;
}

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
        <PhoneMessage sender={draft.senderName} parts={view.segments.parts} wide={view.wide} />
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

interface PhoneMessageProps {
  sender: string;
  parts: readonly string[];
  wide?: MessageView["wide"];
}

/** A message on a phone. Every second part is shaded, and characters that make the message longer are marked. */
export function PhoneMessage({ sender, parts, wide = [] }: PhoneMessageProps) {
  const t = useTranslations("campaignForm.preview");
  const marked = new Set(wide.map(({ char }) => char));
  return (
    <div className="mx-auto grid w-full max-w-64 content-start gap-3 rounded-[1.75rem] border-4 border-line-strong bg-canvas px-3 pt-3 pb-6">
      <div aria-hidden className="mx-auto h-1.5 w-16 rounded-full bg-line-strong" />
      <p className="truncate text-center text-ink-muted text-xs">{sender.trim() || t("sender")}</p>
      <p className="min-h-24 whitespace-pre-wrap break-words rounded-2xl rounded-bl-sm bg-hover px-3 py-2 text-sm">
        {parts.join("") === "" ? <span className="text-ink-muted">{t("empty")}</span> : null}
        {parts.map((part, at) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a part has no other name than its number
            key={at}
            className={classNames(at % 2 === 1 && "bg-accent-soft")}
          >
            {markWide(part, marked)}
          </span>
        ))}
      </p>
    </div>
  );
}

function markWide(part: string, wide: ReadonlySet<string>) {
  if (wide.size === 0) return part;
  const runs: { text: string; isWide: boolean }[] = [];
  for (const char of part) {
    const last = runs.at(-1);
    const isWide = wide.has(char);
    if (last && last.isWide === isWide) last.text += char;
    else runs.push({ text: char, isWide });
  }
  return runs.map(({ text, isWide }, at) =>
    isWide ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the order of runs is that of the text
      <mark key={at} className="rounded-xs bg-danger-soft text-danger">
        {text}
      </mark>
    ) : (
      text
    ),
  );
}

const wideShown = 12;

interface MessageFiguresProps {
  view: MessageView;
  country: string;
  currency: string;
  onReplace: ((template: string) => void) | undefined;
}

function MessageFigures({ view, country, currency, onReplace }: MessageFiguresProps) {
  const t = useTranslations("campaignForm.preview");
  const { segments, cost, saved, warnings, isTooLong } = view;
  const money = (amount: string) => `${amount} ${currency}`;
  return (
    <div className="grid gap-3 text-sm">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 tabular-nums">
        <SegmentFacts segments={segments} country={country} />
        <Fact name={t("cost")} value={cost === null ? t("noPrice") : money(cost)} />
      </dl>
      {saved.parts > 0 ? (
        <p className="text-ink-muted">
          {t("saved", { parts: saved.parts })}
          {saved.cost === null ? null : ` ${t("savedCost", { cost: money(saved.cost) })}`}
        </p>
      ) : null}
      {isTooLong ? <p className="text-danger">{t("tooLong")}</p> : null}
      <WideCharacters view={view} onReplace={onReplace} />
      {warnings.map((code) => (
        <p key={code} className="rounded-md border border-line bg-surface px-3 py-2">
          {t(`warnings.${code}`)}
        </p>
      ))}
    </div>
  );
}

const alphabets = { "GSM-7": "gsm", "UCS-2": "ucs" } as const;

interface SegmentFactsProps {
  segments: Segments;
  country: string;
}

/** Belongs into a list of facts. */
export function SegmentFacts({ segments, country }: SegmentFactsProps) {
  const t = useTranslations("campaignForm.preview");
  const format = useFormatter();
  return (
    <>
      <Fact name={t("parts")} value={format.number(segments.parts.length)} />
      <Fact name={t("characters")} value={format.number(segments.units)} />
      <Fact
        name={t("alphabet")}
        value={country === "CN" ? t("mainland") : t(`alphabets.${alphabets[segments.encoding]}`)}
      />
    </>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-ink-muted text-xs">{name}</dt>
      <dd className="font-medium">{value}</dd>
    </div>
  );
}

function WideCharacters({ view, onReplace }: Pick<MessageFiguresProps, "view" | "onReplace">) {
  const t = useTranslations("campaignForm.preview");
  const { wide, replaced } = view;
  if (wide.length === 0) return null;
  const chars = wide
    .slice(0, wideShown)
    .map(({ char }) => char)
    .join(" ");
  return (
    <div className="grid justify-items-start gap-2 rounded-md border border-line bg-surface px-3 py-2">
      <p className="break-words">{t("wide", { chars })}</p>
      {replaced && onReplace ? (
        <Button size="sm" onClick={() => onReplace(replaced.template)}>
          {t("replace", { parts: replaced.parts })}
        </Button>
      ) : null}
    </div>
  );
}
