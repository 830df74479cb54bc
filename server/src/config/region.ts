import type { Config } from './config.ts';

/** Servers whose `REGION` is not set are in one region. */
export const regionOf = ({ region }: Pick<Config, 'region'>): string => region ?? 'Local';
