/** Fields of one line. */
import { z } from "zod";

const plainText = /^[^\p{Cc}\p{Cs}]*$/u;
const clean = "Remove the control characters.";

export const line = (charsMax: number) =>
  z
    .string()
    .trim()
    .min(1, "Enter a text.")
    .max(charsMax, `Use at most ${charsMax} characters.`)
    .regex(plainText, clean);
