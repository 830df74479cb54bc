/** A box whose click does the work: only a click knows whether shift was held. */
export const noChange = (): void => undefined;
