import { z } from "zod";

const deepLinkCharsMax = 2_000;
const userAgentCharsMax = 512;
const languageCharsMax = 64;
const hostCharsMax = 253;

export const trackOpenBody = z.object({
  deepLink: z
    .string()
    .trim()
    .min(1, "Send the short link that opened the app.")
    .max(deepLinkCharsMax)
    .describe("The short link that opened the app, with its query parameters."),
  userAgent: z
    .string()
    .max(userAgentCharsMax)
    .nullish()
    .describe("Of the device, for its OS and kind."),
  ip: z
    .union([z.ipv4(), z.ipv6()])
    .nullish()
    .describe("The address of the visitor, for the location. It isn’t stored."),
  language: z.string().max(languageCharsMax).nullish().describe("Such as de-DE."),
});
export type TrackOpen = z.output<typeof trackOpenBody>;

export const trackedOpen = z.object({
  clickId: z.string().describe("For leads and sales, like the `dub_id` of a redirect."),
  link: z.object({
    id: z.string(),
    domain: z.string(),
    key: z.string(),
    url: z.string().describe("The destination. Open the matching page of your app."),
  }),
});
export type TrackedOpen = z.output<typeof trackedOpen>;

export const trackClickBody = z.object({
  domain: z.string().trim().toLowerCase().min(1, "Send the domain of the link.").max(hostCharsMax),
  key: z.string().trim().min(1, "Send the slug of the link.").max(deepLinkCharsMax),
  url: z.string().max(deepLinkCharsMax).nullish().describe("The page that the visitor is on."),
  referrer: z.string().max(deepLinkCharsMax).nullish().describe("The page before."),
});
export type TrackClick = z.output<typeof trackClickBody>;

export const trackedClick = trackedOpen.pick({ clickId: true });
export type TrackedClick = z.output<typeof trackedClick>;
