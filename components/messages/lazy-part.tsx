"use client";

import dynamic from "next/dynamic";
import { NextIntlClientProvider, useLocale } from "next-intl";
import { type ComponentType, type ReactNode, use } from "react";
import { type Locale, loadMessages, locales } from "#lib/platform/messages/schema";

interface LazyOptions {
  loading?: () => ReactNode;
  /** Also rendered by the server, for what a page may begin with. */
  server?: boolean;
}

/**
 * A component that is loaded when it is first rendered, together with the messages of its language: those that a page
 * carries do not include it. The file with all of them is loaded once, and then cached by the browser.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { loading = () => null, server = false }: LazyOptions = {},
): ComponentType<Props> {
  return dynamic(
    async () => {
      const [Part] = await Promise.all([load(), onServer ? null : loadMessages(localeOfPage())]);
      // biome-ignore lint/correctness/noComponentHookFactories: made once, when the part is loaded
      return function LazyPart(props: Props) {
        return (
          <AllMessages>
            <Part {...props} />
          </AllMessages>
        );
      };
    },
    { ssr: server, loading },
  );
}

const onServer = typeof document === "undefined";

function AllMessages({ children }: { children: ReactNode }) {
  const locale = useLocale();
  return (
    <NextIntlClientProvider locale={locale} messages={use(loadMessages(locale))}>
      {children}
    </NextIntlClientProvider>
  );
}

/** Outside of components there is no context: the element of the page has its language. */
function localeOfPage(): Locale {
  const { lang } = document.documentElement;
  return locales.find((one) => lang.startsWith(one)) ?? locales[0];
}
