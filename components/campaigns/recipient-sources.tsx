"use client";

import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import type { RecipientSource } from "#lib/outreach/sources/schema";
import { AddRecipients } from "./add-recipients.tsx";
import { SourceCard } from "./source-card.tsx";
import type { SourcePartProps } from "./source-part.ts";

interface RecipientSourcesProps extends SourcePartProps {
  sources: readonly RecipientSource[];
  /** Whether recipients can be added: their data is not erased, and the plan and the instance allow more. */
  mayAdd: boolean;
  isEmpty: boolean;
}

export function RecipientSources({ sources, mayAdd, isEmpty, ...part }: RecipientSourcesProps) {
  const t = useTranslations("recipients");
  const [changed, setChanged] = useState<ReadonlyMap<string, RecipientSource>>(new Map());
  // The pasted text stays for corrections until adding starts. It has phones, so the browser does not store it.
  const [text, setText] = useState("");
  const pastedId = useRef<string>(undefined);
  const known = new Set(sources.map(({ id }) => id));
  const added = [...changed.values()].filter(({ id }) => !known.has(id)).reverse();
  const shown = [...added, ...sources.map((one) => changed.get(one.id) ?? one)];
  // Hides files that were discarded before they were started.
  const kept = shown.filter(({ state, startedAt }) => state !== "cancelled" || startedAt !== null);

  function show(one: RecipientSource) {
    setChanged((before) => new Map(before).set(one.id, one));
    if (one.id === pastedId.current && one.startedAt !== null) setText("");
  }

  /** Corrected lines replace the lines that were checked before. */
  async function showPasted(one: RecipientSource) {
    const before = kept.find(({ id, state }) => id === pastedId.current && state === "ready");
    pastedId.current = one.id;
    show(one);
    if (!before) return;
    const answer = await part.actions.step(before.id, "cancel");
    if (answer.ok) show(answer.done);
  }

  return (
    <div className="grid gap-4">
      {mayAdd ? (
        <AddRecipients
          {...part}
          isOpen={isEmpty && kept.length === 0}
          text={text}
          onText={setText}
          onAdded={(one, isPasted) => (isPasted ? void showPasted(one) : show(one))}
        />
      ) : null}
      {kept.length > 0 ? (
        <ul aria-label={t("sources")} className="grid gap-3">
          {kept.map((one) => (
            <li key={one.id}>
              <SourceCard {...part} source={one} onShown={show} />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
