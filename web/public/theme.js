// Before the first paint, so that a chosen theme does not flash.
try {
  const theme = localStorage.getItem("frontdesk.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
<<<<<<< HEAD
  // Signed-in people need more than the first script: ask for those files together with it.
  const { start = "", chat = "" } = document.currentScript.dataset;
  const files = sessionStorage.getItem("frontdesk.session") ? start.split(" ") : [];
  if (files.length && location.pathname.startsWith("/c/")) files.push(...chat.split(" "));
  for (const file of files) {
    const link = document.createElement("link");
    link.rel = file.endsWith(".css") ? "preload" : "modulepreload";
    if (file.endsWith(".css")) link.as = "style";
    link.crossOrigin = "";
    link.href = file;
    document.head.append(link);
  }
=======
>>>>>>> parent of efea43c3 (web: load the first screens in few files)
} catch {
  // Storage may be forbidden; the system's theme is then used.
}
