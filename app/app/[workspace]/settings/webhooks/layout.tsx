import type { ReactNode } from "react";
import { Texts } from "../../../../texts.tsx";

const texts = ["namePicker", "webhooks"];

export default function WebhooksLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
