import { afterEach, expect, test, vi } from 'vitest';
import type { Setback } from './setback.ts';
import { openUploads, tryAgainLater } from './uploads.ts';

afterEach(() => void vi.useRealTimers());

/** The server side of each upload. The test decides the responses. */
function openLoopback() {
  const sent: {
    name: string;
    owner: string;
    signal: AbortSignal;
    onProgress: (fraction: number) => void;
    onStall: () => void;
    answer: (url: string) => void;
    fail: (setback: Setback) => void;
  }[] = [];
  const told: string[] = [];
  const uploads = openUploads({
    send: ({ file }, { signal, ...rest }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        sent.push({ name: file.name, signal, ...rest, answer: (url) => resolve({ url }), fail: reject });
      }),
    askStored: async () => 0.25,
    explain: async (setback) => setback as Setback,
    now: () => 0,
    isOnline: () => true,
    onSuccess: (item) => told.push(`${item.file.name} done`),
    onFailure: (item, reason) => told.push(`${item.file.name} failed: ${reason}`),
    onCancel: () => told.push('canceled'),
    onBatchEnd: () => told.push('over'),
  });
  uploads.dispatch({ type: 'sign-in', email: 'ada@example.com' });
  uploads.dispatch({ type: 'add', files: [new File(['aaaa'], 'a'), new File(['bbbb'], 'b')] });
  return { uploads, sent, told };
}

const silence: Setback = { kind: 'wait', trouble: 'no-response', lost: false };
const turn = () => new Promise((resolve) => setTimeout(resolve));
const statuses = ({ uploads }: ReturnType<typeof openLoopback>) => uploads.read().items.map(({ status }) => status);

