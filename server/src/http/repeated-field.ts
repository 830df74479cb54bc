import { createScanner } from 'jsonc-parser';

/**
 * Returns the first field that occurs twice in one object of a valid JSON text. JSON leaves open which of the two
 * counts, so a check in front of the server could have used the other one. It reads token by token, so deep nesting
 * cannot overflow the stack.
 */
export function repeatedFieldOf(json: string): string | undefined {
  const scanner = createScanner(json, true);
  const open: Set<string>[] = [];
  let text = '';
  for (scanner.scan(); scanner.getTokenOffset() < json.length; scanner.scan()) {
    const first = json[scanner.getTokenOffset()];
    if (first === '"') text = scanner.getTokenValue();
    if (first === '{') open.push(new Set());
    if (first === '}') open.pop();
    if (first !== ':') continue;
    const fields = open.at(-1);
    if (fields?.has(text)) return text;
    fields?.add(text);
  }
  return undefined;
}
