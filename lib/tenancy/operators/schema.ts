/** What the back office says to browsers and scripts. */
import { z } from "zod";

const reasonCharsMin = 3;
const reasonCharsMax = 500;

/** Why an administrator changes something. It is stored in the audit log, which owners of the workspace can read. */
export const reasonField = z
  .string()
  .trim()
  .min(reasonCharsMin, "Enter a reason of at least 3 characters.")
  .max(reasonCharsMax, "A reason can have up to 500 characters.");
