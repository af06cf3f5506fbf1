import { createContext } from 'react';

/** Of who is logged in; undefined until it is known. Given by the frame, because lists ask for it in every row. */
export const MyRole = createContext<string | undefined>(undefined);
