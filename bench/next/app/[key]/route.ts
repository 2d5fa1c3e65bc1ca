/** A baseline of the redirect: a Next.js route handler that reads Redis, and counts nothing. */
import { Redis } from "ioredis";

const redis = new Redis(process.env["REDIS_URL"] ?? "");

export async function GET(_request: Request, { params }: { params: Promise<{ key: string }> }) {
  const { key } = await params;
  const url = await redis.get(`next:${key}`);
  return new Response(null, { status: url ? 302 : 404, headers: url ? { Location: url } : {} });
}
