/** Reads QR codes from the camera, on the device. */

import decodeQR from "qr/decode.js";
import { useEffect, useState } from "react";
import { parsePassNumber } from "./api";
import { t } from "./strings";
import { useCamera } from "./useCamera";

const WIDEST = 800;
const PAUSE = 120;

export function Scanner({ onNumber }: { onNumber: (number: string) => void }) {
  const { video, ready, problem, frame } = useCamera();
  const [other, setOther] = useState<string | null>(null);
  useEffect(() => {
    if (!ready) return;
    let gone = false;
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      if (gone) return;
      const said = read(frame(WIDEST));
      const number = said === null ? null : parsePassNumber(said);
      if (number) {
        navigator.vibrate?.(60);
        onNumber(number);
        return;
      }
      setOther(said);
      timer = setTimeout(look, PAUSE);
    };
    look();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [ready, frame, onNumber]);
  return (
    <div className={problem ? "viewfinder without-camera" : "viewfinder"}>
      <video ref={video} playsInline muted aria-label={t("scan")} />
      <span className="viewfinder-frame" aria-hidden />
      <p role="status">
        {problem
          ? t("noCamera", { reason: problem })
          : other
            ? t("otherCode", { text: other })
            : t("scanHint")}
      </p>
    </div>
  );
}

function read(canvas: HTMLCanvasElement | null): string | null {
  const pixels = canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height);
  if (!pixels) return null;
  try {
    return decodeQR(pixels, { timeLimit: 80 });
  } catch {
    // No code in this frame.
    return null;
  }
}
