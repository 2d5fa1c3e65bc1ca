export { compileList, findOfHost, HostList, type HostReach } from "./host-lists.ts";
export {
  type HostPatternProblem,
  hostPatternCharsMax,
  parseHostPattern,
  plainPath,
} from "./host-patterns.ts";
export { appSchemes, isAppUrl, isWebUrl, pagesOf } from "./web-urls.ts";
