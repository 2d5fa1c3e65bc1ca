/** For contract tests: the running server, its API with the key of its workspace, and links of one test file. */
import { randomBytes, randomInt } from "node:crypto";
import { expect } from "vitest";
import { type ApiAnswer, openApi } from "./http-client.ts";
import { type RawAnswer, type RawRequest, sendRaw } from "./raw-http.ts";

export const origin = new URL(process.env["TEST_BASE_URL"] ?? "http://localhost:3000");
export const apiUrl = `${origin.origin}/api`;
export const apiKey = process.env["TEST_API_KEY"] ?? "";
export const call = openApi(origin, apiKey);
/** Other files use the same workspace at the same time. */
export const runSuffix = randomBytes(4).toString("hex");
export const address = (path: string) => `https://shop.example.com/${runSuffix}/${path}`;

export type Json = Record<string, unknown>;

export const create = (body: Json, headers?: Record<string, string>) =>
  call("POST", "/links", body, headers);

export async function makeLink(
  body: Json,
): Promise<Json & { id: string; key: string; domain: string; shortLink: string }> {
  const answer = await create(body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

export function expectError(answer: ApiAnswer, status: number, code: string, words: RegExp) {
  expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
  expect(answer.body.error.message).toMatch(words);
}

/** An address of this file only, so that misses of other files do not count. */
const from = `127.${randomInt(1, 255)}.${randomInt(255)}.${randomInt(1, 255)}`;

/** Sends a raw request and reads until the connection ends. */
export function requestRaw(target: string, request?: RawRequest): Promise<RawAnswer> {
  return sendRaw(origin, from, target, request);
}
