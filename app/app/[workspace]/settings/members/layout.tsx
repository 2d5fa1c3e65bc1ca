import type { ReactNode } from "react";
import { Texts } from "../../../../texts.tsx";

const texts = ["members"];

export default function MembersLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
