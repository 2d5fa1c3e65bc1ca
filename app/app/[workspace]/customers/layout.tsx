import type { ReactNode } from "react";
import { Texts } from "../../../texts.tsx";

const texts = ["customers"];

export default function CustomersLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
