/** Renders a PDF. The content security policy forbids frames and plug-ins, and phones have no embedded viewer,
 * so pdf.js renders the pages in a worker; scripts in the file never run. */

import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from "pdfjs-dist";
import workerUrl from "pdfjs-dist/build/pdf.worker.min.mjs?worker&url";
import { useEffect, useRef, useState } from "react";
import { t } from "../i18n";

/** Most pages shown inline. */
const MOST_PAGES = 5;
const SHARPEST = 2;

function worker(): Worker {
  // The only script URL: the worker that was built with this page.
  const policy = globalThis.trustedTypes?.createPolicy("frontdesk-pdf", {
    createScriptURL: (url) => url,
  });
  const url = policy ? policy.createScriptURL(workerUrl) : workerUrl;
  return new Worker(url as string, { type: "module" });
}

export default function PdfView({ blob, name }: { blob: Blob; name: string }) {
  const [file, setFile] = useState<PDFDocumentProxy | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let gone = false;
    GlobalWorkerOptions.workerPort ??= worker();
    const loading = blob.arrayBuffer().then(
      (bytes) =>
        // Rendering only: no forms, scripts, WebAssembly or fetching.
        getDocument({ data: bytes, useWasm: false, enableXfa: false, stopAtErrors: false }).promise,
    );
    loading.then(
      (opened) => (gone ? opened.loadingTask.destroy() : setFile(opened)),
      () => setFailed(true),
    );
    return () => {
      gone = true;
      loading.then((opened) => opened.loadingTask.destroy()).catch(() => {});
    };
  }, [blob]);
  if (failed) return <p className="file-note">{t("file.failed", { name })}</p>;
  if (!file) return <span className="skeleton pdf-loading" />;
  const shown = Math.min(file.numPages, MOST_PAGES);
  return (
    <div className="pdf" data-pages={file.numPages}>
      {Array.from({ length: shown }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pages have no other name
        <Page key={index} file={file} number={index + 1} name={name} />
      ))}
      {file.numPages > shown && (
        <p className="file-note">{t("file.morePages", { count: file.numPages - shown })}</p>
      )}
    </div>
  );
}

function Page({ file, number, name }: { file: PDFDocumentProxy; number: number; name: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState(false);
  useEffect(() => {
    let stop = () => {};
    file
      .getPage(number)
      .then((page) => {
        const element = canvas.current;
        if (!element) return;
        const scale = Math.min(SHARPEST, devicePixelRatio || 1) * 1.25;
        const viewport = page.getViewport({ scale });
        element.width = viewport.width;
        element.height = viewport.height;
        const task = page.render({ canvas: element, viewport });
        stop = () => task.cancel();
        return task.promise.then(() => setDrawn(true));
      })
      .catch(() => {
        // Rendered again on the next mount.
      });
    return () => stop();
  }, [file, number]);
  const label = t("file.page", { name, number });
  return <canvas ref={canvas} className="pdf-page" role="img" aria-label={label} data-drawn={drawn} />;
}
