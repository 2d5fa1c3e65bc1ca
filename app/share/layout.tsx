import type { ReactNode } from "react";
import { Texts } from "../texts.tsx";

const texts = ["analytics", "calendar", "languages", "shares", "themes"];

export default function ShareLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
