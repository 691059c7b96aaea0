import type { ReactNode } from "react";

/** What went wrong; nothing if nothing did. */
export const Problem = ({ children }: { children: ReactNode }) =>
  children ? (
    <p className="problem" role="alert">
      {children}
    </p>
  ) : null;
