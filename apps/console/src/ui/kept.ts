import { useRouter } from '@tanstack/react-router';
import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';

/**
 * Like `useState`, but also stores the value as JSON in the session storage of the tab.
 * @param of `page`: one value for each path; `visit`: one value for each entry of the browser history
 */
export function useKept<T>(name: string, initial: T, of: 'page' | 'visit'): [T, Dispatch<SetStateAction<T>>] {
  const { history } = useRouter();
  const [key] = useState(() => {
    const entry = of === 'page' ? '' : history.location.state.__TSR_key;
    return `typed ${location.pathname} ${entry} ${name}`;
  });
  const [value, set] = useState(() => {
    const kept = sessionStorage.getItem(key);
    return kept === null ? initial : (JSON.parse(kept) as T);
  });
  const [now, before] = [JSON.stringify(value), JSON.stringify(initial)];
  useEffect(() => {
    if (now === before) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, now);
  }, [key, now, before]);
  return [value, set];
}
