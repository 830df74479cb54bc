import type * as z from 'zod/mini';

export const knownMembers = {
  error: (issue: { readonly code?: string; readonly keys?: readonly string[] }) =>
    issue.code === 'unrecognized_keys' ? `does not know '${issue.keys?.[0] ?? ''}'` : 'must be an object',
};

/** @throws {Error} whose message names the first member that is wrong and what it must be. */
export function parseJsonFile<Shape extends z.ZodMiniType>(shape: Shape, content: string): z.output<Shape> {
  const { success, data, error } = shape.safeParse(parse(content.replace(/^\uFEFF/, '')));
  if (success) return data;
  const [{ path, message } = { path: [], message: 'is wrong' }] = error.issues;
  throw new Error(`${path.length === 0 ? 'the file' : path.join('.')} ${message}`);
}

function parse(content: string): unknown {
  const data = parseJson(content);
  refuseRepeated(content);
  return data;
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new Error(`the file is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** `JSON.parse` takes the last of several members with one name. */
function refuseRepeated(json: string): void {
  const open: { readonly path: string; readonly names: Set<string> }[] = [];
  let last = '';
  for (const [token, text] of json.matchAll(/("(?:[^"\\]|\\.)*")(?:\s*:)?|[{}]/g)) {
    const inside = open.at(-1);
    if (token === '{') open.push({ path: inside ? `${inside.path}${last}.` : '', names: new Set() });
    else if (token === '}') open.pop();
    else if (inside && text !== undefined && token !== text) {
      last = JSON.parse(text) as string;
      if (inside.names.has(last)) throw new Error(`${inside.path}${last} is there twice`);
      inside.names.add(last);
    }
  }
}
