/** One worker pool each; a provider's or a database pool's limit is set per queue. */
export type TaskQueue = 'review' | 'money' | 'media' | 'exports' | 'loops' | 'mail' | 'calls';
