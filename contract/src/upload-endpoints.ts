import * as z from 'zod/mini';
import { uploadPath } from './bare-calls.ts';
import type { Endpoint } from './endpoints.ts';
import { tusEndpoints } from './tus-endpoints.ts';

export const mostInBatch = 5_000;

const digest = z.optional(z.string());

/** Besides the form: their responses have no envelope. */
export const uploadEndpoints = {
  ...tusEndpoints,
  putFile: {
    method: 'PUT',
    path: `${uploadPath}/*`,
    access: 'account',
    query: z.object({ sha_256: digest, sha_1: digest }),
    bodyType: 'bytes',
    reply: z.object({}),
  },
  uploadBatch: {
    method: 'POST',
    path: '/api/v3/rest/upload-batch',
    access: 'account',
    bodyType: 'multipart',
    mostFiles: mostInBatch,
    reply: z.object({}),
  },
} as const satisfies Record<string, Endpoint>;
