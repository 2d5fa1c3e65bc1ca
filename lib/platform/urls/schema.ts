/** URLs entered by users. */
import { z } from "zod";
import { isAppAddress, isWebAddress } from "./index.ts";

const urlCharsMax = 32_000;

/** `example.com/path`: a host with a dot and no scheme. No colon, which would make it a scheme or a port. */
const bareAddress = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:[/?#][^\s\\]*)?$/u;

/** A missing scheme becomes https. */
const address = z
  .string()
  .trim()
  .overwrite((text) => (bareAddress.test(text) ? `https://${text}` : text))
  .max(urlCharsMax, `Use at most ${urlCharsMax} characters.`);

/** A URL that reaches a Location header. */
export const webAddress = address.refine(
  isWebAddress,
  "Use a full URL that starts with https:// or http://.",
);

/** A destination for some visitors, beside the web URL of the link: an app URL is allowed too. */
export const webOrAppAddress = address.refine(
  (text) => isWebAddress(text) || isAppAddress(text),
  "Use a full URL that starts with https://, http:// or a supported app scheme, such as whatsapp:// or tel:.",
);
