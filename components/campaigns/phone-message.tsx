import { useTranslations } from "next-intl";
import { classNames } from "#components/ui/class-names.ts";
import type { MessageView } from "./preview-text.ts";

interface PhoneMessageProps {
  sender: string;
  view: MessageView;
}

/** A message on a phone. Every second part is shaded; characters that make it longer are marked. */
export function PhoneMessage({ sender, view }: PhoneMessageProps) {
  const t = useTranslations("campaignForm.preview");
  const wide = new Set(view.wide.map(({ char }) => char));
  const { parts } = view.segments;
  return (
    <div className="mx-auto grid w-full max-w-64 content-start gap-3 rounded-[1.75rem] border-4 border-line-strong bg-canvas px-3 pt-3 pb-6">
      <div aria-hidden className="mx-auto h-1.5 w-16 rounded-full bg-line-strong" />
      <p className="truncate text-center text-ink-muted text-xs">{sender.trim() || t("sender")}</p>
      <p className="min-h-24 whitespace-pre-wrap break-words rounded-2xl rounded-bl-sm bg-hover px-3 py-2 text-sm">
        {view.text === "" ? <span className="text-ink-muted">{t("empty")}</span> : null}
        {parts.map((part, at) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a part has no other name than its number
            key={at}
            className={classNames(at % 2 === 1 && "bg-accent-soft")}
          >
            {markWide(part, wide)}
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
