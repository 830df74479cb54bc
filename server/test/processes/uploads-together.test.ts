/** The four uploads that an account may run at a time, when several processes receive them. */
import { expect, test } from 'vitest';
import { type SignedIn, signUpAndIn } from '../harness/accounts.ts';
import { type HeldUpload, holdUpload } from '../harness/held-upload.ts';
import { noMail, type OneOfSeveral, type SeveralProcesses, startSeveral } from '../harness/several-processes.ts';
import { formWith, sendForm } from '../harness/uploads.ts';

const most = 4;
const refusal = { status: 429, error: 'At most 4 uploads at a time. Wait for one to finish.' };

async function startWithAccount(count: number) {
  const several = await startSeveral(count);
  return { ...several, ann: await signUpAndIn({ url: first(several).url, mail: noMail, context: several.context }) };
}

function first({ processes }: Pick<SeveralProcesses, 'processes'>): OneOfSeveral {
  const [one] = processes;
  if (!one) throw new Error('there is no process');
  return one;
}

const holdOnEach = (nodes: readonly OneOfSeveral[], ann: SignedIn, onEach: number): HeldUpload[] =>
  Array.from({ length: onEach }, () => nodes.map((node) => holdUpload(node, ann))).flat();

/** Begins one more than may run, and returns those that run. */
async function holdAll(node: OneOfSeveral, ann: SignedIn): Promise<HeldUpload[]> {
  const held = holdOnEach([node], ann, most + 1);
  await expect.poll(() => held.filter(({ hasEnded }) => hasEnded)).toHaveLength(1);
  return held.filter(({ hasEnded }) => !hasEnded);
}

const uploadTo = async (node: OneOfSeveral, ann: SignedIn) => (await sendForm(node, ann, formWith('small'))).status;

test('of twelve uploads at once to three processes four run, and the others are refused as by one', async () => {
  const { processes, ann } = await startWithAccount(3);
  for (let round = 0; round < 5; round += 1) {
    const held = holdOnEach(processes, ann, most);
    await expect.poll(() => held.filter(({ hasEnded }) => hasEnded)).toHaveLength(12 - most);
    const [running, refused] = [held.filter(({ hasEnded }) => !hasEnded), held.filter(({ hasEnded }) => hasEnded)];
    expect(await Promise.all(refused.map(({ ended }) => ended))).toEqual(refused.map(() => refusal));
    for (const node of processes) expect(await uploadTo(node, ann)).toBe(429);
    for (const upload of running) upload.release();
    expect(await Promise.all(running.map(({ ended }) => ended))).toEqual(
      running.map(() => ({ status: 200, error: null })),
    );
    // The next one may begin as soon as the response to one of them has arrived.
    for (const node of processes) expect(await uploadTo(node, ann)).toBe(200);
  }
});

test('uploads that run when a second process starts count in it', async () => {
  const { processes, ann, start } = await startWithAccount(1);
  const held = await holdAll(first({ processes }), ann);
  const second = await start();
  expect(await uploadTo(second, ann)).toBe(429);
  held[0]?.release();
  await held[0]?.ended;
  expect(await uploadTo(second, ann)).toBe(200);
  for (const upload of held) upload.release();
});

test('the uploads of a killed process count for some seconds and no longer', async () => {
  const { processes, ann } = await startWithAccount(2);
  const [killed, other] = processes;
  if (!killed || !other) throw new Error('there are two processes');
  const held = await holdAll(killed, ann);
  expect(await uploadTo(other, ann)).toBe(429);
  await killed[Symbol.asyncDispose]();
  await Promise.allSettled(held.map(({ ended }) => ended));
  await expect.poll(() => uploadTo(other, ann), { timeout: 20_000, interval: 500 }).toBe(200);
  for (const upload of await holdAll(other, ann)) upload.release();
});
