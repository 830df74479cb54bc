/** For a test that ticks itself. */
export const noTimer = (): Disposable => ({ [Symbol.dispose]() {} });
