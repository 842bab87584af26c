import type { UnaryMethod } from '@platform/rpc';
import { type DescMessage, type Method, parseTemplate } from '@platform/surface';
import type { Message, MessageDecoders } from '../json/decode-message.ts';
import type { MessageEncoders } from '../json/encode-message.ts';
import type { WireCodec } from '../wire-codec.ts';
import { type AnswerRule, compileAnswer } from './answer.ts';
import { type BodyRule, compileBody } from './body.ts';
import { compileDeprecation } from './deprecation.ts';
import { compileParameters, type Parameters } from './parameters.ts';

/** A bound method, compiled: all that a request to it needs, without a look at a descriptor. */
export interface Endpoint {
  readonly method: Method;
  /** Label of logs and metrics. */
  readonly route: string;
  /** The gRPC call: messages as the JSON codec has them. */
  readonly call: UnaryMethod<Message, Message>;
  readonly parameters: Parameters;
  readonly body: BodyRule | undefined;
  readonly answer: AnswerRule;
  readonly deprecation: ReturnType<typeof compileDeprecation>;
  /** Whether credentials are looked at (open-points 1.3). */
  readonly ignoresCaller: boolean;
  /** Whether there is nothing here for a caller without a token. */
  readonly needsToken: boolean;
}

/** The codecs endpoints share. */
export interface Codecs {
  readonly decoders: MessageDecoders;
  readonly encoders: MessageEncoders;
  readonly wire: (type: DescMessage) => WireCodec;
}

/** Compiles a bound method. Throws at start for everything the gateway could not serve. */
export function compileEndpoint(method: Method, { decoders, encoders, wire }: Codecs): Endpoint {
  const { http, path, repeatable, input, output, access } = method;
  if (!http) throw new Error(`${method.fullName} is not bound to REST`);
  const parameters = compileParameters(method);
  const request = wire(input);
  const response = wire(output);
  return {
    method,
    route: parseTemplate(http.template).text,
    call: { path, repeatable, requestSerialize: request.encode, responseDeserialize: response.decode },
    parameters,
    body: compileBody(method, decoders, parameters.pathFields),
    answer: compileAnswer(method, encoders),
    deprecation: compileDeprecation(method),
    ignoresCaller: access.who === 'anonymous',
    needsToken: access.who === 'token' || access.who === 'member',
  };
}
