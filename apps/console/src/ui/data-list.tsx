import { Box, Button, Card, Group, Pagination, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  createFilteredRowModel, createSortedRowModel, filterFn_includesString, globalFilteringFeature, columnFilteringFeature,
  rowSortingFeature, sortFn_alphanumeric, type SortingState, tableFeatures, useTable,
} from '@tanstack/react-table';
import { IconDownload, IconSearch } from '@tabler/icons-react';
import { type MouseEvent, type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { type Column, type RowAction, Rows } from './data-rows.tsx';
import { Failure } from './failure.tsx';
import { useKept } from './kept.ts';
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

/** A part of a list, with the length of the whole list. */
export interface Part<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

/** Where a list gets its rows. */
export type Source<Row> =
  | {
      readonly queryKey: readonly unknown[];
      /**
       * Reads a page of the list. Without `page`, reads as many rows as one answer can contain. `limit` and
       * `per_page` are both the size of the page: each operation takes one of them.
       */
      readonly load: (page: { page?: number; limit?: number; per_page?: number }) => Promise<Part<Row>>;
      readonly rows?: undefined;
    }
  /** Rows that the screen already has. */
  | { readonly rows: readonly Row[]; readonly queryKey?: undefined; readonly load?: undefined };

type DataListProps<Row> = Source<Row> & {
  /** The word for the rows, in the plural: `teams`. */
  readonly what: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string | number;
  readonly onOpen?: (row: Row) => void;
  readonly actions?: (row: Row) => readonly (RowAction | false | undefined)[];
  readonly empty: ReactNode;
  /**
   * Address of the list as CSV, with the filters of `load`. A search in the browser does not change this CSV. Without
   * an address, the browser makes the CSV from the shown rows.
   */
  readonly csv?: string;
  readonly toolbar?: ReactNode;
  /** If set, the platform searches the list, and `queryKey` must depend on `text`. By default, the browser searches. */
  readonly searched?: { readonly text: string; readonly set: (text: string) => void };
};

const pageSize = 50;
/** Length of the longest list that is read in one answer (open-points 1.8). */
const longestWhole = 1_000;

interface Pages<Row> {
  readonly queryKey?: readonly unknown[] | undefined;
  readonly load?: Source<Row>['load'] | undefined;
}

/**
 * Reads a page of the list. Also reads the whole list if it has more rows than the page, but at most
 * {@link longestWhole}. Returns the whole list if one answer contains it, else the page.
 */
export function useList<Row>({ queryKey = ['given'], load }: Pages<Row>, page = 1) {
  const paged = useQuery<Part<Row>>({
    queryKey: [...queryKey, page],
    enabled: load !== undefined,
    queryFn: () => load!({ page, limit: pageSize, per_page: pageSize }),
    placeholderData: (before) => before,
  });
  const isMore = paged.data !== undefined && !isWhole(paged.data) && paged.data.total <= longestWhole;
  const whole = useQuery<Part<Row>>({
    queryKey: [...queryKey, 'whole'],
    enabled: isMore,
    queryFn: () => load!({}),
    placeholderData: (before) => before,
  });
  // A deployment may limit answers to fewer rows than {@link longestWhole}.
  const isCut = whole.data !== undefined && !isWhole(whole.data);
  const { data, error, refetch } = isMore && !isCut ? whole : paged;
  return { data, error, refetch };
}

export function isWhole<Row>({ items, total }: Part<Row>): boolean {
  return items.length >= total;
}

/** A list with search, order, pages, empty state, and actions of a row. */
export function DataList<Row>(props: DataListProps<Row>) {
  const { what, queryKey, load, columns, keyOf, onOpen, actions, empty, csv, toolbar, searched, rows: given } = props;
  const [search, setSearch] = useKept(`search ${what}`, '', 'visit');
  const [sorting, setSorting] = useState<SortingState>([]);
  const [page, setPage] = useKept(`page ${what}`, 1, 'visit');
  // A new search or filter begins at the first page.
  const key = JSON.stringify(queryKey);
  const [before, setBefore] = useState(key);
  if (key !== before) {
    setBefore(key);
    setPage(1);
  }
  const list = useList<Row>({ queryKey, load }, page);
  const { error, refetch } = list;
  // Draw arriving rows with low priority, so that the browser stays responsive.
  const read = useDeferredValue(list.data);
  const data = given === undefined ? read : { items: given, total: given.length };
  const isAll = data !== undefined && isWhole(data);
  const isSearchedHere = isAll && searched === undefined && search !== '';

  const rows = data?.items as Row[] | undefined;
  const defined = useMemo(
    () => columns.map((column, index) => ({
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
    state: { sorting: isAll ? sorting : [], globalFilter: isAll ? search : '' },
    onSortingChange: setSorting,
    globalFilterFn: 'includesString',
  } as never) as unknown as { getRowModel: () => { rows: { original: Row }[] } };
  const found = table.getRowModel().rows;
  const shown = useMemo(() => found.map(({ original }) => original), [found]);

  if (error && rows === undefined) return <Failure error={error} what={`The list of ${what}`} retry={refetch} />;
  if (data === undefined) return <Waiting what={what} />;
  const pages = Math.ceil((data?.total ?? 0) / pageSize);
  return (
    <Card withBorder p={0} radius="md">
      {(rows!.length > 0 || toolbar || searched) && (
        <Group p="sm" justify="space-between" gap="sm">
          {searched || (isAll && (rows!.length > 7 || search !== '')) ? (
            <TextInput
              aria-label={`Search ${what}`}
              placeholder={`Search ${what}`}
              leftSection={<IconSearch size={16} />}
              value={searched?.text ?? search}
              onChange={({ currentTarget }) => (searched?.set ?? setSearch)(currentTarget.value)}
              w={{ base: '100%', xs: 260 }}
            />
          ) : <Text size="sm" c="dimmed">{count(data!.total, what)}</Text>}
          <Group gap="xs">
            {toolbar}
            {rows!.length > 0 && (
              <Button
                component="a"
                href={csv ?? '#'}
                download={csv === undefined ? `${what}.csv` : true}
                onClick={({ currentTarget }: MouseEvent<HTMLAnchorElement>) => {
                  if (csv !== undefined) return;
                  currentTarget.href = `data:text/csv,${encodeURIComponent(csvOfRows(columns, shown))}`;
                }}
                variant="default"
                size="compact-sm"
                leftSection={<IconDownload size={15} />}
              >
                {csv !== undefined && isSearchedHere ? 'CSV of the whole list' : 'CSV'}
              </Button>
            )}
          </Group>
        </Group>
      )}
      {error && <Box px="sm" pb="sm"><Failure error={error} what={`The list of ${what}`} /></Box>}
      {rows!.length === 0 ? empty : shown.length === 0 ? (
        <Text p="lg" c="dimmed" ta="center">Nothing fits “{search}”.</Text>
      ) : <Rows {...{ what, columns, keyOf, onOpen, actions, shown, sorting, setSorting, isWhole: isAll }} />}
      {!isAll && pages > 1 && (
        <Group p="sm" justify="space-between">
          <div>
            <Text size="sm" c="dimmed">{count(data!.total, what)}</Text>
            <Text size="xs" c="dimmed">Too long to be sorted here: this is the order of the platform.</Text>
          </div>
          <Pagination
            total={pages}
            value={page}
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

/** Returns the rows as CSV. A text that a spreadsheet would take for a formula gets a leading `'`. */
function csvOfRows<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ value }) => value(row) ?? ''))];
  const cell = (value: string | number | boolean) => {
    const text = typeof value === 'string' ? value.replace(/^[=+\-@\t\r]/, "'$&") : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}
