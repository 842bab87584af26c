import { ActionIcon, Menu, Table, Text, UnstyledButton } from '@mantine/core';
import type { SortingState } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { IconArrowDown, IconArrowUp, IconDots } from '@tabler/icons-react';
import { memo, type ReactNode, useRef } from 'react';

const rowHeight = 44;
/** If a list has more rows than this, only the rows in or near the view are drawn. */
const drawnAtOnce = 100;

export interface Column<Row> {
  readonly title: string;
  /** The value for sorting, searching, and CSV that the console makes. Cells show it if there is no `shown`. */
  readonly value: (row: Row) => string | number | boolean | undefined;
  readonly shown?: (row: Row) => ReactNode;
  readonly numeric?: boolean;
  /** Hidden on narrow screens. */
  readonly minor?: boolean;
}

export interface RowAction {
  readonly title: string;
  readonly act: () => void;
  readonly color?: string;
}

interface RowsProps<Row> {
  what: string;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string | number;
  onOpen?: ((row: Row) => void) | undefined;
  actions?: ((row: Row) => readonly (RowAction | false | undefined)[]) | undefined;
  shown: readonly Row[];
  sorting: SortingState;
  setSorting: (sorting: SortingState) => void;
  isWhole: boolean;
}

/** The table of a list. The person can sort its rows only if the whole list is loaded (`isWhole`). */
export function Rows<Row>({
  what, columns, keyOf, onOpen, actions, shown, sorting, setSorting, isWhole,
}: RowsProps<Row>) {
  const frame = useRef<HTMLDivElement>(null);
  const many = shown.length > drawnAtOnce;
  const virtual = useVirtualizer({
    count: many ? shown.length : 0,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const drawn = many ? items.map(({ index }) => shown[index]!) : shown;
  const before = many ? (items[0]?.start ?? 0) : 0;
  const after = many ? virtual.getTotalSize() - (items.at(-1)?.end ?? 0) : 0;
  const [order] = sorting;

  return (
    <div ref={frame} className="rows" data-many={many || undefined} tabIndex={0} role="region" aria-label={what}>
      <Table highlightOnHover={onOpen !== undefined} stickyHeader={many} verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ title, numeric, minor }, index) => {
              const direction = order?.id === String(index) ? (order.desc ? 'descending' : 'ascending') : undefined;
              const turn = () =>
                setSorting(direction === 'descending' ? [] : [{ id: String(index), desc: direction === 'ascending' }]);
              return (
                <Table.Th
                  key={title}
                  ta={numeric ? 'right' : undefined}
                  visibleFrom={minor ? 'sm' : undefined}
                  aria-sort={direction}
                  scope="col"
                >
                  {isWhole && shown.length > 1 ? (
                    <UnstyledButton onClick={turn} fz="sm" fw={600} c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                      {title}{' '}
                      {direction &&
                        (direction === 'ascending' ? <IconArrowUp size={13} /> : <IconArrowDown size={13} />)}
                    </UnstyledButton>
                  ) : <Text span fz="sm" fw={600} c="dimmed">{title}</Text>}
                </Table.Th>
              );
            })}
            {actions && <Table.Th w={48} aria-label="Actions" />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {before > 0 && <tr aria-hidden style={{ height: before }} />}
          {drawn.map((row) => <OneRow key={keyOf(row)} {...{ row, columns, onOpen, actions }} />)}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </Table.Tbody>
      </Table>
    </div>
  );
}

type OneRowProps<Row> = Pick<RowsProps<Row>, 'columns' | 'onOpen' | 'actions'> & { row: Row };

/** One row. While a long list is scrolled, rows that stay in view are not redrawn. */
const OneRow = memo(DrawnRow) as typeof DrawnRow;

function DrawnRow<Row>({ row, columns, onOpen, actions }: OneRowProps<Row>) {
  return (
    <Table.Tr onClick={onOpen && (() => onOpen(row))} style={onOpen && { cursor: 'pointer' }}>
      {columns.map(({ title, value, shown: show, numeric, minor }, index) => {
        const content = show ? show(row) : String(value(row) ?? '–') || '–';
        return (
          <Table.Td
            key={title}
            ta={numeric ? 'right' : undefined}
            visibleFrom={minor ? 'sm' : undefined}
            style={numeric ? { fontVariantNumeric: 'tabular-nums' } : undefined}
          >
            {index === 0 && onOpen ? (
              <UnstyledButton
                fz="sm"
                fw={550}
                className="opens"
                onClick={(event) => {
                  event.stopPropagation();
                  onOpen(row);
                }}
              >
                {content}
              </UnstyledButton>
            ) : content}
          </Table.Td>
        );
      })}
      {actions && <Table.Td onClick={(event) => event.stopPropagation()}><Actions of={actions(row)} /></Table.Td>}
    </Table.Tr>
  );
}

function Actions({ of }: { of: readonly (RowAction | false | undefined)[] }) {
  const offered = of.filter((one) => one !== undefined && one !== false);
  if (offered.length === 0) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="Actions"><IconDots size={18} /></ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {offered.map(({ title, act, color }) => <Menu.Item key={title} color={color} onClick={act}>{title}</Menu.Item>)}
      </Menu.Dropdown>
    </Menu>
  );
}
