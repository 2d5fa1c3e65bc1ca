import { z } from "zod";

/** Clicks are this many times the usual ones. */
export const riseTimes = [2, 3, 5, 10] as const;
/** Clicks are this many percent below the usual ones. */
export const fallPercents = [50, 75, 90] as const;

const oneOf = (values: readonly number[]) =>
  z
    .int()
    .refine((value) => values.includes(value), `Use one of ${values.join(", ")}.`)
    .nullable();

/** Null: no alert. */
export const trafficAlertBody = z.strictObject({
  riseTimes: oneOf(riseTimes),
  fallPercent: oneOf(fallPercents),
});
export type TrafficAlert = z.output<typeof trafficAlertBody>;

export type TrafficChange = "rise" | "fall";
