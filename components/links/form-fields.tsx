"use client";

import { type ReactNode, useId } from "react";
import { LockNote, useLocked } from "#components/plans/locked";
import { Switch } from "#components/ui/switch";
import type { FieldsWith } from "#lib/links/link-columns/schema";
import type { Capability } from "#lib/tenancy/plans/schema";
import { InputField } from "../ui/labeled.tsx";
import type { FormPart, LinkDraft } from "./link-draft.ts";

export interface PartProps {
  draft: LinkDraft;
  change: (changes: Partial<LinkDraft>) => void;
  errorOf: (name: string) => string | undefined;
}

interface CollapsiblePartProps {
  part: FormPart;
  draft: LinkDraft;
  change: PartProps["change"];
  label: string;
  hint: string;
  /** A capability that the plan must include. Without it, the part can only be turned off. */
  capability?: Capability | undefined;
  children: ReactNode;
}

/** A part of the form with a switch. When off, it takes a single line. */
export function CollapsiblePart({
  part,
  draft,
  change,
  label,
  hint,
  capability,
  children,
}: CollapsiblePartProps) {
  const id = useId();
  const isLocked = useLocked(capability);
  const isOn = draft.open.includes(part);
  const lockNote = <LockNote text={isOn ? "removable" : "hint"} />;
  return (
    <section aria-labelledby={id} className="border-line border-t py-3">
      <h3 id={id} className="sr-only">
        {label}
      </h3>
      <Switch
        label={label}
        hint={isLocked ? lockNote : hint}
        checked={isOn}
        disabled={isLocked && !isOn}
        onCheckedChange={(on) =>
          change({ open: on ? [...draft.open, part] : draft.open.filter((one) => one !== part) })
        }
      />
      {isOn ? (
        <fieldset disabled={isLocked} className="mt-3 grid min-w-0 gap-4">
          {children}
        </fieldset>
      ) : null}
    </section>
  );
}

export type Controls<Part> = Record<FieldsWith<{ form: Part }>, ReactNode>;

/** A list of names that only compiles if it is complete. */
export function allOf<Name extends string>() {
  return <const List extends readonly Name[]>(
    list: List & ([Exclude<Name, List[number]>] extends [never] ? unknown : never),
  ): List => list;
}

type TextName = {
  [Name in keyof LinkDraft]: LinkDraft[Name] extends string ? Name : never;
}[keyof LinkDraft];

interface TextFieldProps extends PartProps {
  name: TextName;
  label: string;
  hint?: string;
  optional?: string;
  type?: string;
  inputMode?: "url" | "numeric";
  placeholder?: string;
  autoComplete?: string;
  autoFocus?: boolean;
}

export function TextField(props: TextFieldProps) {
  const { draft, change, errorOf, name, label, hint, optional, ...input } = props;
  return (
    <InputField
      label={label}
      error={errorOf(name)}
      {...(hint ? { hint } : {})}
      {...(optional ? { optional } : {})}
      autoComplete="off"
      {...input}
      value={draft[name]}
      onChange={({ target }) => change({ [name]: target.value })}
    />
  );
}
