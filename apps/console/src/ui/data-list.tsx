import { Box, Button, Card, Group, Pagination, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  createFilteredRowModel,
  createSortedRowModel,
  filterFn_includesString,
  globalFilteringFeature,
  columnFilteringFeature,
  rowSortingFeature,
  sortFn_alphanumeric,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { IconDownload, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { type Column, type RowAction, Rows } from './data-rows.tsx';
import { Failure } from './failure.tsx';
import { figures } from './values.ts';
import { Waiting } from './waiting.tsx';

const features = tableFeatures({
  rowSortingFeature,
  columnFilteringFeature,
  globalFilteringFeature,
  sortedRowModel: createSortedRowModel(),
  filteredRowModel: createFilteredRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric },
  filterFns: { includesString: filterFn_includesString },
});

export type { Column, RowAction } from './data-rows.tsx';

/** A part of a list with the length of the whole. */
export interface Part<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

/** Where the rows come from. */
export type Source<Row> =
  | {
      readonly queryKey: readonly unknown[];
      /**
       * Reads the start of the list, or a page of it. A list that its first answer holds whole is searched and sorted
       * here; a longer one is turned page by page.
       */
      readonly load: (page: { page?: number; limit?: number; per_page?: number }) => Promise<Part<Row>>;
      readonly rows?: undefined;
    }
  /** The screen has them already. */
  | { readonly rows: readonly Row[]; readonly queryKey?: undefined; readonly load?: undefined };

export type DataListProps<Row> = Source<Row> & {
  /** What the rows are, in the plural: `teams`. */
  readonly what: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string | number;
  readonly onOpen?: (row: Row) => void;
  readonly actions?: (row: Row) => readonly (RowAction | false | undefined)[];
  readonly empty: ReactNode;
  /** Address of the list as CSV. */
  readonly csv?: string;
  readonly toolbar?: ReactNode;
  /** The platform searches, by a text that is part of `queryKey`; else what is here is searched. */
  readonly searched?: { readonly text: string; readonly set: (text: string) => void };
};

const pageSize = 50;

/** The key of the query that reads a page; 0 is the first answer, which mostly holds the whole list. */
export function keyOfPage(queryKey: readonly unknown[], page: number): readonly unknown[] {
  return [...queryKey, page];
}

/** A list as every screen shows it: search, order, pages, empty state, actions of a row. */
export function DataList<Row>(props: DataListProps<Row>) {
  const { what, queryKey, load, columns, keyOf, onOpen, actions, empty, csv, toolbar, searched, rows: given } = props;
  const [search, setSearch] = useState('');
  const [sorting, setSorting] = useState<SortingState>([]);
  const [page, setPage] = useState(0);
  // Another search or filter begins at the start.
  const key = JSON.stringify(queryKey);
  const [before, setBefore] = useState(key);
  if (key !== before) {
    setBefore(key);
    setPage(0);
  }
  const query = useQuery<Part<Row>>({
    queryKey: keyOfPage(queryKey ?? ['given'], page),
    enabled: load !== undefined,
    queryFn: () => load!(page === 0 ? {} : { page, limit: pageSize, per_page: pageSize }),
    placeholderData: (rows) => rows,
  });
  const { error, refetch, isPlaceholderData } = query;
  const data = given === undefined ? query.data : { items: given, total: given.length };
  const isWhole = page === 0 && (data === undefined || data.items.length >= data.total);
  // A longer list begins with its first page.
  useEffect(() => {
    if (page === 0 && !isPlaceholderData && data !== undefined && data.items.length < data.total) setPage(1);
  }, [data, page, isPlaceholderData]);

  const rows = data?.items as Row[] | undefined;
  const defined = useMemo(
    () =>
      columns.map((column, index) => ({
        id: String(index),
        accessorFn: (row: Row) => column.value(row) ?? '',
        sortFn: 'alphanumeric' as const,
        filterFn: 'includesString' as const,
      })),
    [columns],
  );
  const none = useMemo<Row[]>(() => [], []);
  const table = useTable({
    features,
    data: rows ?? none,
    columns: defined as never,
    state: { sorting: isWhole ? sorting : [], globalFilter: isWhole ? search : '' },
    onSortingChange: setSorting,
    globalFilterFn: 'includesString',
  } as never) as unknown as { getRowModel: () => { rows: { original: Row }[] } };
  const shown = table.getRowModel().rows.map(({ original }) => original);

  // The first answer of a longer list is not drawn: its first page is on its way.
  const isFirst = page === 0 || isPlaceholderData;
  const isBeginning = isFirst && data !== undefined && data.items.length > pageSize && data.items.length < data.total;
  if ((data === undefined && query.isPending) || (isBeginning && !error)) return <Waiting what={what} />;
  if (error && rows === undefined)
    return <Failure error={error} what={`The list of ${what}`} retry={() => void refetch()} />;
  const pages = Math.ceil((data?.total ?? 0) / pageSize);
  return (
    <Card withBorder p={0} radius="md">
      {(rows!.length > 0 || toolbar || searched) && (
        <Group p="sm" justify="space-between" gap="sm">
          {searched || (isWhole && rows!.length > 7) ? (
            <TextInput
              aria-label={`Search ${what}`}
              placeholder={`Search ${what}`}
              leftSection={<IconSearch size={16} />}
              value={searched?.text ?? search}
              onChange={({ currentTarget }) => (searched?.set ?? setSearch)(currentTarget.value)}
              w={{ base: '100%', xs: 260 }}
            />
          ) : (
            <Text size="sm" c="dimmed">
              {count(data!.total, what)}
            </Text>
          )}
          <Group gap="xs">
            {toolbar}
            {csv !== undefined && rows!.length > 0 && (
              <Button
                component="a"
                href={csv}
                download
                variant="default"
                size="compact-sm"
                leftSection={<IconDownload size={15} />}
              >
                CSV
              </Button>
            )}
          </Group>
        </Group>
      )}
      {error && (
        <Box px="sm" pb="sm">
          <Failure error={error} what={`The list of ${what}`} />
        </Box>
      )}
      {rows!.length === 0 ? (
        empty
      ) : shown.length === 0 ? (
        <Text p="lg" c="dimmed" ta="center">
          Nothing fits “{search}”.
        </Text>
      ) : (
        <Rows {...{ what, columns, keyOf, onOpen, actions, shown, sorting, setSorting, isWhole }} />
      )}
      {!isWhole && pages > 1 && (
        <Group p="sm" justify="space-between">
          <Text size="sm" c="dimmed">
            {count(data!.total, what)}
          </Text>
          <Pagination
            total={pages}
            value={Math.max(1, page)}
            onChange={setPage}
            size="sm"
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
            getItemProps={(one) => ({ 'aria-label': `Page ${one}` })}
          />
        </Group>
      )}
    </Card>
  );
}

function count(total: number, what: string): string {
  return `${figures.format(total)} ${total === 1 ? what.replace(/ies$/, 'y').replace(/s$/, '') : what}`;
}
