/** For contract tests: calls of the running server by whichever key, and what they answered. */
export const base = `${process.env["TEST_BASE_URL"] ?? ""}/api`;
export const apiKey = process.env["TEST_API_KEY"] ?? "";

export interface AskAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & { error?: { code: string; message: string } };
}

export async function ask(
  method: string,
  path: string,
  body?: unknown,
  key = apiKey,
): Promise<AskAnswer> {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      ...(key === "" ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
