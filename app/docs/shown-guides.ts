/** The guides that apply to this instance. The guide about plans is only shown if plans are sold. */
import { hasPrices } from "../plans.ts";
import { type Guide, guides } from "./guides.ts";

export function listShownGuides(): readonly Guide[] {
  return hasPrices() ? guides : guides.filter((guide) => guide !== "plans");
}
