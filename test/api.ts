/** For contract tests: calls of the running server with the key of its workspace, and what they answered. */
import { randomBytes } from "node:crypto";
import { expect } from "vitest";

const base = `${process.env["TEST_BASE_URL"]}/api`;
const headers = {
  Authorization: `Bearer ${process.env["TEST_API_KEY"]}`,
  "Content-Type": "application/json",
};
/** Other files use the same workspace at the same time. */
export const mine = randomBytes(4).toString("hex");
export const address = (path: string) => `https://shop.example.com/${mine}/${path}`;

export type Json = Record<string, unknown>;

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what the server answered is what these tests look at
  body: any;
}

export async function send(
  method: string,
  path: string,
  body?: unknown,
  more: Record<string, string> = {},
): Promise<Answer> {
  const init = { method, headers: { ...headers, ...more } };
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${base}${path}`, { ...init, ...text });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export const create = (body: Json, more?: Record<string, string>) =>
  send("POST", "/links", body, more);

export async function made(
  body: Json,
): Promise<Json & { id: string; key: string; domain: string }> {
  const answer = await create(body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

export function expectError({ status, body }: Answer, wanted: number, code: string, words: RegExp) {
  expect([status, body.error?.code]).toEqual([wanted, code]);
  expect(body.error.message).toMatch(words);
}
