import { useEffect, useRef } from 'react';
import { refusedAndKept } from './toast.ts';

/** For what was sent from something that is closed by the time its refusal comes: that is said all the same. */
export function useSaidWhenGone(): (error: Error) => void {
  const isGone = useRef(false);
  // Only its end tells that it has ended.
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  return (error) => {
    if (isGone.current && error.name !== 'AbortError') refusedAndKept(error);
  };
}
