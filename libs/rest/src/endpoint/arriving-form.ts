import type { Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Fault, translate, unavailable } from '@platform/faults';
import { smallBody } from '@platform/limits';
import type busboy from 'busboy';
import type { Message } from '../json/decode-message.ts';
import { malformed } from '../json/parse-document.ts';
import { documentRoot, Problems } from '../json/problems.ts';
import { ArrivingTexts, hasBadBytes } from './arriving-texts.ts';
import { validation } from './decode-body.ts';
import type { FileField, FormFields } from './form-fields.ts';
import type { FormOptions, TakenForm } from './form-options.ts';

/** Maximum bytes of one file in a form. The maximum of the whole form is slightly higher (open-points 1.9). */
const largestFile = 10 * 1024 * 1024;
export const mostParts = 1_000;

export const incomplete = (): Fault => malformed('the body is not a complete multipart form');

interface FileInfo { readonly filename: string; readonly mimeType: string }

async function drained(content: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of content);
}

/** A multipart form that is read into a message as it arrives. */
export class ArrivingForm {
  /** Number of bytes of the form that count at present against the memory limit of the request's source. */
  held = 0;
  readonly #parser: busboy.Busboy;
  readonly #closed: Promise<void>;
  readonly #fields: FormFields;
  readonly #message: Message;
  readonly #options: FormOptions;
  readonly #texts: ArrivingTexts;
  readonly #problems = new Problems();
  readonly #enough = new AbortController();
  readonly #files: Promise<void>[] = [];
  readonly #given = new Set<FileField>();
  #fault: Fault | undefined;
  #answerNow: Fault | undefined;
  #parsed: (() => void) | undefined;

