/** Hashing is tested where it is written; elsewhere a quarter of a second for each sign-in only takes time. */
import { passwordCost } from "#lib/platform/passwords";

passwordCost.costLog2 = 10;
passwordCost.parallelism = 1;
