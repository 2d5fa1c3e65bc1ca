"use client";

import type { FormAnswer } from "#components/forms/form";
import { CodeForm } from "./code-form.tsx";
import { loadPage } from "./load-page.ts";

interface FactorFormProps {
  check: (code: string) => Promise<FormAnswer<null>>;
  /** The page after a right code. */
  next: string;
}

/** A code of the second factor, on a page of its own. */
export function FactorForm({ check, next }: FactorFormProps) {
  return <CodeForm submit={check} onDone={() => loadPage(next)} />;
}
