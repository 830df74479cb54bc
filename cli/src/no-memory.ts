import type { Memory } from '@holdfast/server/src/accounts/close-account.ts';

/** This process serves nobody. A server looks a file up before it takes bytes from its memory, so it needs no word. */
export const noMemory: Memory = { forget() {} };
