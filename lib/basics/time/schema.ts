export { moment } from "./moments.ts";
export { instantIn, localIn, type Preset, presetDays, presets } from "./zones.ts";
