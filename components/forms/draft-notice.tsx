import { Button } from "#components/ui/button";

interface DraftNoticeProps {
  text: string;
  summary: string;
  outdated: string | undefined;
  discard: { label: string; onClick: () => void };
  resume: { label: string; onClick: () => void };
}

export function DraftNotice({ text, summary, outdated, discard, resume }: DraftNoticeProps) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-2 rounded-lg border border-line bg-sunken p-3 text-sm"
    >
      <div className="min-w-40 flex-1">
        <p>{text}</p>
        {summary ? <p className="line-clamp-1 break-all text-ink-muted">{summary}</p> : null}
        {outdated ? <p className="text-danger">{outdated}</p> : null}
      </div>
      <Button size="sm" variant="ghost" onClick={discard.onClick}>
        {discard.label}
      </Button>
      <Button size="sm" onClick={resume.onClick}>
        {resume.label}
      </Button>
    </div>
  );
}
