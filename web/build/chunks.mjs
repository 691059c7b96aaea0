/** Few files for the first screens. Each file costs a slow network a round trip, six at a time. */

/** What the pages of a signed-in person load together. */
const START = /\/src\/(shell\/Sidebar|pages\/(HomePage|Tour))\.tsx$/;
const CHAT = /\/src\/pages\/ChatPage\.tsx$/;

/** Whether a module is imported, also indirectly, by one of the roots, without a dynamic import between. */
function reaches(roots) {
  const known = new Map();
  const reached = (id, context) => {
    const before = known.get(id);
    if (before !== undefined) return before;
    known.set(id, false);
    const importers = context.getModuleInfo(id)?.importers ?? [];
    const found = roots.test(id) || importers.some((importer) => reached(importer, context));
    known.set(id, found);
    return found;
  };
  return reached;
}

export function chunks() {
  const group = (name, roots) => {
    const reached = reaches(roots);
    return { name: (id, context) => (reached(id, context) ? name : null), debugName: name };
  };
  return {
    groups: [
      { name: "app", tags: ["$initial"], priority: 3 },
      { ...group("start", START), priority: 2 },
      { ...group("chat", CHAT), priority: 1 },
    ],
  };
}

/** Names the files of these groups in the page, so that `theme.js` can ask for them at once. */
export function early() {
  const files = (bundle, name) => {
    const chunk = Object.values(bundle).find((each) => each.type === "chunk" && each.name === name);
    return [chunk?.fileName, ...(chunk?.viteMetadata?.importedCss ?? [])].map((file) => `/${file}`).join(" ");
  };
  return {
    name: "early",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle }) =>
        html.replace(
          '<script src="/theme.js">',
          `<script src="/theme.js" data-start="${files(bundle, "start")}" data-chat="${files(bundle, "chat")}">`,
        ),
    },
  };
}
