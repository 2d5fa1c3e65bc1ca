import type { ReactNode } from "react";
import { Texts } from "../../../texts.tsx";

const texts = ["linkForm.utm", "named", "utm"];

export default function UtmLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
