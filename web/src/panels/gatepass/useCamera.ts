import { useCallback, useEffect, useRef, useState } from "react";
import { type StringKey, t } from "./strings";

/** Browser error messages are in the browser's language, so map them by name. */
const REASONS: Record<string, StringKey> = {
  NotAllowedError: "cameraDenied",
  NotFoundError: "cameraMissing",
  OverconstrainedError: "cameraMissing",
  NotReadableError: "cameraBusy",
};

const reason = (error: unknown): string =>
  t(REASONS[error instanceof Error ? error.name : ""] ?? "cameraFails");

/** The rear camera, active while mounted. */
export function useCamera() {
  const video = useRef<HTMLVideoElement>(null);
  const [ready, setReady] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let stream: MediaStream | null = null;
    let gone = false;
    const start = async () => {
      // Cameras need a secure context.
      if (!navigator.mediaDevices) return setProblem(t("cameraInsecure"));
      stream = await navigator.mediaDevices.getUserMedia({
        video: { facingMode: { ideal: "environment" }, width: { ideal: 1280 }, height: { ideal: 720 } },
        audio: false,
      });
      const element = video.current;
      if (gone || !element) return stop();
      element.srcObject = stream;
      await element.play();
      setReady(true);
    };
    const stop = () => {
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    start().catch((error: unknown) => {
      if (!gone) setProblem(reason(error));
    });
    return () => {
      gone = true;
      stop();
    };
  }, []);

  /** The current frame, at most `widest` pixels wide. */
  const frame = useCallback((widest: number): HTMLCanvasElement | null => {
    const element = video.current;
    if (!element || element.videoWidth === 0) return null;
    const scale = Math.min(1, widest / element.videoWidth);
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(element.videoWidth * scale);
    canvas.height = Math.round(element.videoHeight * scale);
    canvas.getContext("2d")?.drawImage(element, 0, 0, canvas.width, canvas.height);
    return canvas;
  }, []);

  return { video, ready, problem, frame };
}
