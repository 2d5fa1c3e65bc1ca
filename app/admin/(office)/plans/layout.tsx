import type { ReactNode } from "react";
import { Texts } from "../../../texts.tsx";

const texts = ["admin.plan", "plans.names", "plans.planNames"];

export default function PlansLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
