/** Limits of codes by SMS. */

export const codeDigits = 6;
export const codeMinutes = 10;
export const codeTriesMax = 5;
/** Between two codes to a phone. */
export const codeGapSeconds = 60;
