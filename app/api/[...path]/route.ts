/** The API under `next dev`. Elsewhere the front answers it, and no request of the API reaches Next. */
import { fetchApi } from "../index.ts";

function handle(request: Request): Response | Promise<Response> {
  return fetchApi(request, request.headers.get("x-forwarded-for") ?? "");
}

export { handle as DELETE, handle as GET, handle as PATCH, handle as POST, handle as PUT };
