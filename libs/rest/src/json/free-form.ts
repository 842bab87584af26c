import { InexactNumber } from './exact-number.ts';
import { Place, type Problems } from './problems.ts';

/** A free-form JSON value, as the wire codec represents a `google.protobuf.Value`. */
interface WireValue {
  null_value?: number;
  number_value?: number;
  string_value?: string;
  bool_value?: boolean;
  struct_value?: WireStruct;
  list_value?: WireList;
}
interface WireStruct {
  /** The wire codec is built from descriptors, so it represents maps as lists of entries. */
  fields?: { key?: string; value?: WireValue }[];
}
interface WireList {
  values?: WireValue[];
}

type Step = string | number;

export function decodeValue(json: unknown, up: Place, step: Step, problems: Problems): WireValue | undefined {
  if (typeof json === 'string') return { string_value: json };
  if (typeof json === 'boolean') return { bool_value: json };
  if (typeof json === 'number') return { number_value: json };
  if (json === null) return { null_value: 0 };
  if (json instanceof InexactNumber) {
    return problems.add(up, step, 'is a number that a double cannot represent; send it as a string');
  }
  if (Array.isArray(json)) {
    const list = decodeList(json, up, step, problems);
    return list && { list_value: list };
  }
  return { struct_value: decodeStruct(json, up, step, problems) ?? {} };
}

export function decodeStruct(json: unknown, up: Place, step: Step, problems: Problems): WireStruct | undefined {
  if (!isObject(json)) return problems.add(up, step, 'must be an object');
  const at = new Place(up, step);
  const fields: WireStruct['fields'] = [];
  for (const key of Object.keys(json)) {
    const value = decodeValue(json[key], at, key, problems);
    if (value !== undefined) fields.push({ key, value });
  }
  return { fields };
}

export function decodeList(json: unknown, up: Place, step: Step, problems: Problems): WireList | undefined {
  if (!Array.isArray(json)) return problems.add(up, step, 'must be a list');
  const at = new Place(up, step);
  const values = json.map((item, index) => decodeValue(item, at, index, problems));
  return { values: values.filter((value) => value !== undefined) };
}

export function encodeValue(value: WireValue): unknown {
  // A decoded value inherits a default for each field from its prototype. Fields that are set are properties of the
  // value itself.
  if (Object.hasOwn(value, 'string_value')) return value.string_value;
  if (Object.hasOwn(value, 'number_value')) return value.number_value;
  if (Object.hasOwn(value, 'bool_value')) return value.bool_value;
  if (Object.hasOwn(value, 'struct_value')) return encodeStruct(value.struct_value!);
  if (Object.hasOwn(value, 'list_value')) return encodeList(value.list_value!);
  return null;
}

export function encodeStruct({ fields }: WireStruct): Record<string, unknown> {
  // The object has no prototype, so that `__proto__` is an ordinary key.
  const json = Object.create(null) as Record<string, unknown>;
  for (const { key, value } of fields ?? []) json[key ?? ''] = value ? encodeValue(value) : null;
  return json;
}

export function encodeList({ values }: WireList): unknown[] {
  return (values ?? []).map(encodeValue);
}

/** Whether a value is a JSON object. An {@link InexactNumber} is not. */
export function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof InexactNumber);
}
