import type { ReactNode } from "react";

interface Props {
  label: string;
  className: string;
  children: ReactNode;
}

/** A scroll container that keyboards can reach. */
export function Scroll({ label, className, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a section would be a landmark for each of them
    <div className={className} role="group" tabIndex={0} aria-label={label}>
      {children}
    </div>
  );
}
