import { useTranslations } from "next-intl";
import { CopyButton } from "#components/ui/copy-button";

export function CodeBlock({ label, text }: { label: string; text: string }) {
  const t = useTranslations("webhooks");
  const shown = readable(text);
  return (
    <figure className="grid min-w-0 gap-1">
      <div className="flex items-center justify-between gap-2">
        <figcaption className="font-medium text-ink-muted text-xs">{label}</figcaption>
        <CopyButton text={shown} label={t("copyText", { label })} />
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled with the keyboard
        tabIndex={0}
        className="max-h-72 overflow-auto whitespace-pre-wrap break-words rounded-lg bg-sunken p-3 font-mono text-xs"
      >
        {shown}
      </pre>
    </figure>
  );
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text; // not JSON, or cut off
  }
}
