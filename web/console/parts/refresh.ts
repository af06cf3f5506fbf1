/** How often what a colleague or a flow may change is read anew while it stands open. */
export const REFRESH_MS = 15_000;
