import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { Waiting } from './waiting.tsx';

export interface ReadProps<T> {
  /** What is read: `The team`. */
  what: string;
  queryKey: readonly unknown[];
  load: () => Promise<T>;
  every?: number | false;
  children: (value: T) => ReactNode;
}

/** Reads a thing and shows it; a part that is away is named, and the rest of the page goes on. */
export function Read<T>({ what, queryKey, load, every, children }: ReadProps<T>) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey,
    queryFn: load,
    ...(every !== undefined && { refetchInterval: every }),
  });
  if (isPending) return <Waiting what={what[0]!.toLowerCase() + what.slice(1)} />;
  if (data === undefined) return <Failure error={error} what={what} retry={() => void refetch()} />;
  return (
    <>
      {error && <Failure error={error} what={what} />}
      {children(data)}
    </>
  );
}