  constructor(parser: busboy.Busboy, fields: FormFields, message: Message, options: FormOptions) {
    this.#parser = parser;
    this.#fields = fields;
    this.#message = message;
    this.#options = options;
    this.#texts = new ArrivingTexts(options.limits.body);
    this.#closed = new Promise((resolve) => parser.once('close', resolve));
    parser.on('field', (name: string | undefined, text: string, info) => this.#takeField(name, text, info.mimeType));
    parser.on('file', (name: string | undefined, stream, info) => this.#takeFile(name, stream, info));
    parser.on('partsLimit', () => {
      this.#refuse(new Fault('BODY_TOO_LARGE', `a form may have up to ${mostParts} parts`));
    });
    parser.on('error', () => this.#refuse(incomplete()));
    for (const event of ['drain', 'close']) parser.on(event, () => this.#parsed?.());
  }

  /** Aborts if the rest of the form is not needed. */
  get enough(): AbortSignal {
    return this.#enough.signal;
  }

  /** Parses bytes. Returns a fault if memory is full, or a promise if the caller must wait before the next call. */
  take(bytes: Buffer): Promise<void> | Fault | undefined {
    const { memory, source } = this.#options;
    if (!memory.take(bytes.length, source)) return unavailable('memory for the body');
    this.held += bytes.length;
    if (this.#parser.write(bytes)) return undefined;
    return new Promise((resolve) => {
      this.#parsed = resolve;
    });
  }

  /** Waits for the body and its files, and completes the message. @throws CallerGone, after the memory is released */
  async end(passed: Promise<Fault | undefined>): Promise<Omit<TakenForm, 'held'>> {
    try {
      const stopped = await passed;
      if (stopped?.reason === 'BODY_TOO_LARGE') this.#refuse(stopped);
      else if (stopped) this.#answerNow ??= stopped;
      if (!stopped && !this.enough.aborted) {
        this.#parser.end();
        await this.#closed;
      }
    } catch (error) {
      this.#leave();
      await Promise.all(this.#files);
      this.#release(this.held);
      throw error;
    }
    const isCut = !this.#parser.writableFinished;
    if (isCut) this.#leave();
    await Promise.all(this.#files);
    if (this.#fault === undefined) {
      const { turns, source } = this.#options;
      const read = () => this.#fields.read(this.#texts.byName, this.#message, this.#problems);
      await (this.#texts.bytes > smallBody ? turns.run(source, read) : read());
    }
    return { fault: this.#fault ?? validation(this.#problems), answerNow: this.#answerNow, isCut };
  }

  /** Takes a part that has no file name, and whose type is not application/octet-stream. */
  #takeField(name: string | undefined, text: string, mimeType: string): void {
    const file = this.#fields.files.get(name ?? '');
    if (name === undefined || (file === undefined && !this.#fields.takesText(name))) return;
    const fault = this.#texts.count(text);
    if (fault) return this.#refuse(fault);
    this.#options.digest?.part(name, undefined, mimeType).update(text);
    if (file === undefined) return this.#texts.add(name, text);
    if (hasBadBytes(text)) {
      this.#problems.add(documentRoot, file.jsonName, 'needs a file name, or the type application/octet-stream');
    } else if (text !== '') {
      this.#start(this.#readFile(file, this.#bytesOf(Readable.from([Buffer.from(text)])), { filename: '', mimeType }));
    }
  }

  /** Takes a part with a file name, or of the type application/octet-stream. */
  #takeFile(name: string | undefined, stream: Readable, { filename = '', mimeType }: busboy.FileInfo): void {
    stream.on('error', () => undefined);
    const file = this.#fields.files.get(name ?? '');
    if (name === undefined || (file === undefined && !this.#fields.takesText(name))) {
      return void stream.on('data', ({ length }: Buffer) => this.#release(length));
    }
    const digest = this.#options.digest?.part(name, filename, mimeType);
    const bytes = this.#bytesOf(stream, digest);
    if (file !== undefined) return this.#start(this.#readFile(file, bytes, { filename, mimeType }));
    // A part with a file name can be a text: browsers give a file name to each `Blob`, even if it contains JSON.
    return this.#start(this.#texts.read(name, bytes));
  }

  async #readFile(field: FileField, pieces: AsyncGenerator<Buffer>, info: FileInfo): Promise<void> {
    const first = await pieces.next();
    if (first.done === true) {
      // If the user chose no file, browsers send an empty part with an empty file name.
      if (info.filename !== '') this.#problems.add(documentRoot, field.jsonName, 'is empty');
      return;
    }
    if (this.#given.has(field) && !field.isList) {
      this.#problems.add(documentRoot, field.jsonName, 'may be given once');
      return await drained(this.#passing(first.value, pieces));
    }
    this.#given.add(field);
    return await (field.isUploaded ? this.#upload : this.#keep).call(this, field, first.value, pieces, info);
  }

  #start(reading: Promise<void>): void {
    this.#files.push(reading.catch((error: unknown) => this.#stop(error)));
  }

  async #keep({ name, isList }: FileField, first: Buffer, rest: AsyncIterable<Buffer>, info: FileInfo): Promise<void> {
    const pieces = [first];
    for await (const bytes of rest) pieces.push(bytes);
    const file = { filename: info.filename, content_type: info.mimeType, content: Buffer.concat(pieces) };
    if (isList) ((this.#message[name] ??= []) as unknown[]).push(file);
    else this.#message[name] = file;
  }

  async #upload(
    { name }: FileField, first: Buffer, rest: AsyncIterable<Buffer>, { filename, mimeType: contentType }: FileInfo,
  ): Promise<void> {
    const { upload: send } = this.#options;
    const content = this.#passing(first, rest);
    if (send === undefined || this.#fault) return void (await drained(content));
    const { upload, size } = await send({ filename, contentType, content });
    this.#message[name] = { filename, content_type: contentType, size, upload };
  }

  /** Yields the bytes of a part. @throws Fault if the part is incomplete or too large */
  async *#bytesOf(stream: Readable, digest?: Hash): AsyncGenerator<Buffer, void, undefined> {
    let size = 0;
    try {
      for await (const bytes of stream as AsyncIterable<Buffer>) {
        size += bytes.length;
        if (size > largestFile) throw new Fault('BODY_TOO_LARGE', `a file may have up to ${largestFile} bytes`);
        digest?.update(bytes);
        yield bytes;
      }
    } catch (error) {
      const fault = error instanceof Fault ? error : incomplete();
      this.#refuse(fault);
      throw fault;
    }
  }

  /** Passes on the bytes of a file. Bytes that were passed on no longer count towards the memory limit. */
  async *#passing(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
    yield first;
    this.#release(first.length);
    for await (const bytes of rest) {
      yield bytes;
      this.#release(bytes.length);
    }
  }

  #release(bytes: number): void {
    const given = Math.min(bytes, this.held);
    this.held -= given;
    this.#options.memory.give(given, this.#options.source);
  }

  #refuse(fault: Fault): void {
    this.#fault ??= fault;
    this.#leave();
  }

  /** Stops reading, because a part could not be read or the service refused a file. */
  #stop(error: unknown): void {
    if (this.#fault === undefined) this.#answerNow ??= translate(error);
    this.#leave();
  }

  /** Stops reading. Destroying the parser also ends the stream of the current file, and so the upload of this file. */
  #leave(): void {
    this.#enough.abort();
    this.#parser.destroy();
  }
}
