/** A publisher's share from a moment on; publisherId null is the platform's default. */
export interface ShareTerm {
  publisherId: number | null;
  sharePpm: number;
  /** Unix milliseconds; until the next one of the same publisher. */
  fromMs: number;
}

/** Terms by whose they are, latest first: an event asks for its own alone. */
export type ShareBook = ReadonlyMap<number | null, readonly ShareTerm[]>;

export function shareBook(terms: readonly ShareTerm[]): ShareBook {
  const book = new Map<number | null, ShareTerm[]>();
  for (const term of terms.toSorted((a, b) => b.fromMs - a.fromMs)) {
    const own = book.get(term.publisherId);
    if (own === undefined) book.set(term.publisherId, [term]);
    else own.push(term);
  }
  return book;
}

/** In parts per million, at the moment of an event: the publisher's own term, else the platform's (interface 5.21). */
export function shareAt(book: ShareBook, publisherId: number, atMs: number): number {
  const begun = (term: ShareTerm): boolean => term.fromMs <= atMs;
  return (book.get(publisherId)?.find(begun) ?? book.get(null)?.find(begun))?.sharePpm ?? 0;
}
