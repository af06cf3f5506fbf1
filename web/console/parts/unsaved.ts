import { createContext } from 'react';

/** Of the dialog around a form: whether something is written there that closing it would lose. */
export const Unsaved = createContext<{ current: boolean } | null>(null);
