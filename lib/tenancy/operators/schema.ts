import { z } from "zod";

const reasonCharsMin = 3;
const reasonCharsMax = 500;

/** The reason of a change, for the audit log, which owners can read. */
export const reasonField = z
  .string()
  .trim()
  .min(reasonCharsMin, "Enter a reason of at least 3 characters.")
  .max(reasonCharsMax, "A reason can have up to 500 characters.");
