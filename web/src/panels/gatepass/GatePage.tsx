/** The guard's page, usable with one hand: scan, check, photograph, confirm. Every scan is stored before it is sent. */

import { useQuery } from "@tanstack/react-query";
import { Camera, Check, CloudOff, LogIn, LogOut, RotateCcw, ScanLine, Trash2 } from "lucide-react";
import { lazy, Suspense, useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { ApiError } from "../../api/client";
import { shrink } from "../../chat/attachments";
import { clock } from "../../lib/time";
import { Header } from "../../shell/Header";
import { gatepass, type PassDetail, parsePassNumber } from "./api";
import { deleteScan, recordScan, type Scan, sendScans, startSending, useQueue } from "./queue";
import { Scanner } from "./Scanner";
import { StatusPill } from "./StatusPill";
import { t } from "./strings";
import { useCamera } from "./useCamera";
import "./gatepass.css";
import { Problem } from "../../ui/Problem";

type Tool = Scan["tool"];
type Step =
  | { at: "scan" }
  | { at: "card"; number: string }
  | { at: "photo"; number: string; tool: Tool; name: string }
  | { at: "done"; number: string; tool: Tool; key: string; name: string };

const Tour = lazy(() => import("../../pages/Tour"));

export default function GatePage() {
  const [step, setStep] = useState<Step>({ at: "scan" });
  useEffect(startSending, []);
  const found = useCallback((number: string) => setStep({ at: "card", number }), []);
  const again = () => setStep({ at: "scan" });
  return (
    <div className="page" data-panel="gatepass">
      <Header title={t("gate")}>
        <QueueBadge />
      </Header>
      <div className="gate">
        {step.at === "scan" && (
          <>
            <Find onNumber={found} />
            <Suspense>
              <Tour />
            </Suspense>
          </>
        )}
        {step.at === "card" && (
          <Card
            number={step.number}
            onAction={(tool, name) => setStep({ at: "photo", number: step.number, tool, name })}
            onAgain={again}
          />
        )}
        {step.at === "photo" && (
          <TakePhoto
            step={step}
            onAgain={again}
            onPhoto={async (photo) => {
              const key = await recordScan(step.number, step.tool, photo);
              setStep({ ...step, at: "done", key });
            }}
          />
        )}
        {step.at === "done" && <Done step={step} onAgain={again} />}
        <Queue />
      </div>
    </div>
  );
}

function useOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      addEventListener("online", listener);
      addEventListener("offline", listener);
      return () => {
        removeEventListener("online", listener);
        removeEventListener("offline", listener);
      };
    },
    () => navigator.onLine,
  );
}

function Find({ onNumber }: { onNumber: (number: string) => void }) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);
  return (
    <section aria-label={t("scan")}>
      <Scanner onNumber={onNumber} />
      <form
        className="gate-number"
        onSubmit={(event) => {
          event.preventDefault();
          const number = parsePassNumber(text);
          setWrong(!number);
          if (number) onNumber(number);
        }}
      >
        <label className={wrong ? "field wrong" : "field"}>
          <span>{t("type")}</span>
          <input
            value={text}
            placeholder="GP-2026-0007"
            autoCapitalize="characters"
            autoComplete="off"
            enterKeyHint="search"
            aria-invalid={wrong}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <button type="submit" className="button primary">
          {t("look")}
        </button>
        {wrong && <Problem>{t("wrongNumber")}</Problem>}
      </form>
    </section>
  );
}

interface CardProps {
  number: string;
  onAction: (tool: Tool, name: string) => void;
  onAgain: () => void;
}

const TOOLS: Tool[] = ["scan_exit", "scan_return"];

function Card({ number, onAction, onAgain }: CardProps) {
  const online = useOnline();
  const pass = useQuery({
    queryKey: ["gatepass", "pass", number],
    queryFn: () => gatepass.pass(number),
    staleTime: 0,
    // Continue without details if the server does not answer.
    retry: false,
  });
  const unreachable = pass.error instanceof ApiError && pass.error.passing;
  const missing = pass.error && !unreachable;
  const known: PassDetail | null = pass.isError ? null : (pass.data ?? null);
  const allowed = known ? TOOLS.filter((tool) => known.allowed_actions.includes(tool)) : TOOLS;
  if (pass.isPending && online) return <span className="skeleton block" />;
  return (
    <section className="pass-card" aria-label={number} data-status={known?.status}>
      <p className="pass-number">{number}</p>
      {missing ? (
        <>
          <h2>{t("missing", { number })}</h2>
          <p className="muted">{t("missingHint")}</p>
        </>
      ) : known ? (
        <>
          <h2>{known.person_name}</h2>
          <p>{known.description}</p>
          <p className="pass-facts">
            <StatusPill status={known.status} />
            <span>{known.is_returnable ? t("returnable") : t("oneWay")}</span>
          </p>
          {allowed.length === 0 && <p className="notice calm">{t("notNow")}</p>}
        </>
      ) : (
        <p className="notice" role="alert">
          <CloudOff aria-hidden size={18} /> {t("offlineCard")}
        </p>
      )}
      {!missing &&
        allowed.map((tool) => (
          <button
            key={tool}
            type="button"
            className="button primary big"
            onClick={() => onAction(tool, known?.person_name ?? "")}
          >
            {tool === "scan_exit" ? <LogOut aria-hidden size={22} /> : <LogIn aria-hidden size={22} />}
            {t(tool)}
          </button>
        ))}
      <button type="button" className="button big" onClick={onAgain}>
        <ScanLine aria-hidden size={20} />
        {t("another")}
      </button>
    </section>
  );
}

