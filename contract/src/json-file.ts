import type * as z from 'zod/mini';

export const knownMembers = {
  error: (issue: { readonly code?: string; readonly keys?: readonly string[] }) =>
    issue.code === 'unrecognized_keys' ? `does not know '${issue.keys?.[0] ?? ''}'` : 'must be an object',
};

/** @throws {Error} whose message names the first member that is wrong and what it must be. */
export function parseJsonFile<Shape extends z.ZodMiniType>(shape: Shape, content: string): z.output<Shape> {
  const { success, data, error } = shape.safeParse(parse(content));
  if (success) return data;
  const [{ path, message } = { path: [], message: 'is wrong' }] = error.issues;
  throw new Error(`${path.length === 0 ? 'the file' : path.join('.')} ${message}`);
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new Error(`the file is not JSON: ${(error as Error).message}`, { cause: error });
  }
}
