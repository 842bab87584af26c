import type { UnaryMethod } from '@platform/rpc';
import { type Method, parseTemplate, type Surface } from '@platform/surface';
import { compileCsv, type CsvRule } from '../csv/csv-rule.ts';
import type { Message } from '../json/decode-message.ts';
import type { Codecs } from '../wire-codec.ts';
import { type AnswerRule, compileAnswer } from './answer.ts';
import { type BodyRule, compileBody } from './body.ts';
import { compileConditionalHeaders, type ReadConditionalHeaders } from './conditional-headers.ts';
import { compileDeprecation } from './deprecation.ts';
import { compileHeaders, type ReadHeaders } from './from-headers.ts';
import { compileParameters, type Parameters } from './parameters.ts';
import { compileUpload, type UploadMethod } from './upload.ts';

/** A method with a REST binding. It is compiled at start, so that no request needs descriptors. */
export interface Endpoint {
  readonly method: Method;
  /** Label of the route in logs and metrics. */
  readonly route: string;
  /** The gRPC method. Its messages are the plain objects of the wire codec. */
  readonly call: UnaryMethod<Message, Message>;
  readonly parameters: Parameters;
  readonly readHeaders: ReadHeaders | undefined;
  readonly body: BodyRule | undefined;
  readonly readConditionalHeaders: ReadConditionalHeaders;
  readonly upload: UploadMethod | undefined;
  readonly answer: AnswerRule;
  readonly csv: CsvRule | undefined;
  readonly isStreamed: boolean;
  readonly deprecation: ReturnType<typeof compileDeprecation>;
  /** Time limit of a request that does not ask for CSV, in milliseconds. If undefined, the server's limit applies. */
  readonly timeLimitMs: number | undefined;
  /** Whether a session cookie is accepted (open-points 18.3). */
  readonly takesSession: boolean;
}

/** Compiles a method with a REST binding. @throws Error for a method that cannot be served */
export function compileEndpoint(method: Method, surface: Surface, codecs: Codecs): Endpoint {
  const { decoders, encoders, wire } = codecs;
  const { http, rest, path, repeatable, input, output } = method;
  if (!http) throw new Error(`${method.fullName} is not bound to REST`);
  const parameters = compileParameters(method);
  return {
    method,
    route: parseTemplate(http.template).text,
    call: { path, repeatable, requestSerialize: wire(input).encode, responseDeserialize: wire(output).decode },
    parameters,
    readHeaders: compileHeaders(method),
    body: compileBody(method, decoders, parameters.pathFields),
    readConditionalHeaders: compileConditionalHeaders(method),
    upload: compileUpload(method, surface, codecs),
    answer: compileAnswer(method, encoders),
    csv: compileCsv(method, surface, encoders),
    isStreamed: method.kind === 'server_streaming',
    deprecation: compileDeprecation(method),
    timeLimitMs: rest.timeLimitSeconds > 0 ? rest.timeLimitSeconds * 1000 : undefined,
    takesSession: /^\/(?:api\/v1|auth)\//.test(http.template),
  };
}
