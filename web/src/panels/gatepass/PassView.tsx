/** One pass: details, history, photos, QR code, printout and actions. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowLeft, Download, Printer, ScanLine } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { Link } from "wouter";
import { ApiError, api, asApiError } from "../../api/client";
import { useSession } from "../../api/session";
import { ApprovalCard } from "../../chat/ApprovalCard";
import { full } from "../../lib/time";
import { type Action, gatepass, type Outcome, type PassDetail, type Photo, runAction } from "./api";
import { StatusPill } from "./StatusPill";
import { t } from "./strings";

const PdfView = lazy(() => import("../../chat/PdfView"));

/** The tool behind a button, and the roles that see it. */
const BUTTONS: Partial<Record<Action, { tool: string; role: "Admin_User"; look: string }>> = {
  approve: { tool: "approve_gate_pass", role: "Admin_User", look: "primary" },
  reject: { tool: "reject_gate_pass", role: "Admin_User", look: "" },
  delete: { tool: "delete_gate_pass", role: "Admin_User", look: "quiet-danger" },
};

export function PassView({ number, onBack }: { number: string; onBack: () => void }) {
  const pass = useQuery({
    queryKey: ["gatepass", "pass", number],
    queryFn: () => gatepass.pass(number),
    retry: (count, error) => count < 3 && error instanceof ApiError && error.passing,
    refetchInterval: 30_000,
  });
  return (
    <article className="pass" aria-label={number} aria-busy={pass.isPending}>
      <button type="button" className="button small pass-back" onClick={onBack}>
        <ArrowLeft aria-hidden size={15} />
        {t("back")}
      </button>
      {pass.isError ? (
        <section className="empty" role="alert">
          <h2>{t("missing", { number })}</h2>
          <p className="muted">{t("missingHint")}</p>
        </section>
      ) : pass.data ? (
        <Detail pass={pass.data} />
      ) : (
        <span className="skeleton block" />
      )}
    </article>
  );
}

function Detail({ pass }: { pass: PassDetail }) {
  return (
    <>
      <header className="pass-head">
        <p className="pass-number">{pass.pass_number}</p>
        <h2>{pass.person_name}</h2>
        <p>{pass.description}</p>
        <p className="pass-facts">
          <StatusPill status={pass.status} />
          <span>{pass.is_returnable ? t("returnable") : t("oneWay")}</span>
        </p>
      </header>
      <Actions pass={pass} />
      <section>
        <h3>{t("timeline")}</h3>
        <ol className="timeline">
          {pass.status_history.map((change) => (
            <li key={change.status + change.changed_at} data-status={change.status}>
              <strong>{t(change.status)}</strong> <span>{t("by", { name: change.changed_by })}</span>
              <time dateTime={change.changed_at}>{full(change.changed_at)}</time>
            </li>
          ))}
        </ol>
      </section>
      {pass.photos.length > 0 && (
        <section>
          <h3>{t("photos")}</h3>
          <div className="pass-photos">
            {pass.photos.map((photo) => (
              <PhotoView key={photo.photo_id} photo={photo} />
            ))}
          </div>
        </section>
      )}
      <Papers pass={pass} />
    </>
  );
}

