import type { ReactNode } from "react";
import { Texts } from "../../../texts.tsx";

const texts = ["forms", "named"];

export default function FormsLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
