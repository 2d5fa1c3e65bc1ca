import { CopyButton } from "#components/ui/copy-button";

/** A value to enter elsewhere. */
export function CopyRow({ label, text, copy }: { label: string; text: string; copy: string }) {
  return (
    <div className="grid grid-cols-[1fr_auto] items-center gap-x-2">
      <dt className="col-span-2 text-ink-muted">{label}</dt>
      <dd className="min-w-0 break-all font-mono text-xs">{text}</dd>
      <dd>
        <CopyButton text={text} label={copy} />
      </dd>
    </div>
  );
}
