import {
  FileInput, JsonInput, MultiSelect, NumberInput, PasswordInput, Select, Switch, TagsInput, Textarea, TextInput,
} from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';
import { PersonSelect } from './person-select.tsx';
import type { Values } from './values.ts';

/** One input of a form. */
export interface Field {
  /** Name of the value in {@link Values}. The form also finds the field of a violation by this name. */
  readonly name: string;
  readonly label: string;
  readonly kind?: 'text' | 'email' | 'secret' | 'long' | 'json' | 'number' | 'switch' | 'select' | 'many' | 'tags'
    | 'moment' | 'file' | 'person';
  readonly required?: boolean;
  readonly about?: ReactNode;
  readonly options?: readonly (string | { value: string; label: string })[];
  /** Why the options could not be read. */
  readonly error?: unknown;
  readonly unit?: string;
  readonly least?: number;
  readonly placeholder?: string;
  /** Returns whether the field is shown; default: shown. */
  readonly when?: (values: Values) => boolean;
  readonly accept?: string;
  /** In a wizard: title of the step that shows the field. In other forms, no field has a step. */
  readonly step?: string;
}

/** Maximum number of options that are drawn. A search finds further options. */
const mostOptions = 100;

/** Kinds of fields without `data-autofocus`. With focus, their options would open and cover the fields below. */
const opening: readonly Field['kind'][] = ['select', 'many', 'tags', 'person'];

interface FieldInputProps {
  readonly field: Field;
  /** The value and the event handlers, which the form provides. */
  readonly given: object;
  /** Whether the field is the first of the fields that are shown. */
  readonly isFirst: boolean;
}

/** The input for a field, according to the kind of the field. */
export function FieldInput({ field, given, isFirst }: FieldInputProps) {
  const { name, label, kind = 'text', required, about, unit, least, placeholder, accept } = field;
  const options = field.options as { value: string; label: string }[] | undefined;
  const shared = {
    ...given, name, label, description: about, placeholder, withAsterisk: required,
    'data-autofocus': (isFirst && !opening.includes(kind)) || undefined,
  } as object;
  switch (kind) {
    case 'long':
      return <Textarea {...shared} autosize minRows={3} maxRows={16} />;
    case 'json':
      return (
        <JsonInput
          {...shared} autosize minRows={5} maxRows={20} formatOnBlur
          validationError="This is not JSON" styles={{ input: { fontFamily: 'monospace' } }}
        />
      );
    case 'number':
      return <NumberInput {...shared} min={least} suffix={unit && ` ${unit}`} thousandSeparator=" " />;
    case 'switch':
      return <Switch {...shared} />;
    case 'select':
      return (
        <Select
          {...shared} data={options} limit={mostOptions} searchable allowDeselect={!required}
          comboboxProps={{ withinPortal: true }}
        />
      );
    case 'many':
      return <MultiSelect {...shared} data={options} limit={mostOptions} searchable clearable />;
    case 'tags':
      return (
        <TagsInput
          {...shared}
          data={(field.options as string[] | undefined) ?? []}
          splitChars={[',', ' ', '\n']}
          clearable
          // Enter adds a tag. It must not submit the form.
          wrapperProps={{ onKeyDown: (event: KeyboardEvent) => event.key === 'Enter' && event.preventDefault() }}
        />
      );
    case 'moment':
      return <TextInput {...shared} type="datetime-local" />;
    case 'file':
      return <FileInput {...shared} accept={accept} clearable />;
    case 'secret':
      return <PasswordInput {...shared} autoComplete="off" visibilityToggleButtonProps={{ 'aria-label': 'Show it' }} />;
    case 'person':
      return <PersonSelect {...shared} />;
    case 'email':
      return <TextInput {...shared} type="email" />;
    default:
      return <TextInput {...shared} />;
  }
}

export function visible(fields: readonly Field[], values: Values): readonly Field[] {
  return fields.filter(({ when }) => when?.(values) ?? true);
}

/** Values of an empty form. */
export function blank(fields: readonly Field[]): Values {
  return Object.fromEntries(fields.map(({ name, kind }) => [name, blankOf(kind)]));
}

function blankOf(kind: Field['kind']): unknown {
  if (kind === 'switch') return false;
  if (kind === 'many' || kind === 'tags') return [];
  return kind === 'file' || kind === 'select' || kind === 'person' ? null : '';
}
