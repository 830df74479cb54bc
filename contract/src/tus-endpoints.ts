import * as z from 'zod/mini';
import type { Endpoint } from './endpoints.ts';
import { tusPath } from './resumable.ts';

const plain = { access: 'account', reply: z.object({}) } as const;
const one = `${tusPath}/:id` as const;

export const tusEndpoints = {
  createUpload: { ...plain, method: 'POST', path: tusPath, bodyType: 'bytes' },
  appendToUpload: { ...plain, method: 'PATCH', path: one, bodyType: 'bytes' },
  readUpload: { ...plain, method: 'HEAD', path: one },
  removeUpload: { ...plain, method: 'DELETE', path: one },
} as const satisfies Record<string, Endpoint>;
