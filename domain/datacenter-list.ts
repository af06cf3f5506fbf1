/** Why an address gave no list: it did not answer, with a failure, with too much, or with what is no list. */
export const LIST_FAULTS = ['AWAY', 'ANSWERED', 'TOO_LARGE', 'NOT_A_LIST'] as const;
export type ListFault = (typeof LIST_FAULTS)[number];

/** A list of data centres, as a process has it (DATACENTER_IP, interface 6; docs/decisions/0016). */
export interface LoadedList {
  /** `FILE`, or the address without what may be secret in it. */
  source: string;
  networks: number;
  /** Null: never, so that nothing of it counts. */
  fetchedAt: Date | null;
  /** The last try, where it failed: the list of before still counts. */
  failed: { at: Date; fault: ListFault } | null;
}
