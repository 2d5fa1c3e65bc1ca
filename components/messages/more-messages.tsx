"use client";

import { type Messages, NextIntlClientProvider, useLocale, useMessages } from "next-intl";
import { type ReactNode, useMemo } from "react";
import { mergeMessages } from "./pick.ts";

interface MoreMessagesProps {
  messages: Partial<Messages>;
  children: ReactNode;
}

/** Adds messages to those that the layouts above have already sent. */
export function MoreMessages({ messages, children }: MoreMessagesProps) {
  const locale = useLocale();
  const above = useMessages();
  const all = useMemo(() => mergeMessages(above, messages), [above, messages]);
  return (
    <NextIntlClientProvider locale={locale} messages={all}>
      {children}
    </NextIntlClientProvider>
  );
}
