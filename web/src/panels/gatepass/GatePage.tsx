/** The guard's page, for one hand: scan, see, photograph, confirm. Everything is kept before it is sent. */

import { useQuery } from "@tanstack/react-query";
import { Camera, Check, CloudOff, LogIn, LogOut, RotateCcw, ScanLine, Trash2 } from "lucide-react";
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { ApiError } from "../../api/client";
import { shrink } from "../../chat/shrink";
import { clock } from "../../lib/time";
import { Header } from "../../shell/Header";
import { gatepass, numberIn, type PassDetail } from "./api";
import { forget, keepSending, record, type Scan, send, useQueue } from "./queue";
import { Scanner } from "./Scanner";
import { StatusPill } from "./StatusPill";
import { useCamera } from "./useCamera";
import { w } from "./words";
import "./gatepass.css";

type Tool = Scan["tool"];
type Step =
  | { at: "scan" }
  | { at: "card"; number: string }
  | { at: "photo"; number: string; tool: Tool; name: string }
  | { at: "done"; number: string; tool: Tool; key: string; name: string };

export default function GatePage() {
  const [step, setStep] = useState<Step>({ at: "scan" });
  useEffect(keepSending, []);
  const found = useCallback((number: string) => setStep({ at: "card", number }), []);
  const again = () => setStep({ at: "scan" });
  return (
    <div className="page">
      <Header title={w("gate")}>
        <QueueBadge />
      </Header>
      <div className="gate">
        {step.at === "scan" && <Find onNumber={found} />}
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
              const key = await record(step.number, step.tool, photo);
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
    <section aria-label={w("scan")}>
      <Scanner onNumber={onNumber} />
      <form
        className="gate-number"
        onSubmit={(event) => {
          event.preventDefault();
          const number = numberIn(text);
          setWrong(!number);
          if (number) onNumber(number);
        }}
      >
        <label className={wrong ? "field wrong" : "field"}>
          <span>{w("type")}</span>
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
          {w("look")}
        </button>
        {wrong && (
          <p className="problem" role="alert">
            {w("wrongNumber")}
          </p>
        )}
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
    // A guard does not wait: without an answer it goes on without one.
    retry: false,
  });
  const unreachable = pass.error instanceof ApiError && pass.error.passing;
  const missing = pass.error && !unreachable;
  const known: PassDetail | null = pass.isError ? null : (pass.data ?? null);
  const allowed = known ? TOOLS.filter((tool) => known.allowed_actions.includes(tool)) : TOOLS;
  if (pass.isPending && online) return <span className="skeleton card" />;
  return (
    <section className="pass-card" aria-label={number} data-status={known?.status}>
      <p className="pass-number">{number}</p>
      {missing ? (
        <>
          <h2>{w("missing", { number })}</h2>
          <p className="muted">{w("missingHint")}</p>
        </>
      ) : known ? (
        <>
          <h2>{known.person_name}</h2>
          <p>{known.description}</p>
          <p className="pass-facts">
            <StatusPill status={known.status} />
            <span>{known.is_returnable ? w("returnable") : w("oneWay")}</span>
          </p>
          {allowed.length === 0 && <p className="notice calm">{w("notNow")}</p>}
        </>
      ) : (
        <p className="notice" role="alert">
          <CloudOff aria-hidden size={18} /> {w("offlineCard")}
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
            {w(tool)}
          </button>
        ))}
      <button type="button" className="button big" onClick={onAgain}>
        <ScanLine aria-hidden size={20} />
        {w("another")}
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
    <section className="pass-card" aria-label={w("takePhoto")}>
      <p className="pass-number">
        {step.number} {step.name && `· ${step.name}`}
      </p>
      {photo ? (
        <>
          <img className="photo-preview" src={photo.url} alt={w("photos")} />
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
            {w(`confirm_${step.tool}`)}
          </button>
          <button type="button" className="button big" disabled={busy} onClick={() => setPhoto(null)}>
            <RotateCcw aria-hidden size={20} />
            {w("retake")}
          </button>
        </>
      ) : (
        <Shutter onPhoto={take} />
      )}
      {!photo && (
        <button type="button" className="button big" onClick={onAgain}>
          {w("another")}
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
        <video ref={video} playsInline muted aria-label={w("takePhoto")} />
        <p role="status">{problem ? w("noCamera", { reason: problem }) : w("photoHint")}</p>
      </div>
      <button
        type="button"
        className="button primary big"
        disabled={!ready}
        onClick={() => frame(PHOTO_WIDTH)?.toBlob(onPhoto, "image/jpeg", 0.85)}
      >
        <Camera aria-hidden size={22} />
        {w("takePhoto")}
      </button>
      <label className="button big file-button">
        {w("choosePhoto")}
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
        <p className="notice">{w("notDone", { reason: waiting.refused })}</p>
      ) : waiting ? (
        <>
          <CloudOff aria-hidden size={44} />
          <h2>{w("kept")}</h2>
          <p>{w("keptHint")}</p>
        </>
      ) : (
        <>
          <Check aria-hidden size={52} />
          <h2>{w(`recorded_${step.tool}`)}</h2>
          <p className="pass-number">{step.number}</p>
        </>
      )}
      <button type="button" className="button primary big" onClick={onAgain}>
        <ScanLine aria-hidden size={22} />
        {w("another")}
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
      {count > 0 ? w("waiting", { count }) : online ? "" : w("offline")}
    </span>
  );
}

function Queue() {
  const { scans, sending } = useQueue();
  if (scans.length === 0) return null;
  return (
    <section className="card queue" aria-label={w("queue")}>
      <div className="panel-bar">
        <h2>{w("queue")}</h2>
        <button type="button" className="button small" disabled={sending} onClick={() => send()}>
          {sending ? w("sending") : w("sendNow")}
        </button>
      </div>
      <ul>
        {scans.map((scan) => (
          <li key={scan.key}>
            <span>
              <strong>{scan.number}</strong> · {w(scan.tool)} · {clock(scan.at)}
              {scan.refused && (
                <span className="problem">
                  {" "}
                  {w("failed")}: {scan.refused}
                </span>
              )}
            </span>
            {scan.refused && (
              <button
                type="button"
                className="icon-button"
                aria-label={`${w("forget")} ${scan.number}`}
                onClick={() => forget(scan.key)}
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
