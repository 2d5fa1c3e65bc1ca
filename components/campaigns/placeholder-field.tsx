import type { ComponentProps } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { type ControlProps, Field, type FieldProps } from "#components/ui/field";
import { fieldClass } from "#components/ui/input";

interface PlaceholderFieldProps
  extends Omit<FieldProps, "children" | "className">,
    Omit<ComponentProps<"textarea">, keyof ControlProps | "value"> {
  value: string;
}

/** Escaped braces, or a placeholder. */
const token = /(\{\{|\}\}|\{[^{}]+\})/;

/**
 * A text field that marks its placeholders. The marks belong to a copy of the text behind the field, which also makes the field as
 * tall as its text, so that it never scrolls.
 */
export function PlaceholderField({
  label,
  hint,
  error,
  optional,
  className,
  ...textarea
}: PlaceholderFieldProps) {
  const box = classNames(
    fieldClass,
    "col-start-1 row-start-1 min-h-9 whitespace-pre-wrap break-words py-1.5 pointer-coarse:min-h-11",
    className,
  );
  return (
    <Field {...{ label, hint, error, optional }}>
      {(control) => (
        <div className="grid grid-cols-[minmax(0,1fr)]">
          <div aria-hidden className={classNames(box, "border-transparent text-transparent")}>
            {textarea.value.split(token).map(markOf)}
            {/* An empty last line has a height too. */}
            {"\u200b"}
          </div>
          <textarea
            {...control}
            {...textarea}
            className={classNames(box, "relative resize-none overflow-hidden bg-transparent")}
          />
        </div>
      )}
    </Field>
  );
}

/** Every second piece is a token. */
function markOf(piece: string, at: number) {
  if (at % 2 === 0 || piece === "{{" || piece === "}}") return piece;
  return (
    // A piece has no other name than its place.
    <mark key={at} className="rounded-xs bg-accent-soft text-transparent ring-1 ring-accent/40">
      {piece}
    </mark>
  );
}
