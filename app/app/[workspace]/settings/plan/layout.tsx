import type { ReactNode } from "react";
import { Texts } from "../../../../texts.tsx";

const texts = ["plans.billing"];

export default function PlanLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
