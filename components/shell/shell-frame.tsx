import type { ReactNode } from "react";
import { TopBar } from "./top-bar.tsx";

interface ShellFrameProps {
  name: string;
  /** The navigation. `close` closes the sheet in which phones show it. */
  navigation: (close: () => void) => ReactNode;
  /** More of the bar on a phone. */
  bar?: ReactNode;
  children: ReactNode;
}

/** A page beside its navigation. */
export function ShellFrame({ name, navigation, bar, children }: ShellFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col md:flex-row">
      <aside className="sticky top-0 hidden h-dvh w-60 shrink-0 border-line border-r bg-sunken p-2 md:block">
        {navigation(() => undefined)}
      </aside>
      <TopBar name={name} navigation={navigation}>
        {bar}
      </TopBar>
      <main id="content" className="min-w-0 flex-1">
        <div className="mx-auto w-full max-w-5xl has-[[data-wide]]:max-w-[110rem] px-4 py-5 md:px-8 md:py-8">
          {children}
        </div>
      </main>
    </div>
  );
}
