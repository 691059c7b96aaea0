// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError, api } from "../../src/api/client";
import type { Artifact, ArtifactEntry } from "../../src/api/types";
import { readDraft } from "../../src/chat/outbox";
import { chooseLanguage } from "../../src/i18n";
import { DocumentView } from "../../src/panels/tata/DocumentView";
import { Editor } from "../../src/panels/tata/Editor";

const PLACE = "document.c.job_ad/en";
const entry = (version: number, kind = "job_ad"): ArtifactEntry => ({
  id: `v${version}`,
  kind,
  key: "en",
  version,
  status: "confirmed",
});

const artifact = (version: number, content: object, over: Partial<Artifact> = {}): Artifact => ({
  ...entry(version),
  conversation: "c",
  title: "Network Engineer",
  content: { title: "Network Engineer", language: "en", sections: [], notes: [], fields: {}, ...content },
  built_from: [],
  author: { id: "p", name: "Maria Holm" },
  created_at: "2026-11-18T00:00:00Z",
  ...over,
});

function client() {
  const made = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  made.setQueryData(["artifacts", "c", 0], [entry(1), entry(2)]);
  return made;
}

function open(newest = entry(2)) {
  const onClose = vi.fn();
  const queries = client();
  const editor = (latest: ArtifactEntry) => (
    <QueryClientProvider client={queries}>
      <Editor
        conversation="c"
        place={PLACE}
        base={entry(2)}
        newest={latest}
        text="# Ad"
        label="Network Engineer"
        onClose={onClose}
      />
    </QueryClientProvider>
  );
  const { rerender } = render(editor(newest));
  return { onClose, queries, newVersion: (latest: ArtifactEntry) => rerender(editor(latest)) };
}

const area = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Edit: Network Engineer" });
const write = (value: string) => fireEvent.change(area(), { target: { value } });
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });

