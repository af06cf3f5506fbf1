/**
 * In which order the facts of an approval are read, whatever its kind: what it is of, how much, whose, to
 * where, why and by whom. The database keeps them by the length of their names.
 */
export const FACT_ORDER = [
  'key',
  'was',
  'value',
  'term',
  'country',
  'entity_type',
  'percent',
  'from',
  'basis',
  'recovery_id',
  'operator_id',
  'person',
  'person_id',
  'username',
  'email',
  'role',
  'withdrawal_id',
  'receipt_id',
  'deposit_id',
  'balance_refund_id',
  'reversal_id',
  'statement_id',
  'line',
  'file',
  'orders',
  'source',
  'scope',
  'events',
  'direction',
  'ordered',
  'amount',
  'fee',
  'tax',
  'arrival',
  'price',
  'publisher',
  'currency',
  'credited',
  'publisher_id',
  'advertiser_id',
  'channel',
  'provider',
  'account',
  'bank_account',
  'payer',
  'remittance',
  'reference',
  'payout_reference',
  'booked_on',
  'requested_at',
  'not_before',
  'proof',
  'reason',
  'why',
  'note',
  'evidence_id',
  'evidence_media_id',
  'recorded_by',
  'items',
  'sha256',
] as const;

const PLACES: ReadonlyMap<string, number> = new Map(FACT_ORDER.map((name, place) => [name, place]));

/** A fact of a name that has no place comes last, as it came. */
export const inReadingOrder = <Fact extends { name: string }>(facts: readonly Fact[]): Fact[] =>
  facts.toSorted((one, other) => placeOf(one) - placeOf(other));

const placeOf = ({ name }: { name: string }): number => PLACES.get(name) ?? FACT_ORDER.length;
