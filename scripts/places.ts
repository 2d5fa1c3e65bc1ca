/** Builds the file of locations, for scripts/build.ts: in a process of its own, because it takes seconds. */
import { openPlaces } from "#lib/platform/request-info";

await openPlaces();
