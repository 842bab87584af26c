import { documentPath } from '@platform/openapi';
import type { Example } from '@platform/proto/examples';
import type { Method } from '@platform/surface';
import type { HttpAnswer } from '@platform/testing';
import sharp from 'sharp';
import { formBody } from '../orgs/form-body.ts';
import { asDocumented } from './as-documented.ts';
import type { ExampleWorld } from './example-world.ts';

type Named = Pick<ExampleWorld, 'as' | 'meant'>;

/** Makes the call of an example, with what its names stand for in this run. */
export async function callExample(world: Named, method: Method, example: Example): Promise<HttpAnswer> {
  const { as = 'owner', parameters = {}, body } = example;
  const { http, rest } = method;
  const value = (given: unknown) => encodeURIComponent(String(world.meant.get(given) ?? given));
  const path = documentPath(method);
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!));
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => value(parameters[name]));
  const query = Object.entries(parameters).filter(([key]) => !inPath.has(key));
  const target = `${address}?${query.map(([key, given]) => `${key}=${value(given)}`).join('&')}`;
  const json = body === undefined ? undefined : meantIn(world, body);
  const payload = rest.multipartOnly ? await form(method, body) : { json };
  return world.as[as].send(http!.verb, target, payload);
}

/** What was answered, as the example shows it; undefined for what is no JSON. */
export function shownAnswer({ meant }: Named, answer: HttpAnswer): unknown {
  return answer.header('content-type') === 'application/json' ? asDocumented(answer.json(), meant) : undefined;
}

/** The body with the ids of this run. */
function meantIn({ meant }: Named, body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (_, value: unknown) => meant.get(value) ?? value);
}

/** The body as a form, a picture for each file. */
async function form(method: Method, body: unknown) {
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } }).png().toBuffer();
  const parts = Object.entries(body as Record<string, string>).map(([name, content]) => {
    const isFile = method.input.fields.find(({ jsonName }) => jsonName === name)!.message?.typeName === 'platform.File';
    return isFile ? { name, filename: 'picture.png', type: 'image/png', content: picture } : { name, content };
  });
  return formBody(parts);
}
