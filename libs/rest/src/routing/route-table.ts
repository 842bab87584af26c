import { percentDecode, percentDecodeRest } from '@platform/http';
import { type HttpBinding, parseTemplate, splitPath } from '@platform/surface';

type Verb = HttpBinding['verb'];

export interface RouteDeclaration<Target> {
  readonly verb: Verb;
  /** For example, `/api/v1/orgs/{orgname}`. */
  readonly template: string;
  /**
   * Whether this deployment has the route. If not, the fixed segments of the route still take precedence over
   * parameters of other routes (open-points 1.2).
   */
  readonly registered: boolean;
  readonly target: Target;
}

export interface Hit<Target> {
  readonly target: Target;
  /** The decoded value of each field in the template; undefined for a value that cannot be decoded. */
  readonly parameters: readonly (readonly [field: string, text: string | undefined])[];
}

export interface Match<Target> {
  /** Returns the route of the verb, or undefined if the path has none. HEAD uses the route of GET. */
  hit(verb: string): Hit<Target> | undefined;
  readonly allow: string;
}

interface End<Target> {
  readonly registered: boolean;
  readonly target: Target;
  readonly places: readonly { field: string; index: number; rest: boolean }[];
}

type Ends<Target> = Map<Verb, End<Target>>;

interface Node<Target> {
  readonly fixed: Map<string, Node<Target>>;
  parameter: Node<Target> | undefined;
  readonly ends: Ends<Target>;
  /** Routes that match the whole rest of the path. */
  readonly rest: Ends<Target>;
}

const verbOrder: readonly Verb[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * All routes in one tree, matched as in open-points 1.2. Paths are case-sensitive, and a trailing slash is ignored. A
 * fixed segment takes precedence over a parameter.
 */
export class RouteTable<Target> {
  readonly #root: Node<Target> = newNode();

  constructor(declarations: readonly RouteDeclaration<Target>[]) {
    for (const declaration of declarations) this.#add(declaration);
  }

  /** The routes at a path (without query); undefined if this deployment has no route there. */
  match(path: string): Match<Target> | undefined {
    // `*` and `host:port` are valid targets of HTTP requests, but not paths.
    if (!path.startsWith('/')) return undefined;
    const raw = splitPath(path);
    const segments = raw.map(percentDecode);
    const found: Ends<Target>[] = [];
    find(this.#root, segments, 0, found);
    const verbs = verbOrder.filter((verb) => found.some((ends) => ends.get(verb)?.registered));
    if (verbs.length === 0) return undefined;
    return {
      hit: (verb) => {
        const wanted = (verb === 'HEAD' ? 'GET' : verb) as Verb;
        const end = found.map((ends) => ends.get(wanted)).find((candidate) => candidate?.registered);
        return end && { target: end.target, parameters: parametersOf(end, raw, segments) };
      },
      allow: verbs.map((verb) => (verb === 'GET' ? 'GET, HEAD' : verb)).join(', '),
    };
  }

  #add({ verb, template, registered, target }: RouteDeclaration<Target>): void {
    let node = this.#root;
    const places: { field: string; index: number; rest: boolean }[] = [];
    const { segments } = parseTemplate(template);
    for (const [index, segment] of segments.entries()) {
      if (segment.kind === 'fixed') {
        const next: Node<Target> = node.fixed.get(segment.text) ?? newNode();
        node.fixed.set(segment.text, next);
        node = next;
        continue;
      }
      places.push({ field: segment.field, index, rest: segment.kind === 'rest' });
      if (segment.kind === 'parameter') node = node.parameter ??= newNode();
    }
    const ends = segments.at(-1)?.kind === 'rest' ? node.rest : node.ends;
    if (ends.has(verb)) throw new Error(`${verb} ${template} is declared twice`);
    ends.set(verb, { registered, target, places });
  }
}

function newNode<Target>(): Node<Target> {
  return { fixed: new Map(), parameter: undefined, ends: new Map(), rest: new Map() };
}

/** Collects matching routes, more specific routes first. Returns whether any route matches. */
function find<Target>(
  node: Node<Target>, segments: readonly (string | undefined)[], index: number, found: Ends<Target>[],
): boolean {
  if (index === segments.length) {
    // `{rest=**}` also matches an empty rest.
    const ends = [node.ends, node.rest].filter(({ size }) => size > 0);
    found.push(...ends);
    return ends.length > 0;
  }
  const segment = segments[index];
  const fixed = segment === undefined ? undefined : node.fixed.get(segment);
  // Routes through the fixed segment take precedence. If the fixed segment itself has a GET route, neither a parameter
  // nor `**` matches the segment (open-points 13.5).
  if (fixed && find(fixed, segments, index + 1, found)) return true;
  if (segment === '' || fixed?.ends.has('GET')) return false;
  const byParameter = node.parameter !== undefined && find(node.parameter, segments, index + 1, found);
  if (node.rest.size > 0) found.push(node.rest);
  return byParameter || node.rest.size > 0;
}

function parametersOf<Target>(
  { places }: End<Target>, raw: readonly string[], segments: readonly (string | undefined)[],
): Hit<Target>['parameters'] {
  return places.map(({ field, index, rest }) => [field, rest ? percentDecodeRest(raw.slice(index)) : segments[index]]);
}
