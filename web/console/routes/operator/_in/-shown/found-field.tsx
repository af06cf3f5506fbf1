import type { FieldProps } from '../../../../parts/fields.tsx';
import { PickField } from '../../../../parts/pick-field.tsx';
import { type FoundType, pickFrom } from '../../../../queries/operator/search.ts';
import { useFoundWords } from './words-found.ts';

/** A field of a form that is chosen by name, or by number where that is what one has. */
export function FoundField({ types, ...field }: FieldProps & { types: readonly FoundType[] }) {
  return <PickField {...field} source={pickFrom(useFoundWords(), types)} />;
}
