import { mayOpen } from '../../../../may/operator.ts';
import type { PaletteSearch } from '../../../../parts/palette-dialog.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { foundIn } from '../../../../queries/operator/search.ts';
import { desk } from '../../../../texts/desk.ts';
import { foundTexts } from '../../../../texts/found.ts';
import { states } from '../../../../texts/states.ts';

/** In the words of who reads them. */
export const useFoundWords = () => ({
  found: useTexts(foundTexts),
  states: useTexts(states),
  desk: useTexts(desk),
});

export function useFound(role: string | undefined): PaletteSearch {
  return foundIn(useFoundWords(), role !== undefined && mayOpen(role, 'events'));
}
