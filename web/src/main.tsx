import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@fontsource-variable/inter/wght.css";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/chat.css";
import "./styles/markdown.css";
import "./styles/panels.css";
import { startLanguage } from "./i18n";
import { borrowSession } from "./lib/tabs";
import { App } from "./shell/App";

await Promise.all([startLanguage(), borrowSession()]);
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
