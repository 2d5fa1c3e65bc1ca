/** What TCP sends before the first answer of the browser: the page is there after one round trip. */
export const pageBytesMax = 14_000;
