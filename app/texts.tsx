import { getMessages } from "next-intl/server";
import type { ReactNode } from "react";
import { MoreMessages } from "#components/messages/more-messages";
import { pickMessages } from "#components/messages/pick.ts";

interface TextsProps {
  /** The messages that client components below read, such as `linkForm.utm`; texts.test.ts checks the list. */
  of: readonly string[];
  children: ReactNode;
}

/** Sends messages to the browser. A page carries those of what it shows; server components read all of them. */
export async function Texts({ of, children }: TextsProps) {
  return <MoreMessages messages={pickMessages(await getMessages(), of)}>{children}</MoreMessages>;
}
