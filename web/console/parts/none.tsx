/** Nothing is known or set. A phone's cards leave it out (`list-page.module.css`). */
export const NONE = <span data-none="">—</span>;
