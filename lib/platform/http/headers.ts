import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

const nonceBytes = 16;

/** Next.js reads the nonce from the request header and adds it to its scripts. */
function contentPolicy(nonce: string, development: boolean): string {
  // React in development needs eval for stack traces; reloading needs a websocket.
  const scripts = development ? " 'unsafe-eval'" : "";
  const connections = development ? " ws: wss:" : "";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${scripts}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: https:",
    "font-src 'self'",
    `connect-src 'self'${connections}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    // defence: frame-ancestors
    "frame-ancestors 'none'",
  ].join("; ");
}

export function dashboardHeaders(secure: boolean): Record<string, string> {
  return {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    ...(secure ? { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" } : {}),
  };
}

export function setDashboardHeaders(
  req: IncomingMessage,
  res: ServerResponse,
  { secure, development }: { secure: boolean; development: boolean },
): void {
  const nonce = randomBytes(nonceBytes).toString("base64");
  const policy = contentPolicy(nonce, development);
  req.headers["content-security-policy"] = policy;
  req.headers["x-nonce"] = nonce;
  res.setHeader("Content-Security-Policy", policy);
  for (const [name, value] of Object.entries(dashboardHeaders(secure))) res.setHeader(name, value);
}
