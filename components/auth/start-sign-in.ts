import { getCsrfToken } from "next-auth/react";
import { loadPage } from "./load-page.ts";

/** Leads to a provider. The function of next-auth knows only those that every visitor may see in a list. */
export async function startSignIn(provider: string, next: string): Promise<void> {
  const csrfToken = (await getCsrfToken()) ?? "";
  const response = await fetch(`/api/auth/signin/${provider}`, {
    method: "POST",
    body: new URLSearchParams({ csrfToken, callbackUrl: next, json: "true" }),
  });
  const { url }: { url: string } = await response.json();
  loadPage(url);
}
