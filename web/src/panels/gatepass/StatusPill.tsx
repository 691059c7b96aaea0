import type { Status } from "./api";
import { w } from "./words";

export function StatusPill({ status }: { status: Status }) {
  return (
    <span className="status" data-status={status}>
      {w(status)}
    </span>
  );
}
