/** Requests that make next-auth respond with 500, because it mistakes their content for its own configuration. */
import { parseUrl } from "#lib/basics/urls/schema";

const anySite = "https://fuxi.invalid";
const ownProviders = new Set(["password", "letter"]);
const formType = "application/x-www-form-urlencoded";
const word = /^[\w-]{1,64}$/;
const callbackCookie = /(?:^|;\s*)((?:__Secure-)?next-auth\.callback-url)=([^;]*)/g;

/** The response to such a request; undefined for all others. */
export function refuseMalformed(
  request: Request,
  segments: readonly string[],
): Response | undefined {
  const { searchParams } = new URL(request.url);
  if (request.method === "GET" && isOwnForm(segments)) return refuse({ Allow: "POST" }, 405);
  const cookies = request.headers.get("cookie") ?? "";
  // defence: sign-in-target-cookies
  for (const [, cookie, target = ""] of cookies.matchAll(callbackCookie)) {
    // Otherwise the browser would send the cookie with every sign-in attempt.
    if (!isWebUrl(decode(target))) return refuse({ "Set-Cookie": `${cookie}=; Path=/; Max-Age=0` });
  }
  if (request.method === "POST" && !isForm(request)) return refuse({}, 415);
  const urls = searchParams.getAll("callbackUrl").filter((url) => url !== "");
  const words = [...segments, ...searchParams.getAll("error").filter((error) => error !== "")];
  // defence: sign-in-urls
  return urls.every(isWebUrl) && words.every((one) => word.test(one)) ? undefined : refuse({});
}

/** next-auth parses any other body as JSON. Its own pages and scripts send forms. */
function isForm({ headers }: Request): boolean {
  const type = headers.get("content-type") ?? formType;
  return type.split(";")[0]?.trim().toLowerCase() === formType;
}

/** Only for our own providers: external ones call back with GET. */
function isOwnForm([action = "", provider = ""]: readonly string[]): boolean {
  return action === "callback" && ownProviders.has(provider);
}

function isWebUrl(url: string): boolean {
  const base = url.startsWith("/") ? anySite : undefined;
  return /^https?:$/.test(parseUrl(url, base)?.protocol ?? "");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

function refuse(headers: Record<string, string>, status = 400): Response {
  const message = "The request is malformed. Open the sign-in page and try again.";
  return Response.json({ message }, { status, headers });
}
