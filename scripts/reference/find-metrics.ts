import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../checks/run-command.ts';

/** A metric as a source file registers it. */
export interface DeclaredMetric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
  /** The project that registers the metric, such as `libs/rpc`. */
  readonly project: string;
}

/** The type of metric that each method of `Metrics` (libs/service) registers. */
const types: Readonly<Record<string, DeclaredMetric['type']>> = {
  counter: 'counter', gauge: 'gauge', observed: 'gauge', histogram: 'histogram',
};

/**
 * Finds the metrics that the platform registers, sorted by name. Reads the source code, because a process shows only
 * the metrics of its own service.
 *
 * @throws Error if the options of a metric are not literals, or two calls register one name differently
 */
export function findMetrics(): DeclaredMetric[] {
  const files = globSync('{apps,libs}/*/src/**/*.ts', { cwd: root })
    .filter((file) => !/\.(?:spec|proof)\.ts$|^apps\/e2e\/|\/(?:fixtures|testdata|generated)\//.test(file));
  const found = new Map<string, DeclaredMetric>();
  for (const metric of files.flatMap(metricsIn)) {
    const other = found.get(metric.name);
    if (other !== undefined && JSON.stringify(other) !== JSON.stringify(metric)) {
      throw new Error(`the metric ${metric.name} is registered in two ways`);
    }
    found.set(metric.name, metric);
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function metricsIn(file: string): DeclaredMetric[] {
  const text = readFileSync(join(root, file), 'utf8');
  if (!/metrics\.(?:counter|gauge|histogram|observed)\(/.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: DeclaredMetric[] = [];
  const visit = (node: ts.Node): void => {
    const type = ts.isCallExpression(node) ? registeredBy(node) : undefined;
    if (type !== undefined) found.push(metricOf(node as ts.CallExpression, type, file));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The type of metric that a call such as `metrics.counter(…)` registers; undefined for other calls. */
function registeredBy({ expression }: ts.CallExpression): DeclaredMetric['type'] | undefined {
  if (!ts.isPropertyAccessExpression(expression) || expression.expression.getText() !== 'metrics') return undefined;
  return types[expression.name.text];
}

function metricOf(call: ts.CallExpression, type: DeclaredMetric['type'], file: string): DeclaredMetric {
  const options = literalOf(call.arguments[0]);
  const { name, help, labels = [] } = (options ?? {}) as Partial<DeclaredMetric>;
  if (typeof name !== 'string' || typeof help !== 'string' || !Array.isArray(labels)) {
    const line = call.getSourceFile().getLineAndCharacterOfPosition(call.getStart()).line + 1;
    throw new Error(`${file}:${line}: write name, help and labels of the metric as literals, so that docs/metrics.md has them`);
  }
  return { name, type, labels, help, project: file.split('/').slice(0, 2).join('/') };
}

/** The value of an expression of literals; parts that are not literals are undefined. */
function literalOf(node: ts.Node | undefined): unknown {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isAsExpression(node)) return literalOf(node.expression);
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(literalOf);
  if (ts.isIdentifier(node)) return literalOf(initializerOf(node));
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [literalOf(node.left), literalOf(node.right)];
    return typeof left === 'string' && typeof right === 'string' ? left + right : undefined;
  }
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  return Object.fromEntries(node.properties.flatMap((property): [string, unknown][] => {
    if (ts.isPropertyAssignment(property)) return [[property.name.getText(), literalOf(property.initializer)]];
    if (!ts.isShorthandPropertyAssignment(property)) return [];
    return [[property.name.text, literalOf(initializerOf(property.name))]];
  }));
}

/** The initializer in the nearest declaration before a use of the name; undefined if there is no declaration. */
function initializerOf(name: ts.Identifier): ts.Expression | undefined {
  let nearest: ts.Expression | undefined;
  const visit = (node: ts.Node): void => {
    if (node.getStart() >= name.getStart()) return;
    if (ts.isVariableDeclaration(node) && node.name.getText() === name.text) nearest = node.initializer;
    ts.forEachChild(node, visit);
  };
  visit(name.getSourceFile());
  return nearest;
}
