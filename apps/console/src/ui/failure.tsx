import { Alert, Button, Code, CopyButton, Group, List, Stack, Text } from '@mantine/core';
import { ApiRefusal } from '@platform/client';
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react';
import { useState } from 'react';
import { isAway } from '../api/client.ts';

interface FailureProps {
  error: unknown;
  /**
   * Name of the data that could not be read; absent for a failed change. The console retries reads, but not changes.
   */
  what?: string;
  /** Called by the button `Try again`. It must not throw: a failure must appear in `error`. */
  retry?: () => unknown;
}

/** Whether the platform refused a change because the object has changed since it was read. */
export function isOvertaken(error: unknown): boolean {
  return error instanceof ApiRefusal && error.code === 'precondition_failed';
}

/** The message, code and request id of a refusal or failure, with a button that copies them. */
export function Failure({ error, what, retry }: FailureProps) {
  const away = isAway(error);
  const [isTrying, setTrying] = useState(false);
  const { message, code, requestId, violations } = facts(error);
  const tryAgain = async (act: () => unknown) => {
    setTrying(true);
    await act();
    setTrying(false);
  };
  const next = isOvertaken(error) ? 'Check what has changed, then make your change again.'
    : away && what !== undefined ? 'The console retries every few seconds.' : undefined;
  const copied = [message, code && `code: ${code}`, requestId && `request: ${requestId}`].filter(Boolean).join('\n');
  return (
    <Alert
      color={away ? 'orange' : 'red'}
      variant="light"
      role="alert"
      icon={away ? <IconPlugConnectedX /> : <IconAlertTriangle />}
      title={titleOf(error, what)}
    >
      <Stack gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {next === undefined || /[.!?…]$/.test(message) ? message : `${message}.`}
          {next !== undefined && ` ${next}`}
        </Text>
        {violations.length > 0 && (
          <List size="sm">
            {violations.map((one) => <List.Item key={one.path}><Code>{one.path}</Code> {one.message}</List.Item>)}
          </List>
        )}
        <Group gap="xs">
          {code !== '' && <Code>{code}</Code>}
          {requestId !== '' && <Text size="xs" c="var(--mantine-color-text)">Request {requestId}</Text>}
          <CopyButton value={copied}>
            {({ copied: done, copy }) => (
              <Button size="compact-xs" variant="default" onClick={copy}>{done ? 'Copied' : 'Copy details'}</Button>
            )}
          </CopyButton>
          {retry && (
            <Button size="compact-xs" variant="default" loading={isTrying} onClick={() => void tryAgain(retry)}>
              Try again
            </Button>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

function titleOf(error: unknown, what: string | undefined): string {
  if (isAway(error)) return `${what ?? 'This part'} cannot be reached now`;
  if (isOvertaken(error)) return 'It was changed meanwhile';
  return what === undefined ? 'That did not work' : `${what} could not be read`;
}

function facts(error: unknown) {
  if (error instanceof ApiRefusal) return error;
  const message = error instanceof Error ? error.message : String(error);
  return {
    message: isAway(error) ? 'The platform does not answer.' : message, code: '', requestId: '', violations: [],
  };
}
