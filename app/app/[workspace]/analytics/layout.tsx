import type { ReactNode } from "react";
import { Texts } from "../../../texts.tsx";

const texts = ["analytics", "calendar", "shares"];

export default function AnalyticsLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
