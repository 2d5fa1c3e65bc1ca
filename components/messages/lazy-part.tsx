"use client";

import dynamic from "next/dynamic";
import { NextIntlClientProvider, useLocale } from "next-intl";
import { type ComponentType, type ReactNode, use } from "react";
import { type Locale, loadMessages, locales } from "#lib/platform/messages/schema";

interface LazyOptions {
  loading?: () => ReactNode;
  /** Also rendered by the server, for parts that a page may start with. */
  server?: boolean;
}

/**
 * A component that is loaded when it is first rendered, together with the messages of the language. Pages don’t carry its
 * messages. The file with all messages is loaded once, and then cached by the browser.
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

/** Outside of components there is no React context, so this reads the language of the document. */
function localeOfPage(): Locale {
  const { lang } = document.documentElement;
  return locales.find((one) => lang.startsWith(one)) ?? locales[0];
}
