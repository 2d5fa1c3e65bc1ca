/** The use of an API key, as pages and the API show it. */
import { z } from "zod";

/** Days for which the use of a key is kept. */
export const keyUseDaysMax = 90;
const keyUseDaysDefault = 30;
const appNameCharsMax = 64;
const appVersionCharsMax = 32;
/** Applications that are kept for a key; those that called last. */
export const keyAppsMax = 20;

/** `name/version` or only a name, as an application states it. */
export const appHeader = z
  .string()
  .regex(
    new RegExp(
      `^[\\w.-](?:[\\w .-]{0,${appNameCharsMax - 2}}[\\w.-])?(?:/[\\w.+-]{1,${appVersionCharsMax}})?$`,
    ),
    `Use name/version, such as billing/2.4.1: a name of up to ${appNameCharsMax} and a version of up to ${appVersionCharsMax} letters, digits, dots, hyphens and underscores.`,
  );

export const keyUseQuery = z.object({
  days: z.coerce
    .number()
    .int()
    .min(1)
    .max(keyUseDaysMax)
    .default(keyUseDaysDefault)
    .describe(`Up to ${keyUseDaysMax} days, until today in the time zone of the workspace.`),
});
export type KeyUseQuery = z.output<typeof keyUseQuery>;

const counts = {
  calls: z.number(),
  /** Links created, without those of imports. */
  links: z.number(),
  /** Calls answered with 403 or 429. */
  refusals: z.number(),
};

export const keyUseShape = z.object({
  ...counts,
  days: z.array(z.object({ day: z.string(), ...counts })),
  lastCallAt: z.string().nullable(),
  lastAddress: z.string().nullable(),
  apps: z.array(
    z.object({
      name: z.string(),
      version: z.string().nullable(),
      calls: z.number(),
      lastCallAt: z.string(),
    }),
  ),
});
export type KeyUse = z.infer<typeof keyUseShape>;
