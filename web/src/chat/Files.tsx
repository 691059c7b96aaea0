/** Files of a conversation, fetched with the person's token and shown from object URLs. */

import { useQuery } from "@tanstack/react-query";
import { Download, ExternalLink, FileText, ImageIcon } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { api } from "../api/client";
import type { FileRef } from "../api/types";
import { t } from "../i18n";

const SHOWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

const PDF = "application/pdf";
const PdfView = lazy(() => import("./PdfView"));

export function Files({ files }: { files: FileRef[] }) {
  if (files.length === 0) return null;
  return (
    <div className="files">
      {files.map((file) => (
        <FileView key={file.id} file={file} />
      ))}
    </div>
  );
}

/** An object URL for a file. */
function useBlobUrl(file: FileRef, wanted: boolean) {
  const { data, isError } = useQuery({
    queryKey: ["attachment", file.id],
    queryFn: () => api.attachment(file.id),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  });
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!data) return;
    // Inert types only; everything else is offered as a download.
    const type =
      SHOWN.has(file.media_type) || file.media_type === PDF ? file.media_type : "application/octet-stream";
    const made = URL.createObjectURL(new Blob([data], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [data, file.media_type]);
  return { url, data, isError };
}

function FileView({ file }: { file: FileRef }) {
  const picture = SHOWN.has(file.media_type);
  const pdf = file.media_type === PDF;
  const { url, data, isError } = useBlobUrl(file, true);
  if (isError) return <p className="file-note">{t("file.failed", { name: file.name })}</p>;
  return (
    <figure className={picture || pdf ? "file picture" : "file"}>
      {picture && (
        <div className="picture-frame">
          {url ? <img src={url} alt={file.name} /> : <span className="skeleton" />}
        </div>
      )}
      {pdf && data && (
        <div className="picture-frame">
          <Suspense fallback={<span className="skeleton pdf-loading" />}>
            <PdfView blob={data} name={file.name} />
          </Suspense>
        </div>
      )}
      <figcaption>
        {picture ? <ImageIcon aria-hidden size={16} /> : <FileText aria-hidden size={16} />}
        <span className="file-name">{file.name}</span>
        {/hei[cf]/.test(file.media_type) && <span>{t("file.heic")}</span>}
        {url && pdf && (
          <a className="button small" href={url} target="_blank" rel="noopener">
            <ExternalLink aria-hidden size={14} />
            {t("file.open")}
          </a>
        )}
        {url && (
          <a className="button small" href={url} download={file.name}>
            <Download aria-hidden size={14} />
            {t("file.download")}
          </a>
        )}
      </figcaption>
    </figure>
  );
}
