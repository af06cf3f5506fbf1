/** How far ahead of the real time a flow begins, and how it is told of a move. */
export const AHEAD_HEADER = 'ahead-of-real-time';
export const MOVED_SIGNAL = 'time-moved';
