import { isDeepStrictEqual } from 'node:util';
import type { UnaryMethod } from '@platform/rpc';
import { fieldsOfAccess, type Method, type Surface } from '@platform/surface';
import type { Message } from '../json/decode-message.ts';
import type { Codecs } from '../wire-codec.ts';
import type { ArrivingFile } from './form-options.ts';

/** The method that receives the files of a form (`controlplane.Rest.upload`). */
export interface UploadMethod {
  readonly call: UnaryMethod<Message, Message>;
  /** Yields the requests that send a file. The first request has the fields that the access rule needs. */
  requests(message: Message, file: ArrivingFile): AsyncGenerator<Message, void, undefined>;
  read(response: Message): { upload: string; size: number };
}

/**
 * Compiles the upload method that the options of `method` name ({@link UploadMethod}). Returns undefined if the options
 * name no upload method.
 * @throws Error if the upload method does not fit the method, for example if it has another access rule or gate
 */
export function compileUpload(
  method: Method, { methods }: Surface, { wire, encoders }: Codecs,
): UploadMethod | undefined {
  const { rest, access, fullName, service } = method;
  if (rest.upload === '') return undefined;
  const wrong = (why: string) => new Error(`${fullName}: its upload method ${rest.upload} ${why}`);
  const target = methods.find((candidate) => candidate.service === service && candidate.name === rest.upload);
  if (!target) throw wrong(`is not in ${service}`);
  if (target.kind !== 'client_streaming') throw wrong('does not stream its requests');
  if (!isDeepStrictEqual(access, target.access)) throw wrong('has another access rule');
  if (rest.gate !== target.rest.gate) throw wrong('has another gate');
  const fieldOf = (fields: Method['input']['fields'], name: string) => {
    const field = fields.find((candidate) => candidate.name === name);
    if (!field) throw wrong(`lacks the field ${name}`);
    return field;
  };
  for (const name of ['filename', 'content_type', 'chunk']) fieldOf(target.input.fields, name);
  fieldOf(target.output.fields, 'upload');
  const sizeOf = encoders.fieldOf(fieldOf(target.output.fields, 'size'));
  const needed = fieldsOfAccess(access);
  const shared = method.input.fields.filter(({ localName }) => needed.has(localName)).map(({ name }) => name);

  return {
    call: {
      path: target.path, repeatable: false,
      requestSerialize: wire(target.input).encode, responseDeserialize: wire(target.output).decode,
    },
    async *requests(message, { filename, contentType, content }) {
      const forAccess = Object.fromEntries(shared.flatMap((name) => (name in message ? [[name, message[name]]] : [])));
      yield { ...forAccess, filename, content_type: contentType };
      for await (const chunk of content) yield { chunk };
    },
    read: (response) => ({ upload: String(response['upload'] ?? ''), size: Number(sizeOf(response)) }),
  };
}
