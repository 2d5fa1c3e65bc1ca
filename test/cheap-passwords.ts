/** Hashing has its own tests; elsewhere a quarter of a second per sign-in only takes time. */
import { passwordCost } from "#lib/platform/passwords";

passwordCost.costLog2 = 10;
passwordCost.parallelism = 1;
