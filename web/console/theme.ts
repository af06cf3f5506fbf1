import { createTheme } from '@mantine/core';

/** What scrolls is the list itself, which the field's arrows lead through: a box around it would be a stop of its own. */
const LISTED = {
  defaultProps: { withScrollArea: false },
  styles: { options: { maxHeight: 220, overflowY: 'auto' } },
} as const;

/** Contrast of every pair is held by axe on each page, in both schemes. */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans SC', sans-serif",
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.15rem' } },
  },
  components: {
    // A menu holds entries and nothing else.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Select: LISTED,
    MultiSelect: LISTED,
  },
});
