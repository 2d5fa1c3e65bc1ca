import type { MetadataRoute } from "next";

/** Links on this host stay allowed: a crawler that may not fetch one never reads its noindex header. */
export default function robots(): MetadataRoute.Robots {
  return { rules: { userAgent: "*", allow: "/", disallow: ["/app/", "/admin/"] } };
}
