export const codeDigits = 6;
export const codeMinutes = 10;
export const codeTriesMax = 5;
/** Between two codes for a phone. */
export const codeGapSeconds = 60;
