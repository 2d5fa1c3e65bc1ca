"use client";

import { createContext, use } from "react";
import type { FormAnswer } from "#components/forms/form";

/** When a link retires without a date of its own; an empty id: a new one. */
export type ReadRetirementDefault = (
  linkId: string,
) => Promise<FormAnswer<{ retiresAt: string | null; movesWithVisits: boolean }>>;

interface LinkCreatorState {
  workspace: string;
  owner: string;
  zone: string;
  readRetirementDefault: ReadRetirementDefault | null;
  openCreator: (() => void) | null;
}

export const CreatorContext = createContext<LinkCreatorState>({
  workspace: "",
  owner: "",
  zone: "UTC",
  readRetirementDefault: null,
  openCreator: null,
});

export function useLinkCreator() {
  return use(CreatorContext);
}
