/** Bytes of one megabyte, as the app counts it. */
export const MB = 1_000_000;
