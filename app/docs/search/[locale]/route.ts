import { notFound } from "next/navigation";
import { locales } from "#lib/platform/messages/schema";
import { listDocsEntries } from "../../entries.ts";

interface RouteContext {
  params: Promise<{ locale: string }>;
}

const keptSeconds = 3_600;

/** The entries from which the browser builds its search index. */
export async function GET(_request: Request, { params }: RouteContext): Promise<Response> {
  const { locale: wanted } = await params;
  const locale = locales.find((one) => one === wanted) ?? notFound();
  return Response.json(await listDocsEntries(locale), {
    headers: {
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
      "Cache-Control": `public, max-age=${keptSeconds}`,
    },
  });
}
