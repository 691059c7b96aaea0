/** The installation at a glance: model, limits, storage, assistants and people. */

import { useQuery } from "@tanstack/react-query";
import type { ModelHealth } from "../../api/schema";
import { locale } from "../../i18n";
import { assistantName, roleNames } from "../../lib/serverNames";
import { full } from "../../lib/time";
import { Scroll } from "../../ui/Scroll";
import { count, type Installation, operator } from "./api";
import { Figures } from "./Figures";
import { t } from "./strings";

export function OverviewView() {
  const { data } = useQuery({
    queryKey: ["operator", "installation"],
    queryFn: operator.installation,
    refetchInterval: 30_000,
  });
  return (
    <section aria-label={t("overview")} className="operator-view" aria-busy={!data}>
      {data && (
        <>
          <Model installation={data} />
          <Limits installation={data} />
          <Storage installation={data} />
          <Assistants installation={data} />
          <People installation={data} />
        </>
      )}
    </section>
  );
}

interface Part {
  installation: Installation;
}

const healthWords = (health: ModelHealth): string => {
  switch (health.state) {
    case "built_in":
      return t("modelBuiltIn");
    case "answers":
      return t("modelAnswers", { time: health.milliseconds });
    case "key_refused":
      return t("modelKeyRefused");
    case "unreachable":
      return t("modelUnreachable");
  }
};

function Model({ installation: { model, version } }: Part) {
  const good = model.health.state === "built_in" || model.health.state === "answers";
  return (
    <div className="card">
      <h2>{t("overviewModel")}</h2>
      <p className="model-health">
        <span className="health" data-good={good} aria-hidden />
        <strong>{healthWords(model.health)}</strong>
      </p>
      <p className="muted">
        {[model.address, model.fallback && t("modelFallback"), t("overviewVersion", { version })]
          .filter(Boolean)
          .join(" · ")}
      </p>
    </div>
  );
}

const bytes = (value: number): string => {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
  const step = value > 0 ? Math.min(units.length - 1, Math.floor(Math.log(value) / Math.log(1024))) : 0;
  return new Intl.NumberFormat(locale(), {
    style: "unit",
    unit: units[step] ?? "byte",
    maximumFractionDigits: step > 0 ? 1 : 0,
  }).format(value / 1024 ** step);
};

function Limits({ installation: { limits } }: Part) {
  const most = (value: number | null, show = count) => (value === null ? t("noLimit") : show(value));
  return (
    <Figures
      title={t("overviewLimits")}
      facts={[
        [t("limitTurns"), count(limits.turns_in_flight)],
        [t("limitPerson"), most(limits.tokens_a_person_and_day)],
        [t("limitCompany"), most(limits.tokens_a_company_and_day)],
        [t("limitStorage"), most(limits.storage_bytes, bytes)],
      ]}
    />
  );
}

function Storage({ installation: { storage } }: Part) {
  const database = storage.database === "sqlite" ? "SQLite" : "PostgreSQL";
  return (
    <Figures
      title={t("overviewStorage")}
      facts={[
        [
          t("storageDatabase", { database }),
          storage.database_bytes === null ? "–" : bytes(storage.database_bytes),
        ],
        [t("storageFolder"), bytes(storage.folder_bytes)],
        [t("storageDocuments"), count(storage.documents)],
        [t("storagePassages"), count(storage.passages)],
      ]}
    />
  );
}

function Assistants({ installation: { assistants, manifests, version } }: Part) {
  const broken = manifests.filter((one) => one.problem);
  return (
    <section aria-labelledby="overview-assistants">
      <h2 id="overview-assistants">{t("overviewAssistants")}</h2>
      {broken.map((one) => (
        <p key={one.name} className="problem">
          <strong>{one.name}</strong>: {one.problem}
        </p>
      ))}
      <Scroll className="panel-table" label={t("overviewAssistants")}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("assistant")}</th>
              <th scope="col">{t("assistantVersion")}</th>
              <th scope="col">{t("model")}</th>
              <th scope="col">{t("assistantRoles")}</th>
              <th scope="col" className="number">
                {t("assistantTools")}
              </th>
            </tr>
          </thead>
          <tbody>
            {assistants.map((one) => (
              <tr key={one.name}>
                <td>
                  <strong>{assistantName(one.name, one.title)}</strong>
                </td>
                <td>{one.from_manifest ? t("assistantManifest") : version}</td>
                <td>{one.model ?? t("assistantOffline")}</td>
                <td>{one.roles.length ? roleNames(one.roles) : t("everyone")}</td>
                <td className="number">{count(one.tools)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

function People({ installation: { people } }: Part) {
  return (
    <section aria-labelledby="overview-people">
      <h2 id="overview-people">{t("overviewPeople")}</h2>
      <p className="muted">{t("overviewPeopleHint")}</p>
      <Scroll className="panel-table" label={t("overviewPeople")}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("person")}</th>
              <th scope="col">{t("assistantRoles")}</th>
              <th scope="col">{t("lastSeen")}</th>
            </tr>
          </thead>
          <tbody>
            {people.map((one) => (
              <tr key={one.id}>
                <td>
                  <strong>{one.name}</strong>
                </td>
                <td>{roleNames(one.roles)}</td>
                <td>
                  <time dateTime={one.seen_at}>{full(one.seen_at)}</time>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}
