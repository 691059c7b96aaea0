/** A page onto which files can be dropped. */

import { Upload } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { t } from "../i18n";

export function useDrop(onFiles: (files: File[]) => void) {
  const [over, setOver] = useState(false);
  const depth = useRef(0);
  const dropTarget = {
    onDragEnter: (event: React.DragEvent) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      depth.current += 1;
      setOver(true);
    },
    onDragLeave: () => {
      depth.current = Math.max(0, depth.current - 1);
      if (depth.current === 0) setOver(false);
    },
    onDragOver: (event: React.DragEvent) => event.preventDefault(),
    onDrop: (event: React.DragEvent) => {
      event.preventDefault();
      depth.current = 0;
      setOver(false);
      if (event.dataTransfer.files.length) onFiles([...event.dataTransfer.files]);
    },
  };
  const overlay: ReactNode = over && (
    <div className="drop" aria-hidden>
      <Upload size={32} />
      {t("chat.drop")}
    </div>
  );
  return { dropTarget, overlay };
}
