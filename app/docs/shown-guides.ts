/** The guides that apply to this instance: the one about plans only where plans are sold. */
import { hasPrices } from "../plans.ts";
import { type Guide, guides } from "./guides.ts";

export function listShownGuides(): readonly Guide[] {
  return hasPrices() ? guides : guides.filter((guide) => guide !== "plans");
}
