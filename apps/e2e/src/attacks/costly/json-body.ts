import type { DescField, DescMessage } from '@platform/surface';
import { jsonFilling } from './json-filling.ts';
import { choice, type Shape } from './shape.ts';

/**
 * The body of an example with the filling of a shape: in its place, in an unknown field, or in a field of the body or
 * of an object in it.
 * @param type of the body; undefined if it is not an object
 * @param chooser chooses the place
 */
export function jsonBody(type: DescMessage | undefined, example: unknown, shape: Shape, chooser = shape.place): string {
  const filling = () => jsonFilling(shape, itemsOf(type, example));
  if (!type || Array.isArray(example)) return filling();
  const given = Object.entries((example ?? {}) as Record<string, unknown>);
  const object = (beside: string, value: string): string => {
    const others = given.filter(([name]) => name !== beside).map(([name, one]) => member(name, JSON.stringify(one)));
    return `{${[...others, member(beside, value)].join(',')}}`;
  };
  const places: readonly (DescField | 'whole' | 'unknown')[] = ['whole', 'unknown', ...type.fields, ...type.fields];
  const { item: place, rest } = choice(places, chooser);
  if (place === 'whole') return filling();
  if (place === 'unknown') return object('unknown', filling());
  const value = given.find(([name]) => name === place.jsonName)?.[1];
  const inner = place.fieldKind === 'message' ? place.message : undefined;
  return object(place.jsonName, jsonBody(inner, value, shape, rest));
}

const member = (name: string, value: string) => `${JSON.stringify(name)}:${value}`;

/** JSON values for a list in this place: items of the example, or the example. */
function itemsOf(type: DescMessage | undefined, example: unknown): string[] {
  const items = Array.isArray(example) ? example.slice(0, 3) : [example];
  const empty = type === undefined ? [] : [`{${type.fields.map(({ jsonName }) => `"${jsonName}":null`).join(',')}}`];
  return [...items.filter((item) => item !== undefined).map((item) => JSON.stringify(item)), ...empty];
}
