/** The focus is what is chosen: it stays on its row while the list is read anew. */
export function focusTask(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('[data-task]')];
  const at = links.findIndex((link) => link === document.activeElement);
  const next = at === -1 ? links.at(step === 1 ? 0 : -1) : links[at + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
