"use client";

import { Replace } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useState, useTransition } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Dialog, DialogActions, DialogContent } from "#components/ui/dialog";
import { InputField, SelectField } from "#components/ui/labeled";
import { parseUrl } from "#lib/basics/urls/schema";
import { hostnameOf, type ReplaceHost } from "#lib/links/editing/schema";
import type { Link } from "#lib/links/fields/schema";
import type { HostPreview } from "#lib/links/list-jobs/schema";
import { BarButton } from "./bar-button.tsx";

interface ReplaceHostDialogProps {
  links: readonly Link[];
  preview: (step: ReplaceHost) => Promise<FormAnswer<HostPreview>>;
  onReplace: (step: ReplaceHost) => void;
}

export function ReplaceHostDialog(props: ReplaceHostDialogProps) {
  const t = useTranslations("selection.replaceHost");
  const [open, setOpen] = useState(false);
  return (
    <>
      <BarButton label={t("open")} icon={<Replace aria-hidden />} onClick={() => setOpen(true)} />
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent title={t("title")} description={t("text")}>
          <ReplaceHostForm {...props} onDone={() => setOpen(false)} />
        </DialogContent>
      </Dialog>
    </>
  );
}

/** The change is previewed first, and again after each edit of a host. */
function ReplaceHostForm({
  links,
  preview,
  onReplace,
  onDone,
}: ReplaceHostDialogProps & { onDone: () => void }) {
  const t = useTranslations("selection.replaceHost");
  const runAction = useAction();
  const [pending, start] = useTransition();
  const hosts = hostsByUse(links);
  const [from, setFrom] = useState(hosts[0] ?? "");
  const [to, setTo] = useState("");
  const [problem, setProblem] = useState<"invalid" | "same">();
  const [shown, setShown] = useState<{ step: ReplaceHost; found: HostPreview }>();

  function submit(event: FormEvent) {
    event.preventDefault();
    const host = hostnameOf(to);
    setProblem(host === undefined ? "invalid" : host === from ? "same" : undefined);
    if (host === undefined || host === from) return;
    if (shown) {
      onReplace(shown.step);
      onDone();
      return;
    }
    const step = { from, to: host };
    start(async () => {
      const answer = await runAction(() => preview(step));
      if (answer) setShown({ step, found: answer.done });
    });
  }

  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <SelectField
        label={t("from")}
        value={from}
        onValueChange={(host) => {
          setFrom(host);
          setShown(undefined);
        }}
        options={hosts.map((host) => ({ value: host, label: host }))}
      />
      <InputField
        label={t("to")}
        hint={t("toHint")}
        value={to}
        error={problem && t(problem)}
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => {
          setTo(event.target.value);
          setShown(undefined);
        }}
      />
      {shown ? <Preview found={shown.found} /> : null}
      <DialogActions>
        <Button
          type="submit"
          variant="solid"
          pending={pending}
          disabled={shown?.found.links === 0 && !shown.found.more}
        >
          {t(shown ? "apply" : "preview")}
        </Button>
      </DialogActions>
    </form>
  );
}

function Preview({ found: { links, checked, more, samples } }: { found: HostPreview }) {
  const t = useTranslations("selection.replaceHost");
  return (
    <div role="status" className="grid gap-2 text-sm">
      <p>{more ? t("countOf", { links, checked }) : t("count", { links })}</p>
      <ul className="grid gap-2">
        {samples.map(({ from, to }) => (
          <li key={from} className="grid gap-0.5 break-all">
            <del className="text-ink-muted">{from}</del>
            <span className="sr-only">{t("becomes")}</span>
            <ins className="no-underline">{to}</ins>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The host of most links first. */
function hostsByUse(links: readonly Link[]): string[] {
  const counts = new Map<string, number>();
  for (const { url } of links) {
    const host = /^https?:/i.test(url) ? parseUrl(url)?.hostname : undefined;
    if (host) counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([host]) => host);
}
