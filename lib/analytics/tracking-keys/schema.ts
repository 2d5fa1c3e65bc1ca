/** A public key is in the source of a site, and can only report leads and sales from its hosts. */

import { z } from "zod";
import { parseUrl } from "#lib/basics/urls/schema";

const nameCharsMax = 100;
const hostCharsMax = 253;
export const hostsMax = 20;

const hostPattern =
  /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?::\d{1,5})?$/;

export const newTrackingKey = z.strictObject({
  name: z.string().trim().min(1, "Enter a name.").max(nameCharsMax),
  hosts: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .max(hostCharsMax)
        .regex(
          hostPattern,
          "Use hosts such as shop.example.com or *.example.com, without https://.",
        ),
    )
    .min(1, "Add at least one host.")
    .max(hostsMax, `Use at most ${hostsMax} hosts.`)
    .describe("Sites that may use the key, such as shop.example.com or *.example.com."),
});
export type NewTrackingKey = z.output<typeof newTrackingKey>;

export const trackingKeyShape = z.object({
  id: z.string(),
  name: z.string(),
  key: z.string().describe("Not a secret: it is in the source of the site."),
  hosts: z.array(z.string()),
  createdAt: z.string(),
});
export type TrackingKey = z.output<typeof trackingKeyShape>;

/** `origin` is a URL such as https://shop.example.com. */
export function isFromHost(origin: string, hosts: readonly string[]): boolean {
  const url = /^https?:\/\//.test(origin) ? parseUrl(origin) : undefined;
  if (!url) return false;
  const { host, hostname } = url;
  return hosts.some((one) =>
    one.startsWith("*.") ? hostname.endsWith(one.slice(1)) : one === host || one === hostname,
  );
}
