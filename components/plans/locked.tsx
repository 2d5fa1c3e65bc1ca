"use client";

import { useTranslations } from "next-intl";
import { createContext, type ReactNode, useContext } from "react";
import { classNames } from "#components/ui/class-names.ts";
import type { Capability } from "#lib/tenancy/plans/schema";

interface PlanContextValue {
  /** What the plan of the workspace does not include. */
  locked: readonly Capability[];
  /** Path of the page with the plans. */
  path: string;
}

const PlanContext = createContext<PlanContextValue>({ locked: [], path: "" });

/** Tells the controls of a workspace what its plan does not include. */
export function PlanLocks({ children, ...value }: PlanContextValue & { children: ReactNode }) {
  return <PlanContext value={value}>{children}</PlanContext>;
}

export function useLocked(capability: Capability | undefined): boolean {
  const { locked } = useContext(PlanContext);
  return capability !== undefined && locked.includes(capability);
}

interface LockBoxProps {
  capability: Capability;
  className?: string;
}

/** In place of controls that the plan does not include. */
export function LockBox({ capability, className }: LockBoxProps) {
  if (!useLocked(capability)) return null;
  return (
    <p
      className={classNames(
        "rounded-xl border border-line bg-sunken p-5 text-ink-muted text-sm",
        className,
      )}
    >
      <LockNote />
    </p>
  );
}

interface LockNoteProps {
  /** `removable`: the object has it, and can lose it. `fixed`: a destination. */
  text?: "hint" | "removable" | "fixed";
}

/** Why a control is disabled, and where to change that. */
export function LockNote({ text = "hint" }: LockNoteProps) {
  const t = useTranslations("planLock");
  const { path } = useContext(PlanContext);
  return (
    <>
      {t(text)} {/* Another tab: what is being filled in stays. */}
      <a
        href={path}
        target="_blank"
        rel="noreferrer"
        className="rounded-xs text-ink underline underline-offset-2"
      >
        {t("link")}
      </a>
    </>
  );
}
