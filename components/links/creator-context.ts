"use client";

import { createContext, use } from "react";
import type { FormAnswer } from "#components/forms/form";
import type { KeptFields } from "./link-creator.tsx";

/** When a link retires if it has no date of its own. An empty id stands for a new link. */
export type ReadRetirementDefault = (
  linkId: string,
) => Promise<FormAnswer<{ retiresAt: string | null; movesWithVisits: boolean }>>;

interface LinkCreatorState {
  workspace: string;
  owner: string;
  zone: string;
  readRetirementDefault: ReadRetirementDefault | null;
  openCreator: ((start?: KeptFields) => void) | null;
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