beforeEach(async () => {
  localStorage.clear();
  await chooseLanguage("en");
  // happy-dom does not implement dialogs.
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true;
  };
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe("the editor", () => {
  test("saves with Ctrl+Enter as the next version, which joins the list at once", async () => {
    const put = vi.spyOn(api, "editArtifact").mockResolvedValue(artifact(3, { made_with: "person" }));
    const { onClose, queries } = open();
    expect(document.activeElement).toBe(area());
    expect(button("Save as version 3").disabled).toBe(true);
    write("# Better ad");
    fireEvent.keyDown(area(), { key: "Enter", ctrlKey: true });
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(put).toHaveBeenCalledWith("c", "v2", { text: "# Better ad" });
    const list = queries.getQueryData<ArtifactEntry[]>(["artifacts", "c", 0]);
    expect(list?.map(({ version }) => version)).toEqual([1, 2, 3]);
    expect(readDraft(PLACE)).toBe("");
  });

  test("keeps the text and says why when it was not saved", async () => {
    const put = vi.spyOn(api, "editArtifact");
    const { onClose } = open();
    write("# Better ad");
    for (const [error, sentence] of [
      [new ApiError(409, "TURN_IN_PROGRESS", ""), /still working/],
      [new ApiError(409, "CONFLICT", ""), /Someone else has changed/],
      [new ApiError(0, "OFFLINE", ""), /cannot be reached/],
      [
        new ApiError(422, "VALIDATION_ERROR", "text: Nothing was changed.", null, [
          { field: "text", problem: "Nothing was changed." },
        ]),
        /^Nothing was changed\.$/,
      ],
    ] as const) {
      put.mockRejectedValueOnce(error);
      fireEvent.click(button("Save as version 3"));
      await waitFor(() => expect(screen.getByRole("alert").textContent).toMatch(sentence));
      await waitFor(() => expect(button("Save as version 3").disabled).toBe(false));
    }
    expect(area().value).toBe("# Better ad");
    expect(readDraft(PLACE)).toBe("# Better ad");
    expect(onClose).not.toHaveBeenCalled();
  });

  test("reports a newer version and saves on top of it", async () => {
    const put = vi.spyOn(api, "editArtifact").mockResolvedValue(artifact(4, { made_with: "person" }));
    const { newVersion } = open();
    write("# Better ad");
    newVersion(entry(3));
    expect(screen.getByRole("status").textContent).toMatch(/Version 3 was saved/);
    fireEvent.click(button("Save as version 4"));
    await waitFor(() => expect(put).toHaveBeenCalledWith("c", "v3", { text: "# Better ad" }));
  });

  test("closes on Escape at once, but asks first when something was changed", () => {
    const { onClose } = open();
    fireEvent.keyDown(area(), { key: "Escape" });
    expect(onClose).toHaveBeenCalledOnce();
    onClose.mockClear();
    write("# Better ad");
    fireEvent.keyDown(area(), { key: "Escape" });
    expect(onClose).not.toHaveBeenCalled();
    fireEvent.click(button("Keep editing"));
    expect(area().value).toBe("# Better ad");
    fireEvent.keyDown(area(), { key: "Escape" });
    fireEvent.click(button("Discard changes"));
    expect(onClose).toHaveBeenCalledOnce();
    expect(readDraft(PLACE)).toBe("");
  });

  test("has unsaved text again after the page was left", () => {
    open();
    write("# Half an");
    cleanup();
    open();
    expect(area().value).toBe("# Half an");
    expect(screen.getByText("Your unsaved changes have been restored.")).toBeTruthy();
  });
});

describe("a document", () => {
  const show = (document: Artifact, text: string, kind = document.kind) => {
    vi.spyOn(api, "artifact").mockResolvedValue(document);
    vi.spyOn(api, "artifactText").mockResolvedValue(text);
    const series = { id: kind, kind, key: "en", versions: [{ ...entry(document.version, kind) }] };
    render(
      <QueryClientProvider client={client()}>
        <DocumentView
          conversation="c"
          series={series}
          staleFrom={null}
          idle
          editing={null}
          onEdit={() => {}}
          onRebuild={null}
          onConfirm={() => {}}
        />
      </QueryClientProvider>,
    );
  };

  test("says who edited it, and marks what is internal", async () => {
    show(
      artifact(3, { made_with: "person" }),
      "# Profile\n\n## Skills\n\n* BGP\n\n## Remarks [internal]\n\n* Replaces Tom\n",
    );
    await screen.findByText("Version 3 · edited by Maria Holm");
    const mark = await screen.findByText("Internal – not for candidates");
    expect(mark.parentElement?.textContent).toContain("Replaces Tom");
    expect(screen.getByRole("heading", { name: "Remarks" }).tagName).toBe("H4");
    expect(screen.queryByText(/\[internal\]/)).toBeNull();
  });

  test("says that no model wrote it, with its notes", async () => {
    const content = { made_with: "fallback", notes: ["The profile names fewer than three must-haves."] };
    show(
      artifact(1, content),
      "# Ad\n\n> Made without a language model: it holds […].\n\n## Tasks\n\n* […]\n",
    );
    await screen.findByText("Version 1 · created without a language model");
    const notes = screen.getByRole("region", { name: "Please note" });
    expect(notes.textContent).toMatch(/only what you provided.*fewer than three/);
    expect(document.querySelector("blockquote")).toBeNull();
  });

  test("saves the recruiter's recommendation as a field", async () => {
    const put = vi.spyOn(api, "editArtifact").mockResolvedValue(artifact(2, { made_with: "person" }));
    const report = artifact(1, { made_with: "model", fields: { recommendation: "recommended" } });
    show({ ...report, kind: "candidate_reports" }, "# Report\n", "candidate_reports");
    const select = await screen.findByRole<HTMLSelectElement>("combobox", { name: "Your recommendation" });
    expect(select.value).toBe("recommended");
    fireEvent.change(select, { target: { value: "not_recommended" } });
    expect(put).toHaveBeenCalledWith("c", "v1", { fields: { recommendation: "not_recommended" } });
    await waitFor(() => expect(select.disabled).toBe(false));
    fireEvent.change(select, { target: { value: "" } });
    expect(put).toHaveBeenLastCalledWith("c", "v1", { fields: { recommendation: null } });
  });
});
