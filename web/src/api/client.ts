import { createClient } from '@holdfast/contract/src/client.ts';

export const client = createClient((input, init) => window.fetch(input, init));
