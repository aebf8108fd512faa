// Sets the chosen theme before the page is drawn. A classic script: a module would come too late.
try {
  const kept = localStorage.getItem("handful-theme");
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
} catch {
  // storage is disabled: the system's choice holds
}
