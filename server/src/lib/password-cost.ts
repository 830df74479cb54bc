/** 19 MiB, two passes, one lane. */
export const standardCost = { algorithm: 2, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };
export type PasswordCost = typeof standardCost;
