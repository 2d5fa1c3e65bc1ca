export { compressedSuffix, isPageFile, openPageFiles } from "./files.ts";
export { KeptPages } from "./kept.ts";
export { delayScripts } from "./late-scripts.ts";
