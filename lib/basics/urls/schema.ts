/** For browser code and the redirect: loads no zod. */
export { findLookAlike, skeletonOf } from "./look-alikes.ts";
export { bareUrl, isAppUrl, isWebUrl, parseUrl } from "./web-urls.ts";
