import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ApiRefusal } from '@platform/client';
import { Fragment, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { queries } from '../api/client.ts';
import { done, useChange } from './act.tsx';
import { Failure, isOvertaken } from './failure.tsx';
import { blank, type Field, FieldInput, visible } from './field.tsx';
import { isBlank, type Values } from './values.ts';

/** The initial values, and the object to which they belong. Each object has its own draft. */
type Beginning =
  | { readonly initial: Values; readonly of: string | number }
  | { readonly initial?: undefined; readonly of?: string | number };

type FormDialogProps<R> = Beginning & {
  readonly title: string;
  readonly fields: readonly Field[];
  readonly verb: string;
  readonly about?: ReactNode;
  /** Revision of the object to which `initial` belongs. A draft keeps the revision with which it began. */
  readonly revision?: string | undefined;
  readonly act: (values: Values, revision: string | undefined) => Promise<R>;
  readonly after?: (result: R) => void;
  readonly said?: string;
  readonly onClose: () => void;
};

/** A form or a wizard. Typed values survive a reload and the end of the session, except secrets and files. */
export function FormDialog<R>({
  title, fields, initial = {}, of = '', revision, verb, about, act, after, said, onClose,
}: FormDialogProps<R>) {
  const draft = `draft ${location.pathname} ${title} ${of}`;
  const [kept] = useState(() => readDraft(draft));
  const [begun] = useState(kept ? kept.revision : revision);
  const steps = [...new Set(fields.flatMap((field) => field.step ?? []))];
  const [at, setAt] = useState(0);
  const isLast = at + 1 >= steps.length;
  const stepOf = ({ step }: Field) => (step === undefined ? 0 : steps.indexOf(step));
  const first = useRef<HTMLDivElement>(null);
  // Focus the first input of a step at once. A later change of the focus would split typed text between two inputs.
  useLayoutEffect(() => {
    if (steps.length > 0) first.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  }, [at]);
  const form = useForm<Values>({
    initialValues: { ...blank(fields), ...initial, ...kept?.values },
    validate: (values) => Object.fromEntries(
      visible(fields, values)
        .filter((field) => stepOf(field) <= at && field.required && isBlank(values[field.name]))
        .map(({ name, label }) => [name, `${label} is needed`]),
    ),
  });
  const change = useChange((values: Values) => act(values, begun), (result: R) => {
    sessionStorage.removeItem(draft);
    if (said) done(said);
    onClose();
    after?.(result);
  });
  useEffect(() => {
    if (!form.isDirty()) return;
    const typed = fields.filter(({ kind }) => kind !== 'secret' && kind !== 'file')
      .map(({ name }) => [name, form.values[name]]);
    const now: Draft = { values: Object.fromEntries(typed), revision: begun };
    sessionStorage.setItem(draft, JSON.stringify(now));
  }, [form.values]);
  // A click outside and the key Escape do not close a form with changes.
  const holdsText = form.isDirty() || kept !== undefined;
  const close = () => {
    sessionStorage.removeItem(draft);
    onClose();
  };
  const submit = form.onSubmit(
    (values) => {
      if (!isLast) return setAt(at + 1);
      change.mutate(values, {
        onError: (error) => {
          if (error instanceof ApiRefusal) {
            const errors = errorsOf(error, fields);
            form.setErrors(errors);
            const wrong = fields.filter(({ name }) => name in errors).map(stepOf);
            if (wrong.length > 0 && steps.length > 0) setAt(Math.min(...wrong));
          }
          // If the object has changed since it was read, read the data of the page again.
          if (isOvertaken(error)) void queries.invalidateQueries();
        },
      });
    },
    // Focus the first invalid field, so that a long form scrolls to it.
    (errors) => form.getInputNode(Object.keys(errors)[0]!)?.focus(),
  );
  return (
    <Modal
      opened
      onClose={close}
      title={title}
      size="lg"
      closeOnClickOutside={!holdsText}
      closeOnEscape={!holdsText}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={submit} noValidate aria-label={title}>
        <Stack>
          {about && <Text size="sm" c="dimmed" component="div">{about}</Text>}
          {steps.length > 0 && (
            <ol className="steps">
              {steps.map((step, index) => <li key={step} aria-current={index === at ? 'step' : undefined}>{step}</li>)}
            </ol>
          )}
          <Stack ref={first}>
            {visible(fields, form.values)
              .filter((field) => steps.length === 0 || stepOf(field) === at)
              .map((field, index) => (
                <Fragment key={field.name}>
                  <FieldInput
                    field={field}
                    isFirst={index === 0}
                    given={form.getInputProps(field.name, { type: field.kind === 'switch' ? 'checkbox' : 'input' })}
                  />
                  {Boolean(field.error) && <Failure error={field.error} what={`The choice of ${field.label}`} />}
                </Fragment>
              ))}
          </Stack>
          {change.error && <div ref={intoView}><Failure error={change.error} /></div>}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>Cancel</Button>
            {at > 0 && <Button variant="default" onClick={() => setAt(at - 1)}>Back</Button>}
            <Button type="submit" loading={change.isPending}>{isLast ? verb : 'Next'}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function intoView(node: HTMLElement | null): void {
  node?.scrollIntoView({ block: 'nearest' });
}

/** The values that the user typed into a form, and the revision of the object that the form changes, if any. */
interface Draft {
  readonly values: Values;
  readonly revision?: string | undefined;
}

function readDraft(key: string): Draft | undefined {
  const text = sessionStorage.getItem(key);
  return text === null ? undefined : (JSON.parse(text) as Draft);
}

/**
 * Returns the messages of violations by field: `emails.financeTeam[0]` belongs to `financeTeam`. Omits violations that
 * match no field.
 */
function errorsOf({ violations }: ApiRefusal, fields: readonly Field[]): Record<string, string> {
  return Object.fromEntries(violations.flatMap(({ path, message }) => {
    const words = path.split(/[.[\]]+/);
    const field =
      fields.find(({ name }) => name === path) ?? fields.find(({ name }) => words.includes(name.split('.').at(-1)!));
    return field === undefined ? [] : [[field.name, message]];
  }));
}
