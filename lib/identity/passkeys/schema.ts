export const passkeysMax = 20;
export const passkeyNameCharsMax = 64;
/** The answer of a browser, as JSON. */
export const passkeyAnswerCharsMax = 16_384;

export interface Passkey {
  id: string;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
}
