/** URLs and hosts that browser code reads too. It loads no zod, which a redirect does without. */
export { findLookAlike, skeletonOf } from "./look-alikes.ts";
export { bareUrl, parseUrl } from "./parsing.ts";
export { isAppUrl, isWebUrl } from "./web-urls.ts";
