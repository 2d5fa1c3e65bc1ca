import { z } from "zod";

export const keyUseDaysMax = 90;
const keyUseDaysDefault = 30;
const appNameCharsMax = 64;
const appVersionCharsMax = 32;
export const keyAppsMax = 20;

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
  links: z.number(),
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
