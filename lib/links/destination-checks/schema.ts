import { z } from "zod";
import { namesIn } from "#lib/basics/variants/schema";

/** Whether a destination in this state is broken. */
const states = {
  works: false,
  redirects: false,
  refused: false,
  unchecked: false,
  server_error: true,
  not_found: true,
  certificate: true,
  dns: true,
  timeout: true,
  unreachable: true,
} as const satisfies Record<string, boolean>;

type States = typeof states;
export type DestinationState = keyof States;
export type BrokenState = {
  [State in DestinationState]: States[State] extends true ? State : never;
}[DestinationState];

const names = namesIn(states);
export const brokenStates = names.filter(isBroken);

export function isBroken(state: DestinationState): state is BrokenState {
  return states[state];
}

export const destinationCheckShape = z.object({
  url: z.string().describe("The checked page: the destination without its fragment."),
  state: z
    .enum(names)
    .describe(
      "redirects: it works, on another page. refused: the site turns programs away (401, 403, 429 and others), so nothing is known. unchecked: not checked yet, or it cannot be checked. The others are broken, which two failed checks in a row at least an hour apart have shown.",
    ),
  status: z.number().int().nullable().describe("The last HTTP status; null without an answer."),
  redirectsTo: z
    .string()
    .nullable()
    .describe("Where the destination redirects to, without its query."),
  checkedAt: z.string().nullable().describe("Null if it was never checked."),
  failingSince: z
    .string()
    .nullable()
    .describe("When the first of the last failed checks was; null if the last one succeeded."),
});
export type DestinationCheck = z.output<typeof destinationCheckShape>;

export const neverChecked: Omit<DestinationCheck, "url"> = {
  state: "unchecked",
  status: null,
  redirectsTo: null,
  checkedAt: null,
  failingSince: null,
};

/** People may have waited for the result of a check for this long. */
export const checkWaitMs = 60_000;
