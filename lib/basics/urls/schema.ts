/** URLs entered by users. */
import { z } from "zod";
import { isAppUrl, isWebUrl } from "./index.ts";

export { findLookAlike, skeletonOf } from "./look-alikes.ts";
export { parseUrl } from "./parsing.ts";

const urlCharsMax = 32_000;

/** `example.com/path`: a host with a dot and no scheme. No colon, which would make it a scheme or a port. */
const urlWithoutScheme = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:[/?#][^\s\\]*)?$/u;

/** A missing scheme becomes https. */
const enteredUrl = z
  .string()
  .trim()
  .overwrite((text) => (urlWithoutScheme.test(text) ? `https://${text}` : text))
  .max(urlCharsMax, `Use at most ${urlCharsMax} characters.`);

/** A URL that reaches a Location header. */
export const webUrl = enteredUrl.refine(
  isWebUrl,
  "Use a full URL that starts with https:// or http://.",
);

/** A destination for some visitors, beside the web URL of the link: an app URL is allowed too. */
export const webOrAppUrl = enteredUrl.refine(
  (text) => isWebUrl(text) || isAppUrl(text),
  "Use a full URL that starts with https://, http:// or a supported app scheme, such as whatsapp:// or tel:.",
);
