import type { Status } from "./api";
import { t } from "./strings";

export function StatusPill({ status }: { status: Status }) {
  return (
    <span className="status" data-status={status}>
      {t(status)}
    </span>
  );
}
