import { Badge } from '@mantine/core';
import type { Contract } from '@platform/client';
import { momentColumn, shortColumn } from '../ui/columns.tsx';
import type { Column } from '../ui/data-list.tsx';

/** Returns the present state of a contract. Only an active contract gives licences (open-points 5.2). */
export function stateOf({ revoked, start, end }: Contract): 'Revoked' | 'Expired' | 'Not begun' | 'Active' {
  const now = Date.now() / 1_000;
  return revoked ? 'Revoked' : end <= now ? 'Expired' : start > now ? 'Not begun' : 'Active';
}

const colors = { Active: 'green', 'Not begun': 'blue', Expired: 'gray', Revoked: 'red' } as const;

export function State({ of }: { of: Contract }) {
  const state = stateOf(of);
  return <Badge variant="light" color={colors[state]} tt="none">{state}</Badge>;
}

export const contractColumns: Column<Contract>[] = [
  shortColumn('Contract', ({ name }) => name),
  { title: 'Product', value: ({ product }) => product },
  { title: 'State', value: stateOf, shown: (contract) => <State of={contract} /> },
  shortColumn('Owner', ({ orgOrUser }) => orgOrUser, { width: 180, minor: true }),
  { title: 'Clusters', value: ({ clusters }) => clusters.length, numeric: true, minor: true },
  momentColumn('Ends', ({ end }) => end),
];
