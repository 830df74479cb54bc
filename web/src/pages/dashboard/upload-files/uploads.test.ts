import { expect, test } from 'vitest';
import { openUploads } from './uploads.ts';

/** The server's side of each upload, to be answered by the test. */
function openLoopback() {
  const sent: {
    name: string;
    signal: AbortSignal;
    onProgress: (fraction: number) => void;
    onHold: (held: boolean) => void;
    answer: (url: string) => void;
    break: (error: Error) => void;
  }[] = [];
  const told: string[] = [];
  const state = { online: true };
  const uploads = openUploads({
    send: (file, { signal, onProgress, onHold }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        sent.push({ name: file.name, signal, onProgress, onHold, answer: resolve, break: reject });
      }),
    now: () => 0,
    isOnline: () => state.online,
    onSuccess: (item) => told.push(`${item.file.name} done`),
    onFailure: (item, reason) => told.push(`${item.file.name} failed: ${reason}`),
    onCancel: () => told.push('canceled'),
    onBatchEnd: () => told.push('over'),
    endedSession: (error) => error instanceof Error && error.message === 'Sign in.',
    readError: (error) => {
      const { message } = error instanceof Error ? error : new Error();
      if (message === '') return { answered: false, reason: undefined, hint: 'Nobody there.' };
      return { answered: true, reason: message === 'refused' ? undefined : message };
    },
  });
  uploads.dispatch({ type: 'add', files: [new File(['aaaa'], 'a'), new File(['bbbb'], 'b')] });
  return { uploads, sent, told, state };
}

const turn = () => new Promise((resolve) => setTimeout(resolve));
const statuses = ({ uploads }: ReturnType<typeof openLoopback>) => uploads.read().items.map(({ status }) => status);

test('the second file is sent when the first has its link', async () => {
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

test('listeners hear of progress, and nothing of progress that changes nothing', () => {
  const it = openLoopback();
  it.uploads.dispatch({ type: 'start' });
  let heard = 0;
  it.uploads.subscribe(() => heard++);
  it.sent[0]?.onProgress(0.5);
  expect(heard).toBe(0);
  it.sent[0]?.onProgress(1);
  expect(heard).toBe(1);
});

test('a refusal is told with the words of the server, one without words as such', async () => {
  const it = openLoopback();
  it.uploads.dispatch({ type: 'start' });
  it.sent[0]?.break(new Error('Your account is full.'));
  await turn();
  it.sent[1]?.break(new Error('refused'));
  await turn();
  expect(it.uploads.read().items.map(({ error }) => error)).toEqual(['Your account is full.', 'Upload failed']);
  expect(it.told).toEqual(['a failed: Your account is full.', 'b failed: undefined', 'over']);
});

test('removing the file on its way aborts it and goes on', async () => {
  const it = openLoopback();
  it.uploads.dispatch({ type: 'start' });
  it.uploads.dispatch({ type: 'remove', id: 1 });
  await turn();
  expect(it.sent[0]?.signal.aborted).toBe(true);
  expect(it.told).toEqual(['canceled']);
  expect(statuses(it)).toEqual(['uploading']);
});

test('clearing aborts and sends nothing more', async () => {
  const it = openLoopback();
  it.uploads.dispatch({ type: 'start' });
  it.uploads.dispatch({ type: 'clear' });
  await turn();
  expect(it.sent).toHaveLength(1);
  expect(it.sent[0]?.signal.aborted).toBe(true);
  expect(it.told).toEqual(['canceled', 'over']);
});

test('stopping aborts without a word, and the files wait for the button', async () => {
  const it = openLoopback();
  it.uploads.dispatch({ type: 'start' });
  it.uploads.dispatch({ type: 'stop' });
  await turn();
  expect(it.sent).toHaveLength(1);
  expect(it.sent[0]?.signal.aborted).toBe(true);
  expect(statuses(it)).toEqual(['pending', 'pending']);
  expect(it.told).toEqual([]);
});

test('a session that ended stops the batch at once, and no file is blamed', async () => {
  const it = openLoopback();
  it.uploads.dispatch({ type: 'start' });
  it.sent[0]?.break(new Error('Sign in.'));
  await turn();
  expect(it.sent).toHaveLength(1);
  expect(statuses(it)).toEqual(['pending', 'pending']);
  expect(it.told).toEqual([]);
});

test('going offline aborts without a word, and coming back sends the same file again', async () => {
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

test('a request that breaks before the browser says that it is offline waits too', async () => {
  const it = openLoopback();
  it.uploads.dispatch({ type: 'start' });
  it.state.online = false;
  it.sent[0]?.break(new Error());
  await turn();
  expect(statuses(it)).toEqual(['pending', 'pending']);
  expect(it.told).toEqual([]);
});

test('a server that does not answer fails no file: the first of them goes up again when it is time', async () => {
  const it = openLoopback();
  it.uploads.dispatch({ type: 'start' });
  it.sent[0]?.break(new Error());
  await turn();
  expect(statuses(it)).toEqual(['pending', 'pending']);
  expect(it.told).toEqual([]);
  it.uploads.dispatch({ type: 'try-again' });
  expect(it.sent.map(({ name }) => name)).toEqual(['a', 'a']);
});

test('a file that breaks the connection three times fails, with what to do, and the next goes up', async () => {
  const it = openLoopback();
  it.uploads.dispatch({ type: 'start' });
  for (const time of [0, 1, 2]) {
    it.sent[time]?.onProgress(1);
    it.sent[time]?.break(new Error());
    await turn();
    if (time < 2) expect(statuses(it)).toEqual(['pending', 'pending']);
    it.uploads.dispatch({ type: 'try-again' });
  }
  expect(statuses(it)).toEqual(['error', 'uploading']);
  expect(it.uploads.read().items[0]).toMatchObject({ error: 'Upload failed', hint: 'Nobody there.' });
  expect(it.told).toEqual(['a failed: undefined']);
});

test('what a transfer says of its waits reaches the queue while it is wanted', () => {
  const it = openLoopback();
  it.uploads.dispatch({ type: 'start' });
  it.sent[0]?.onHold(true);
  expect(it.uploads.read().items[0]?.held).toBe(true);
  it.uploads.dispatch({ type: 'cancel', id: 1 });
  const queue = it.uploads.read();
  it.sent[0]?.onHold(false);
  expect(it.uploads.read()).toBe(queue);
});