test('the second file is sent after the first has its link', async () => {
  const it = openLoopback();
  expect(it.sent).toHaveLength(0);
  it.uploads.dispatch({ type: 'start' });
  expect(it.sent.map(({ name }) => name)).toEqual(['a']);
  it.sent[0]?.answer('https://files.example.com/file/a');
  await turn();
  expect(it.sent.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(statuses(it)).toEqual(['success', 'uploading']);
  expect(it.told).toEqual(['a done']);
});

test('the second file is sent while the server stores the first, and each has its own outcome', async () => {
  const it = openLoopback();
  it.uploads.dispatch({ type: 'start' });
  it.sent[0]?.onProgress(1);
  expect(it.sent.map(({ name }) => name)).toEqual(['a', 'b']);
  it.sent[1]?.onProgress(1);
  it.sent[1]?.answer('https://files.example.com/file/b');
  await turn();
  expect(statuses(it)).toEqual(['uploading', 'success']);
  it.sent[0]?.fail({ kind: 'refused', reason: 'Your account is full.' });
  await turn();
  expect(it.uploads.read().items).toMatchObject([
    { status: 'error', error: 'Your account is full.' },
    { status: 'success', url: 'https://files.example.com/file/b' },
  ]);
  expect(it.told).toEqual(['b done', 'a failed: Your account is full.', 'over']);
});

test('a pause aborts both files, and canceling one leaves the other', async () => {
  const it = openLoopback();
  const aborted = () => it.sent.map(({ signal }) => signal.aborted);
  it.uploads.dispatch({ type: 'start' });
  it.sent[0]?.onProgress(1);
  it.uploads.dispatch({ type: 'pause' });
  expect(aborted()).toEqual([true, true]);
  it.uploads.dispatch({ type: 'go-on' });
  it.sent[2]?.onProgress(1);
  expect(it.sent.map(({ name }) => name)).toEqual(['a', 'b', 'a', 'b']);
  it.uploads.dispatch({ type: 'cancel', id: 1 });
  expect(aborted()).toEqual([true, true, true, false]);
  expect(statuses(it)).toEqual(['canceled', 'uploading']);
  expect(it.told).toEqual(['canceled']);
});

test('removing the current file aborts it and sends the next', async () => {
  const it = openLoopback();
  it.uploads.dispatch({ type: 'start' });
  it.uploads.dispatch({ type: 'remove', id: 1 });
  await turn();
  expect(it.sent[0]?.signal.aborted).toBe(true);
  expect(it.told).toEqual(['canceled']);
  expect(statuses(it)).toEqual(['uploading']);
});

test('stopping aborts without a message, and the files are pending again', async () => {
  const it = openLoopback();
  it.uploads.dispatch({ type: 'start' });
  it.uploads.dispatch({ type: 'stop' });
  await turn();
  expect(it.sent).toHaveLength(1);
  expect(it.sent[0]?.signal.aborted).toBe(true);
  expect(statuses(it)).toEqual(['pending', 'pending']);
  expect(it.told).toEqual([]);
});

test('a paused file shows what the server has of it, not what was on its way', async () => {
  const it = openLoopback();
  const large = new File([], 'reef.zip');
  Object.defineProperty(large, 'size', { value: 70_000_000 });
  it.uploads.dispatch({ type: 'clear' });
  it.uploads.dispatch({ type: 'add', files: [large] });
  it.uploads.dispatch({ type: 'start' });
  it.sent[0]?.onProgress(1);
  it.uploads.dispatch({ type: 'pause' });
  await turn();
  expect(it.uploads.read().items).toMatchObject([{ status: 'pending', progress: 0.25 }]);
  it.uploads.dispatch({ type: 'go-on' });
  it.uploads.dispatch({ type: 'hold', id: 3, fraction: 0.1 });
  expect(it.uploads.read().items).toMatchObject([{ status: 'uploading', progress: 0.25 }]);
});

test('an ended session stops the batch at once, and no file fails', async () => {
  const it = openLoopback();
  it.uploads.dispatch({ type: 'start' });
  it.sent[0]?.fail({ kind: 'signed-out' });
  await turn();
  expect(it.sent).toHaveLength(1);
  expect(statuses(it)).toEqual(['pending', 'pending']);
  expect(it.told).toEqual([]);
});

test('going offline aborts without a message, and going online sends the same file again', async () => {
  const it = openLoopback();
  it.uploads.dispatch({ type: 'start' });
  it.uploads.dispatch({ type: 'connection', online: false });
  it.uploads.dispatch({ type: 'connection', online: true });
  await turn();
  expect(it.sent.map(({ name }) => name)).toEqual(['a', 'a']);
  expect(it.sent[0]?.signal.aborted).toBe(true);
  expect(it.told).toEqual([]);
  it.sent[1]?.answer('https://files.example.com/file/a');
  await turn();
  expect(statuses(it)).toEqual(['success', 'uploading']);
});

test('a missing response fails no file, and the first file is sent again', async () => {
  const it = openLoopback();
  it.uploads.dispatch({ type: 'start' });
  it.sent[0]?.fail(silence);
  await turn();
  expect(statuses(it)).toEqual(['pending', 'pending']);
  expect(it.told).toEqual([]);
  it.uploads.dispatch({ type: 'try-again' });
  expect(it.sent.map(({ name }) => name)).toEqual(['a', 'a']);
});

test.each(['no-response', 'away', 'busy'] as const)(
  'a file that gets no response of the server while others do lets the next go first: %s',
  async (trouble) => {
    const it = openLoopback();
    it.uploads.dispatch({ type: 'start' });
    it.sent[0]?.fail({ kind: 'wait', trouble, lost: true });
    await turn();
    expect(statuses(it)).toEqual(['pending', 'pending']);
    it.uploads.dispatch({ type: 'try-again' });
    it.sent[1]?.answer('https://files.example.com/file/b');
    await turn();
    expect(it.sent.map(({ name }) => name)).toEqual(['a', 'b', 'a']);
  },
);

test('a file without a response three times fails while other calls succeed', async () => {
  const it = openLoopback();
  it.uploads.dispatch({ type: 'remove', id: 2 });
  it.uploads.dispatch({ type: 'start' });
  for (const time of [0, 1, 2]) {
    it.sent[time]?.onProgress(0.5);
    it.sent[time]?.fail({ ...silence, lost: true });
    await turn();
    if (time < 2) expect(statuses(it)).toEqual(['pending']);
    it.uploads.dispatch({ type: 'try-again' });
  }
  expect(statuses(it)).toEqual(['error']);
  expect(it.uploads.read().items[0]).toMatchObject({
    error: 'Upload failed',
    hint: 'No response from the server for this file. Try again later.',
  });
  expect(it.told).toEqual(['a failed: undefined', 'over']);
});

test('a file that a proxy never passes on fails after eight attempts', async () => {
  const it = openLoopback();
  it.uploads.dispatch({ type: 'remove', id: 2 });
  it.uploads.dispatch({ type: 'start' });
  for (let time = 0; time < 8; time += 1) {
    expect(statuses(it)).toEqual(['uploading']);
    it.sent[time]?.onProgress(1);
    it.sent[time]?.fail({ kind: 'wait', trouble: 'away', lost: true });
    await turn();
    it.uploads.dispatch({ type: 'try-again' });
  }
  expect(statuses(it)).toEqual(['error']);
  expect(it.uploads.read().items[0]?.hint).toBe(
    'No response from server. The file may be stored: retry to get its link.',
  );
});

test.each(['away', 'busy'] as const)(
  'a server that is %s fails no file, after any number of attempts',
  async (trouble) => {
    const it = openLoopback();
    it.uploads.dispatch({ type: 'remove', id: 2 });
    it.uploads.dispatch({ type: 'start' });
    for (let time = 0; time < 20; time += 1) {
      it.sent[time]?.onProgress(1);
      it.sent[time]?.fail({ kind: 'wait', trouble, lost: false, retryAfterSeconds: 2 });
      await turn();
      expect(it.uploads.read()).toMatchObject({ trouble, retryAfterSeconds: 2, resting: true });
      it.uploads.dispatch({ type: 'try-again' });
    }
    expect(it.sent.map(({ name }) => name)).toEqual(Array(21).fill('a'));
    expect(it.told).toEqual([]);
  },
);

test('each attempt is sent for the owner of its file', async () => {
  const it = openLoopback();
  it.uploads.dispatch({ type: 'start' });
  expect(it.sent[0]?.owner).toBe('ada@example.com');
  it.uploads.dispatch({ type: 'sign-in', email: 'bob@example.com' });
  expect(it.sent[0]?.signal.aborted).toBe(true);
  it.uploads.dispatch({ type: 'add', files: [new File(['c'], 'c')] });
  it.uploads.dispatch({ type: 'start' });
  expect(it.sent.map(({ name, owner }) => [name, owner])).toEqual([
    ['a', 'ada@example.com'],
    ['c', 'bob@example.com'],
  ]);
});

/** Every attempt fails, and `tries` records when each began, on fake timers. */
function openSetbacks(setback: Setback) {
  vi.useFakeTimers();
  const tries: number[] = [];
  const began = Date.now();
  const uploads = openUploads({
    send() {
      tries.push(Date.now() - began);
      return Promise.reject(new Error());
    },
    askStored: async () => undefined,
    explain: async () => setback,
    now: () => 0,
    isOnline: () => true,
    onSuccess: () => {},
    onFailure: () => {},
    onCancel: () => {},
    onBatchEnd: () => {},
  });
  tryAgainLater(uploads);
  uploads.dispatch({ type: 'sign-in', email: 'ada@example.com' });
  uploads.dispatch({ type: 'add', files: [new File(['a'], 'a')] });
  uploads.dispatch({ type: 'start' });
  return { tries, uploads };
}

test('a server without a response is tried at growing intervals, at least twice a minute', async () => {
  const { tries } = openSetbacks(silence);
  await vi.advanceTimersByTimeAsync(92_000);
  expect(tries).toEqual([0, 1000, 3000, 7000, 15_000, 31_000, 61_000, 91_000]);
});

test('a server that sends Retry-After is not tried earlier', async () => {
  const { tries } = openSetbacks({ kind: 'wait', trouble: 'away', lost: false, retryAfterSeconds: 120 });
  await vi.advanceTimersByTimeAsync(241_000);
  expect(tries).toEqual([0, 120_000, 240_000]);
});
