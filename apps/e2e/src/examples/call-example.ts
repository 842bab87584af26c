import { documentPath } from '@platform/openapi';
import type { Example } from '@platform/proto/examples';
import { fieldRules, type Method } from '@platform/surface';
import type { HttpAnswer, HttpClient, HttpRequest } from '@platform/testing';
import sharp from 'sharp';
import { formBody } from '../orgs/form-body.ts';
import { asDocumented } from './as-documented.ts';
import type { Names } from './names.ts';

/** The callers that examples name, and the values of the other names. */
export interface Named {
  readonly as: Readonly<Record<'owner' | 'site admin' | 'nobody', HttpClient>>;
  /** Returns the actual value in this run for a name in the examples. */
  readonly meant: Names['meant'];
}

/** A request that an example shows. */
export interface ExampleRequest {
  readonly verb: string;
  readonly target: string;
  readonly options: HttpRequest;
}

/** The request of an example, with actual values in place of the names. */
export async function requestOf(method: Method, example: Example, meant: Names['meant']): Promise<ExampleRequest> {
  const { parameters = {}, body } = example;
  const verb = method.http!.verb;
  const value = (given: unknown) => encodeURIComponent(String(meant.get(given) ?? given));
  const path = documentPath(method);
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!));
  const hasSlashes = (name: string) => method.http!.template.includes(`{${name}=**}`);
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    return hasSlashes(name) ? value(parameters[name]).replaceAll('%2F', '/') : value(parameters[name]);
  });
  const inQuery = Object.entries(parameters).filter(([key]) => !inPath.has(key));
  const query = inQuery.map(([key, given]) => `${key}=${value(given)}`).join('&');
  const target = query === '' ? address : `${address}?${query}`;
  const headers = { ...ownOriginOf(method), ...cookiesOf(method) };
  if (body === undefined) return { verb, target, options: { headers } };
  const json = meantBy(meant, body);
  return { verb, target, options: method.rest.multipartOnly ? await form(method, json) : { json, headers } };
}

/** The public address of the platform in the examples. */
export const shownBaseUrl = 'https://platform.example.org';

/** Headers of calls that only pages of the platform may make. */
export function ownOriginOf({ rest }: Method): Readonly<Record<string, string>> {
  return rest.ownOrigin ? { origin: shownBaseUrl } : {};
}

/** The cookie of the browser in the examples. Mailed links of the examples work only in this browser. */
export const shownBrowser = 'f1abd670358e036c31296e66b3b66c382ac00812';

/** The cookies of the browser that makes the call. */
function cookiesOf({ input }: Method): Readonly<Record<string, string>> {
  const takesBrowser = input.fields.some((field) => fieldRules(field).cookie === 'browser');
  return takesBrowser ? { cookie: `__Host-browser=${shownBrowser}` } : {};
}

/** Makes the call of an example as the caller that the example names. @param more further headers */
export async function callExample(
  { as, meant }: Named, method: Method, example: Example, more: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> {
  const { verb, target, options } = await requestOf(method, example, meant);
  return as[example.as ?? 'owner'].send(verb, target, { ...options, headers: { ...options.headers, ...more } });
}

/** An answer in the form of the example; undefined if it is not JSON. */
export function shownAnswer({ meant }: Named, answer: HttpAnswer): unknown {
  return answer.header('content-type') === 'application/json' ? asDocumented(answer.json(), meant) : undefined;
}

/** Replaces the names in a body by their actual values. */
export function meantBy(meant: Names['meant'], body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (_, value: unknown) => meant.get(value) ?? value);
}

/** The body as a form, with a picture for each file. */
async function form(method: Method, body: unknown) {
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } }).png().toBuffer();
  return formBody(Object.entries(body as Record<string, string>).map(([name, content]) => {
    const { message } = method.input.fields.find(({ jsonName }) => jsonName === name)!;
    const isFile = message?.typeName === 'controlplane.File';
    return isFile ? { name, filename: 'picture.png', type: 'image/png', content: picture } : { name, content };
  }));
}
