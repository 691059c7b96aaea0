/** `list_gate_passes` becomes "List gate passes". */
export function humanize(name: string): string {
  const spaced = name.replaceAll(/[_-]+/g, " ").trim();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
