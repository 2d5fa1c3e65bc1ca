/** Builds the file of locations, in a separate process because it takes seconds. */
import { openPlaces } from "#lib/platform/request-info";

await openPlaces();
