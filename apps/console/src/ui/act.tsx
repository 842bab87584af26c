import { Button, Code, Group, Modal, Stack, Text, TextInput, CopyButton, Alert } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { IconCheck, IconEyeOff } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { queries } from '../api/client.ts';
import { Failure } from './failure.tsx';

export function done(message: string): void {
  notifications.show({ message, color: 'green', icon: <IconCheck size={18} /> });
}

/** Makes a change. After a success, everything on the screen is read again. */
export function useChange<V, R>(act: (value: V) => Promise<R>, after?: (result: R, value: V) => void) {
  return useMutation({
    mutationFn: act,
    onSuccess: async (result, value) => {
      after?.(result, value);
      await queries.invalidateQueries();
    },
  });
}

interface ConfirmProps {
  title: string;
  children: ReactNode;
  /** Text of the button, such as `Delete`. */
  verb: string;
  /** A text that the person must type first, for an action that cannot be undone. */
  typed?: string;
  act: () => Promise<unknown>;
  onClose: () => void;
  said?: string;
}

/** Asks the person to confirm an action. Shows a refusal in the same dialog. */
export function Confirm({ title, children, verb, typed, act, onClose, said }: ConfirmProps) {
  const [text, setText] = useState('');
  const change = useChange(act, () => {
    if (said) done(said);
    onClose();
  });
  return (
    <Modal opened onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>{children}</Text>
        {typed !== undefined && (
          <TextInput
            label={<>Type <Code style={{ overflowWrap: 'anywhere' }}>{typed}</Code> to go on</>}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            data-autofocus
          />
        )}
        {change.error && <Failure error={change.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>Cancel</Button>
          <Button
            color="red"
            loading={change.isPending}
            disabled={typed !== undefined && text !== typed}
            onClick={() => change.mutate(undefined)}
          >
            {verb}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface SecretDialogProps {
  title: string;
  secret: string;
  /** Name of the file to download. */
  file?: string;
  /** Whether the secret can be shown again. */
  isKept?: boolean;
  onClose: () => void;
}

/** Shows a secret with a button to copy it. If `file` is set, a second button downloads the secret. */
export function SecretDialog({ title, secret, file, isKept = false, onClose }: SecretDialogProps) {
  const [address] = useState(() => URL.createObjectURL(new Blob([secret])));
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      centered
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        {!isKept && (
          <Alert color="yellow" variant="light" icon={<IconEyeOff />}>
            It is shown only now. Keep it in a safe place.
          </Alert>
        )}
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap', maxHeight: 320 }}>{secret}</Code>
        <Group justify="flex-end">
          <CopyButton value={secret}>
            {({ copied, copy }) => <Button onClick={copy}>{copied ? 'Copied' : 'Copy'}</Button>}
          </CopyButton>
          {file !== undefined && (
            <Button component="a" href={address} download={file} variant="default">Download</Button>
          )}
          <Button variant="default" onClick={onClose}>{isKept ? 'Close' : 'I have kept it'}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
