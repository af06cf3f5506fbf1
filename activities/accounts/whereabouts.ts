/** Where a request comes from, as far as it may be kept. */
export interface Whereabouts {
  /** `CHROME · WINDOWS`. */
  device: string;
  /** /24 or /48. */
  network: string;
  country: string | null;
  /** Of the cookie that this browser has, or gets with the answer. */
  deviceHash: string;
}