function Actions({ pass }: { pass: PassDetail }) {
  const me = useSession()?.me;
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ text: string; good: boolean } | null>(null);
  const [waits, setWaits] = useState<(Outcome & { kind: "waits" }) | null>(null);
  const mine = pass.allowed_actions.flatMap((action) => {
    const button = BUTTONS[action];
    return button && me?.roles.includes(button.role) ? [{ action, ...button }] : [];
  });
  const scans = pass.allowed_actions.some((action) => action === "scan_exit" || action === "scan_return");
  const again = () => client.invalidateQueries({ queryKey: ["gatepass"] });
  const press = async (action: Action, tool: string) => {
    setBusy(true);
    setSaid(null);
    try {
      const outcome = await runAction(me?.id ?? "", tool, { pass_number: pass.pass_number });
      if (outcome.kind === "waits") setWaits(outcome);
      if (outcome.kind === "done")
        setSaid({ text: t("done", { action: t(action as "approve") }), good: true });
      if (outcome.kind === "refused")
        setSaid({ text: t("notDone", { reason: outcome.reason }), good: false });
    } catch (error) {
      setSaid({ text: t("notDone", { reason: asApiError(error).message }), good: false });
    }
    await again();
    setBusy(false);
  };
  return (
    <div className="pass-actions">
      {mine.map(({ action, tool, look }) => (
        <button
          key={action}
          type="button"
          className={`button ${look}`}
          disabled={busy || waits !== null}
          onClick={() => press(action, tool)}
        >
          {t(action as "approve")}
        </button>
      ))}
      {scans && me?.roles.includes("Gate_User") && (
        <Link href="/gate" className="button primary">
          <ScanLine aria-hidden size={16} />
          {t("scan")}
        </Link>
      )}
      {waits && (
        <ApprovalCard
          card={waits.card}
          conversation={waits.conversation}
          turn={waits.turn}
          focus
          onDecide={async (decision, reason, edited) => {
            await api.decide(waits.conversation, waits.turn, waits.card.call_id, decision, reason, edited);
            setWaits(null);
            setTimeout(again, 700);
            await again();
          }}
        />
      )}
      {said && (
        <p role="status" className={said.good ? "good" : "problem"}>
          {said.text}
        </p>
      )}
    </div>
  );
}

/** A file of this server as an object URL, fetched with the person's token. */
function useFile(path: string | null): { blob: Blob; url: string } | null {
  const { data } = useQuery({
    queryKey: ["gatepass", "file", path],
    queryFn: () => gatepass.file(path ?? ""),
    enabled: path !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [file, setFile] = useState<{ blob: Blob; url: string } | null>(null);
  useEffect(() => {
    if (!data) return;
    const url = URL.createObjectURL(data);
    setFile({ blob: data, url });
    return () => URL.revokeObjectURL(url);
  }, [data]);
  return file;
}

function PhotoView({ photo }: { photo: Photo }) {
  const shown = /^image\/(jpeg|png)$/.test(photo.media_type);
  const file = useFile(photo.file_url);
  const label = photo.type === "exit" ? t("photoExit") : t("photoReturn");
  return (
    <figure>
      {shown && file && <img src={file.url} alt={label} />}
      {!shown && file && (
        <a className="button small" href={file.url} download={`${photo.pass_number}-${photo.type}.heic`}>
          <Download aria-hidden size={14} />
          {t("heic")}
        </a>
      )}
      {!file && <span className="skeleton block" />}
      <figcaption>
        {label} · {full(photo.captured_at)}
      </figcaption>
    </figure>
  );
}

/** The QR code and the printout. */
function Papers({ pass }: { pass: PassDetail }) {
  const me = useSession()?.me;
  const [sheet, setSheet] = useState(false);
  const number = pass.pass_number;
  const qr = useFile(`/gatepass/passes/${number}/qr`);
  const pdf = useFile(sheet ? `/gatepass/passes/${number}/print` : null);
  const office = me?.roles.some((role) => role === "Admin_User" || role === "HR_User");
  return (
    <section className="papers">
      <figure className="qr">
        {qr ? <img src={qr.url} alt={t("qr", { number })} /> : <span className="skeleton block" />}
      </figure>
      {office && pass.allowed_actions.includes("print") && !sheet && (
        <button type="button" className="button" onClick={() => setSheet(true)}>
          <Printer aria-hidden size={16} />
          {t("print")}
        </button>
      )}
      {sheet && (
        <figure className="sheet">
          {pdf && (
            <>
              <Suspense fallback={<span className="skeleton pdf-loading" />}>
                <PdfView blob={pdf.blob} name={t("printed", { number })} />
              </Suspense>
              <figcaption>
                <a className="button small" href={pdf.url} target="_blank" rel="noopener">
                  <Printer aria-hidden size={14} />
                  {t("print")}
                </a>
                <a className="button small" href={pdf.url} download={`${number}.pdf`}>
                  <Download aria-hidden size={14} />
                  {t("download")}
                </a>
              </figcaption>
            </>
          )}
        </figure>
      )}
    </section>
  );
}
