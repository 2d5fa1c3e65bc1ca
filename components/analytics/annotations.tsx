"use client";

import { MessageSquarePlus, StickyNote } from "lucide-react";
import dynamic from "next/dynamic";
import { useFormatter, useTranslations } from "next-intl";
import { createContext, use, useState } from "react";
import type { FormAnswer } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Tooltip } from "#components/ui/tooltip";
import type { Annotation, AnnotationBody } from "#lib/analytics/annotations/schema";
import { useBoard } from "./board-state.tsx";
import { placeAnnotations } from "./buckets.ts";

// Loaded on demand, because most visitors of the page write no annotations.
const AnnotationDialog = dynamic(
  () => import("./annotation-dialog.tsx").then((one) => one.AnnotationDialog),
  { ssr: false },
);

export interface AnnotationActions {
  create: (body: AnnotationBody) => Promise<FormAnswer<null>>;
  edit: (id: string, body: AnnotationBody) => Promise<FormAnswer<null>>;
  remove: (id: string) => Promise<FormAnswer<null>>;
}

export interface BoardAnnotations {
  list: readonly Annotation[];
  actions: AnnotationActions | null;
}

/** A new annotation has no id. */
export type DraftAnnotation = Omit<Annotation, "id"> & { id?: string };

const Context = createContext<BoardAnnotations>({ list: [], actions: null });
export const AnnotationsProvider = Context.Provider;

export interface AnnotationEditor {
  open: ((draft: DraftAnnotation) => void) | undefined;
  draft: DraftAnnotation | undefined;
  close: () => void;
}

export function useAnnotationEditor(): AnnotationEditor {
  const { actions } = use(Context);
  const [draft, setDraft] = useState<DraftAnnotation>();
  return { open: actions ? setDraft : undefined, draft, close: () => setDraft(undefined) };
}

export function AnnotationButton({ open, draft, close }: AnnotationEditor) {
  const t = useTranslations("analytics");
  const { actions } = use(Context);
  if (!open || !actions) return null;
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        className="text-ink-muted"
        onClick={() => open({ at: new Date().toISOString(), text: "" })}
      >
        <MessageSquarePlus aria-hidden />
        {t("addAnnotation")}
      </Button>
      {draft ? <AnnotationDialog draft={draft} actions={actions} onClose={close} /> : null}
    </>
  );
}

interface MarksProps {
  points: readonly { start: string }[];
  open: AnnotationEditor["open"];
}

/** A mark for each annotation, above its bucket. The text shows on hover and focus. */
export function AnnotationMarks({ points, open }: MarksProps) {
  const t = useTranslations("analytics");
  const format = useFormatter();
  const { zone } = useBoard();
  const { list } = use(Context);
  const placed = placeAnnotations(list, points);
  if (placed.length === 0) return null;
  const labelOf = ({ at, text }: Annotation) =>
    t("annotationAt", {
      at: format.dateTime(new Date(at), {
        dateStyle: "medium",
        timeStyle: "short",
        timeZone: zone,
      }),
      text,
    });
  return (
    // Between the left axis and the right margin of the chart.
    <ul
      aria-label={t("annotationList")}
      className="pointer-events-none absolute inset-y-0 right-2 left-10"
    >
      {placed.map(({ annotation, part }) => (
        <li
          key={annotation.id}
          className="absolute top-5 bottom-8 border-line-strong border-l border-dashed"
          style={{ left: `${part * 100}%` }}
        >
          <Tooltip content={labelOf(annotation)}>
            <button
              type="button"
              aria-label={labelOf(annotation)}
              onClick={() => open?.(annotation)}
              className="-translate-x-1/2 pointer-events-auto grid size-6 place-items-center rounded-full border border-line bg-surface text-ink-muted shadow-raised hover:text-ink"
            >
              <StickyNote aria-hidden className="size-3" />
            </button>
          </Tooltip>
        </li>
      ))}
    </ul>
  );
}
