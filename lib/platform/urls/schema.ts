/** Addresses that people give. */
import { z } from "zod";
import { isAppAddress, isWebAddress } from "./index.ts";

const urlCharsMax = 32_000;

/** `example.com/path`: a host with a dot and no scheme. A colon would make it a scheme or a port, so it has none. */
const bareAddress = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:[/?#][^\s\\]*)?$/u;

/** People leave the scheme out; then it is https. */
const address = z
  .string()
  .trim()
  .overwrite((text) => (bareAddress.test(text) ? `https://${text}` : text))
  .max(urlCharsMax, `Use at most ${urlCharsMax} characters.`);

/** An address that reaches a Location header. */
export const webAddress = address.refine(
  isWebAddress,
  "Use a full URL that starts with https:// or http://.",
);

/** Where visitors of a kind may go, who have the web address of the link besides: also into an app. */
export const webOrAppAddress = address.refine(
  (text) => isWebAddress(text) || isAppAddress(text),
  "Use a full URL that starts with https://, http:// or a supported app scheme, such as whatsapp:// or tel:.",
);
