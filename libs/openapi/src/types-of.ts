import type { DescEnum, DescMessage, Method } from '@platform/surface';

/** Returns the messages and enums that the methods use, directly or indirectly. Leaves out messages of Google. */
export function typesOf(methods: readonly Method[]): Set<DescMessage | DescEnum> {
  const found = new Set<DescMessage | DescEnum>();
  const visit = (type: DescMessage) => {
    if (found.has(type) || type.typeName.startsWith('google.')) return;
    found.add(type);
    for (const field of type.fields) {
      if (field.message) visit(field.message);
      if (field.enum) found.add(field.enum);
    }
  };
  for (const { input, output, json } of methods) {
    visit(input);
    visit(output);
    if (json !== undefined) visit(json);
  }
  return found;
}
