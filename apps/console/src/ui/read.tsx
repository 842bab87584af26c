import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue } from 'react';
import { Failure } from './failure.tsx';
import { Waiting } from './waiting.tsx';

interface ReadProps<T> {
  /** Name of the loaded data in messages to the user, such as `The team`. */
  what: string;
  queryKey: readonly unknown[];
  load: () => Promise<T>;
  every?: number | false;
  children: (value: T) => ReactNode;
}

/** Loads a value and shows it. If the loading fails, only this part of the page shows the failure. */
export function Read<T>({ what, queryKey, load, every, children }: ReadProps<T>) {
  const { data: arrived, error, refetch } = useQuery({
    queryKey, queryFn: load, ...(every !== undefined && { refetchInterval: every }),
  });
  // Draw arriving data with low priority, so that the browser stays responsive.
  const data = useDeferredValue(arrived);
  if (data === undefined && !error) return <Waiting what={what[0]!.toLowerCase() + what.slice(1)} />;
  if (data === undefined) return <Failure error={error} what={what} retry={refetch} />;
  return (
    <>
      {error && <Failure error={error} what={what} />}
      {children(data)}
    </>
  );
}
