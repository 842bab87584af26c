import { Text, Tooltip } from '@mantine/core';

/** A text of others: cut to the room that it has, the whole in a tooltip. Never anything but text. */
export function Short({ children, width = 320, mono = false }: { children: string; width?: number; mono?: boolean }) {
  return (
    <Tooltip label={children.slice(0, 600)} multiline maw={480} disabled={children.length < 24} openDelay={400}>
      <Text
        span
        inherit
        truncate="end"
        maw={`min(${width}px, 72vw)`}
        ff={mono ? 'monospace' : undefined}
        fz={mono ? '0.92em' : undefined}
        display="inline-block"
        style={{ verticalAlign: 'bottom' }}
        dir="auto"
      >
        {children}
      </Text>
    </Tooltip>
  );
}
