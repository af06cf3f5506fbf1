import type { OwnField } from '../../../../parts/filters.tsx';
import { Pick } from '../../../../parts/pick.tsx';
import { type FoundType, pickFrom } from '../../../../queries/operator/search.ts';
import { useFoundWords } from './words-found.ts';

/**
 * A filter of a list that is chosen by name. `typeIs` is the filter of its type, where there is one: it is
 * set with it, and says of which type the chosen number is.
 */
const picks = (types: readonly FoundType[], typeIs = '') =>
  function PickField({ name, label, values, onChange }: OwnField) {
    const words = useFoundWords();
    const value = values[name]?.toString() ?? null;
    const only = types.filter((type) => type === values[typeIs]);
    const { find } = pickFrom(words, types);
    const { key, nameOf } = pickFrom(words, only.length > 0 ? only : types);
    return (
      <Pick
        label={label}
        source={{ key: `${key} of ${types.join()}`, find, nameOf }}
        value={value}
        onPick={(picked) =>
          onChange({
            [name]: picked?.value,
            ...(typeIs === '' || picked?.type === undefined ? {} : { [typeIs]: picked.type }),
          })
        }
      />
    );
  };

export const AdvertiserPick = picks(['advertiser']);
export const PublisherPick = picks(['publisher']);
export const AccountPick = picks(['advertiser', 'publisher']);
export const LedgerAccountPick = picks(['ledger_account']);
const OwnerOfType = picks(['advertiser', 'publisher'], 'owner_type');

/** The ledger says whose its accounts are in capitals. */
export function OwnerPick({ values, onChange, ...field }: OwnField) {
  const type = values['owner_type']?.toString().toLowerCase();
  return (
    <OwnerOfType
      {...field}
      values={{ ...values, owner_type: type }}
      onChange={({ owner_type: picked, ...change }) =>
        onChange({
          ...change,
          ...(picked === undefined ? {} : { owner_type: picked.toUpperCase() }),
        })
      }
    />
  );
}

export const ActorPick = picks(['operator', 'advertiser', 'publisher']);
export const SubjectPick = picks(
  [
    'advertiser',
    'publisher',
    'campaign',
    'adgroup',
    'ad',
    'creative',
    'site',
    'zone',
    'task',
    'deposit',
    'withdrawal',
  ],
  'subject_type',
);
