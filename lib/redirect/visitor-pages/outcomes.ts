import { exposeCounters } from "#lib/platform/log";
import type { BannedPage, PageName } from "./texts.ts";

type Outcome =
  | Exclude<PageName, BannedPage>
  | "banned"
  | "insideApp"
  | "form"
  | "formAnswered"
  | "formTrapped"
  | "sentToWechat"
  | "preview"
  | "sentElsewhere"
  | "sentOn"
  | "warned";

export const outcomes: Record<Outcome, number> = {
  sentOn: 0,
  /** Redirected to the URL that a domain or a link has for missing or expired links. */
  sentElsewhere: 0,
  preview: 0,
  /** Here and below, the visit that continues counts separately. */
  warned: 0,
  insideApp: 0,
  form: 0,
  formAnswered: 0,
  /** A program filled in the field that people don’t see. */
  formTrapped: 0,
  sentToWechat: 0,
  missing: 0,
  ended: 0,
  early: 0,
  banned: 0,
  unavailable: 0,
  refused: 0,
  password: 0,
  wrongPassword: 0,
  tooMany: 0,
  people: 0,
};

export function countPage(name: PageName): void {
  outcomes[isBannedPage(name) ? "banned" : name] += 1;
}

function isBannedPage(name: PageName): name is BannedPage {
  return name.startsWith("banned");
}

exposeCounters("visits", "Visits, by result.", outcomes);
