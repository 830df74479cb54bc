/** Shapes of the contract. `client/build.mjs` writes them out, so that the package needs no validators. */
import type { Client } from '@holdfast/contract/src/client.ts';
import type { restNames } from './rest-names.ts';

export type { Evicted } from '@holdfast/contract/src/activity.ts';
export type { ErrorCode } from '@holdfast/contract/src/errors.ts';
export type { StoredFile } from '@holdfast/contract/src/files.ts';

export type RestCalls = Pick<Client, (typeof restNames)[number]>;
