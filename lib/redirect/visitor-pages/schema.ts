/** TCP sends this much before the browser’s first acknowledgment, so the page arrives in one round trip. */
export const pageBytesMax = 14_000;
