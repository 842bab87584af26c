import { create, type DescMessage, type DescMethod, getExtension, getOption, hasExtension } from '@bufbuild/protobuf';
import type { GenExtension } from '@bufbuild/protobuf/codegenv2';
import type { MethodOptions } from '@bufbuild/protobuf/wkt';
import { http as httpOption } from '@platform/proto/options/google/api/annotations';
import type { HttpRule } from '@platform/proto/options/google/api/http';
import type { Access, Each, Faults, Rest } from '@platform/proto/options/controlplane/options';
import { AccessSchema, Answer, FaultsSchema, RestSchema } from '@platform/proto/options/controlplane/options';
import * as options from '@platform/proto/options/controlplane/options';
import { completeAccess, hasStance } from './access-rule.ts';

/**
 * The options of a method, merged with the options of its service. Some values follow from the route, the request and
 * the response.
 */
interface MethodSettings {
  http: HttpRule | undefined;
  rest: Rest;
  /** Undefined if neither the method nor its service has a rule. */
  access: Access | undefined;
  faults: Faults;
  repeatable: boolean;
}

/**
 * @param common the option `controlplane.each` of the service of the method
 * @throws Error if the service has an access rule other than `internal`, and the rule of the method itself has neither
 *   a check nor a stance (see {@link hasStance})
 */
export function readSettings(method: DescMethod, common: Each): MethodSettings {
  const http = optional(method, httpOption);
  const { reasons, ...faults } = getOption(method, options.faults);
  return {
    http,
    rest: readRest(method, common, http !== undefined),
    access: readAccess(method, common),
    faults: create(FaultsSchema, { ...faults, reasons: [...new Set([...common.reasons, ...reasons])] }),
    repeatable: optional(method, options.repeatable) ?? http?.pattern.case === 'get',
  };
}

function readRest(method: DescMethod, common: Each, isBound: boolean): Rest {
  const rest = create(RestSchema, optional(method, options.rest));
  rest.gate ||= common.gate;
  if (!isBound) return rest;
  rest.paged = has(method.input, 'page', 'after') && has(method.output, 'total', 'next');
  if (method.output.fields.length === 0) rest.answer = Answer.EMPTY;
  return rest;
}

function has({ fields }: DescMessage, ...names: string[]): boolean {
  return names.every((name) => fields.some((field) => field.name === name));
}

function readAccess(method: DescMethod, { access: common }: Each): Access | undefined {
  const own = optional(method, options.access);
  if (common && !hasStance(own) && !common.internal && (own?.check ?? '') === '') {
    throw new Error(
      `${method.parent.typeName}.${method.name}: controlplane.access needs a check, or one of internal, anonymous, `
      + 'public, token, member',
    );
  }
  return completeAccess(AccessSchema, common, own);
}

/** The value of an option, or undefined where the method does not set it. */
function optional<T>(method: DescMethod, extension: GenExtension<MethodOptions, T>): T | undefined {
  const set = method.proto.options;
  return set && hasExtension(set, extension) ? getExtension(set, extension) : undefined;
}
