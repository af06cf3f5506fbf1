/** A service that the platform needs, standing. */
export interface Service {
  /** URL or host:port, as the platform's configuration takes it. */
  address: string;
  /** Where it came from, for the person at the terminal. */
  origin: string;
  /** Of the process that this stand runs; absent when the environment named the service. */
  pid?: () => number;
}
