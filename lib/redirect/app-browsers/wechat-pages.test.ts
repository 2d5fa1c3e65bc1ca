import { expect, test } from "vitest";
import { signPage } from "./wechat-pages.ts";

/** developers.weixin.qq.com/doc/offiaccount/OA_Web_Apps/JS-SDK, appendix 1. */
const documented = {
  ticket: "sM4AOVdWfPE4DxkXGEs8VMCPGGVi4C3VM0P37wVUCFvkVAy_90u5h9nbSlYy3-Sl-HhTdfl2fzFy1AOcHKP7qg",
  nonceStr: "Wm3WZYTPz0wzccnW",
  now: 1_414_587_457_000,
  url: "http://mp.weixin.qq.com?params=value",
};

test("the example of the documentation has the documented signature", () => {
  expect(signPage(documented)).toEqual({
    nonceStr: "Wm3WZYTPz0wzccnW",
    timestamp: 1_414_587_457,
    signature: "0f9de62fce790f9a083d5c99e95740ceb90c27ed",
  });
});

test("a fragment is no part of it, and everything else is", () => {
  const { signature } = signPage(documented);
  expect(signPage({ ...documented, url: `${documented.url}#top?a#b` }).signature).toBe(signature);
  for (const change of [
    { ticket: "other" },
    { nonceStr: "other" },
    { now: documented.now + 1_000 },
    { url: `${documented.url}&from=singlemessage` },
  ]) {
    expect(signPage({ ...documented, ...change }).signature).not.toBe(signature);
  }
});

test("each page has a nonce of its own", () => {
  const { nonceStr: _fixed, ...page } = documented;
  const nonces = Array.from({ length: 100 }, () => signPage(page).nonceStr);
  expect(new Set(nonces).size).toBe(100);
  for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{24}$/);
});
