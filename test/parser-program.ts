/** A process with parsers that misbehave, for tests of what limits them. */
import { serveParsers } from "#lib/platform/parsers";
import { hostileParsers } from "./hostile-parsers.ts";

serveParsers(hostileParsers);
