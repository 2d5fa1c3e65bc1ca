"use client";

import { useTranslations } from "next-intl";
import { createContext, type ReactNode, useContext } from "react";
import { classNames } from "#components/ui/class-names.ts";
import type { Capability } from "#lib/tenancy/plans/schema";

interface PlanContextValue {
  locked: readonly Capability[];
  path: string;
}

const PlanContext = createContext<PlanContextValue>({ locked: [], path: "" });

export function PlanLocks({ children, ...value }: PlanContextValue & { children: ReactNode }) {
  return <PlanContext value={value}>{children}</PlanContext>;
}

export function useLocked(capability: Capability | undefined): boolean {
  const { locked } = useContext(PlanContext);
  return capability !== undefined && locked.includes(capability);
}

export function LockBox({ capability, className }: { capability: Capability; className?: string }) {
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
  /** `removable`: the object already has the feature, and can only lose it. `fixed`: for a destination. */
  text?: "hint" | "removable" | "fixed";
}

/** Why a control is disabled, and where the plan can be changed. */
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
