/** Reads QR codes out of the camera's picture, on this device alone. */

import decodeQR from "qr/decode.js";
import { useEffect, useState } from "react";
import { numberIn } from "./api";
import { useCamera } from "./useCamera";
import { w } from "./words";

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
      const number = said === null ? null : numberIn(said);
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
    <div className="viewfinder">
      <video ref={video} playsInline muted aria-label={w("scan")} />
      <span className="viewfinder-frame" aria-hidden />
      <p role="status">
        {problem
          ? w("noCamera", { reason: problem })
          : other
            ? w("otherCode", { text: other })
            : w("scanHint")}
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
    // No code in this picture.
    return null;
  }
}