interface PhotoProps {
  step: { number: string; tool: Tool; name: string };
  onPhoto: (photo: Blob) => Promise<void>;
  onAgain: () => void;
}

const PHOTO_WIDTH = 1280;

function TakePhoto({ step, onPhoto, onAgain }: PhotoProps) {
  const [photo, setPhoto] = useState<{ blob: Blob; url: string } | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => () => void (photo && URL.revokeObjectURL(photo.url)), [photo]);
  const take = (blob: Blob | null) => blob && setPhoto({ blob, url: URL.createObjectURL(blob) });
  return (
    <section className="pass-card" aria-label={t("takePhoto")}>
      <p className="pass-number">
        {step.number} {step.name && `· ${step.name}`}
      </p>
      {photo ? (
        <>
          <img className="photo-preview" src={photo.url} alt={t("photos")} />
          <button
            type="button"
            className="button primary big"
            disabled={busy}
            onClick={() => {
              setBusy(true);
              onPhoto(photo.blob).catch(() => setBusy(false));
            }}
          >
            <Check aria-hidden size={22} />
            {t(`confirm_${step.tool}`)}
          </button>
          <button type="button" className="button big" disabled={busy} onClick={() => setPhoto(null)}>
            <RotateCcw aria-hidden size={20} />
            {t("retake")}
          </button>
        </>
      ) : (
        <Shutter onPhoto={take} />
      )}
      {!photo && (
        <button type="button" className="button big" onClick={onAgain}>
          {t("another")}
        </button>
      )}
    </section>
  );
}

function Shutter({ onPhoto }: { onPhoto: (blob: Blob | null) => void }) {
  const { video, ready, problem, frame } = useCamera();
  return (
    <>
      <div className="viewfinder">
        <video ref={video} playsInline muted aria-label={t("takePhoto")} />
        <p role="status">{problem ? t("noCamera", { reason: problem }) : t("photoHint")}</p>
      </div>
      <button
        type="button"
        className="button primary big"
        disabled={!ready}
        onClick={() => frame(PHOTO_WIDTH)?.toBlob(onPhoto, "image/jpeg", 0.85)}
      >
        <Camera aria-hidden size={22} />
        {t("takePhoto")}
      </button>
      <label className="button big file-button">
        {t("choosePhoto")}
        <input
          type="file"
          accept="image/jpeg,image/png"
          className="sr-only"
          onChange={async (event) => {
            const given = event.target.files?.[0];
            if (given) onPhoto(await shrink(given));
          }}
        />
      </label>
    </>
  );
}

function Done({ step, onAgain }: { step: { number: string; tool: Tool; key: string }; onAgain: () => void }) {
  const { scans } = useQueue();
  const waiting = scans.find((scan) => scan.key === step.key);
  return (
    <section className="pass-card done" aria-label={step.number} role="status">
      {waiting?.refused ? (
        <p className="notice">{t("notDone", { reason: waiting.refused })}</p>
      ) : waiting ? (
        <>
          <CloudOff aria-hidden size={44} />
          <h2>{t("kept")}</h2>
          <p>{t("keptHint")}</p>
        </>
      ) : (
        <>
          <Check aria-hidden size={52} />
          <h2>{t(`recorded_${step.tool}`)}</h2>
          <p className="pass-number">{step.number}</p>
        </>
      )}
      <button type="button" className="button primary big" onClick={onAgain}>
        <ScanLine aria-hidden size={22} />
        {t("another")}
      </button>
    </section>
  );
}

function QueueBadge() {
  const { scans } = useQueue();
  const online = useOnline();
  const count = scans.filter((scan) => !scan.refused).length;
  return (
    <span className="queue-badge" role="status" data-waiting={count > 0}>
      {!online && <CloudOff aria-hidden size={15} />}
      {count > 0 ? t("waiting", { count }) : online ? "" : t("offline")}
    </span>
  );
}

function Queue() {
  const { scans, sending } = useQueue();
  if (scans.length === 0) return null;
  return (
    <section className="card queue" aria-label={t("queue")}>
      <div className="panel-bar">
        <h2>{t("queue")}</h2>
        <button type="button" className="button small" disabled={sending} onClick={() => sendScans()}>
          {sending ? t("sending") : t("sendNow")}
        </button>
      </div>
      <ul>
        {scans.map((scan) => (
          <li key={scan.key}>
            <span>
              <strong>{scan.number}</strong> · {t(scan.tool)} · {clock(scan.at)}
              {scan.refused && (
                <span className="problem">
                  {" "}
                  {t("failed")}: {scan.refused}
                </span>
              )}
            </span>
            {scan.refused && (
              <button
                type="button"
                className="icon-button"
                aria-label={`${t("forget")} ${scan.number}`}
                onClick={() => deleteScan(scan.key)}
              >
                <Trash2 aria-hidden size={17} />
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
