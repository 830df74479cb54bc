/** Steady load with flat memory, then the same load with one fault after the other. */
import { setTimeout as delay } from 'node:timers/promises';
import { BrokenPromise } from '../load/broken-promise.ts';
import { checkKept, checkStorage } from '../load/check-kept.ts';
import { addUploaders, type Place, withContext } from '../../server/test/harness/place.ts';
import { openRequests } from '../load/request.ts';
import { type Service, startService } from '../../server/test/harness/real-process.ts';
import { type Breakable, faultsOf } from './faults.ts';
import { createMixedLoad, type MixedLoad } from './mixed-load.ts';
import type { Report } from './report.ts';
import { measureRate, runAtRate } from './run-at-rate.ts';
import { sampleProcess, trendOf } from './samples.ts';
import { createWeather, type Weather } from './weather.ts';

const accounts = 40;
const share = 0.7;

interface Settings {
  readonly place: Place;
  readonly minutes: number;
  readonly broken: Pick<Breakable, 'disk' | 'lines'>;
  readonly report: Report;
}

export async function runLoadPhases({ place, minutes, broken, report }: Settings): Promise<void> {
  await using run = await openRun(place);
  const { load } = run;
  const rate = share * (await measureRate(16, 10, () => load.call()));
  report.progress(`70 % of the machine is ${rate.toFixed(0)} calls a second`);
  const half = (minutes * 60_000) / 2;
  const running = runAtRate(rate, () => run.call());
  await Promise.race([running.ended, stayFlat(run, half, report)]);
  await Promise.race([running.ended, breakThings(run, half, broken, report)]);
  await running.stop();
  await load.sendLost();
  await compare(run);
  for (const [kind, { done, refused, cut }] of load.counts)
    report.row(`calls: ${kind}`, done, `${refused} refused, ${cut} cut`);
  const live = load.kept.filter(({ state }) => state === 'live').length;
  report.row('acknowledged uploads', load.kept.length, `0 lost; ${live} live files compared byte by byte, fsck clean`);
}

interface Run extends AsyncDisposable {
  readonly place: Place;
  readonly load: MixedLoad;
  readonly weather: Weather;
  readonly requests: ReturnType<typeof openRequests>;
  readonly pid: number;
  call(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

async function openRun(place: Place): Promise<Run> {
  let service: Service = await startService(place);
  const requests = openRequests(place.port);
  const weather = createWeather();
  const load = createMixedLoad(place, requests, await addUploaders(place, accounts), weather);
  return {
    place,
    load,
    weather,
    requests,
    get pid() {
      return service.pid;
    },
    async call() {
      if (service.fell !== null) throw new BrokenPromise(`The process ended: ${service.fell}.`);
      await load.call();
    },
    async kill() {
      await service.kill();
      service = await startService(place);
    },
    async stop() {
      const code = await service.stop();
      if (code !== 0) throw new BrokenPromise(`The process ended with status ${code} after SIGTERM.`);
      service = await startService(place);
    },
    async [Symbol.asyncDispose]() {
      requests[Symbol.dispose]();
      await service.kill();
    },
  };
}

const sampleEvery = 2_000;

/** Milliseconds. A process under this load takes up to nine minutes to reach its size. */
const judgedFrom = 12 * 60_000;

async function stayFlat({ pid, place, load }: Run, ms: number, report: Report): Promise<void> {
  const samples = sampleProcess(pid, place.port);
  for (let turn = 0; turn * sampleEvery < ms; turn += 1) {
    await delay(sampleEvery);
    await samples.take();
    if (turn % 10 === 0) await load.changeKey();
    if (turn % 15 === 14)
      report.progress(`steady: ${load.kept.length} uploads, RSS ${samples.all.at(-1)?.rssMb.toFixed(0)} MB`);
  }
  const memory = trendOf(samples.all, 'rssMb', 40);
  const descriptors = trendOf(samples.all, 'descriptors', 60);
  const figure = (trend: typeof memory) =>
    `${trend.first.toFixed(0)} → ${trend.last.toFixed(0)}, ${trend.slope.toFixed(1)} a minute`;
  report.row('RSS in MB, 3rd and 4th quarter', samples.all.length, figure(memory));
  report.row('descriptors without clients, 3rd and 4th quarter', samples.all.length, figure(descriptors));
  if (!memory.isFlat && ms >= judgedFrom)
    throw new BrokenPromise(`Memory grows under steady load: ${figure(memory)} MB.`);
  if (!descriptors.isFlat) throw new BrokenPromise(`Descriptors grow under steady load: ${figure(descriptors)}.`);
}

async function breakThings(run: Run, ms: number, broken: Settings['broken'], report: Report): Promise<void> {
  const faults = faultsOf({ ...broken, kill: () => run.kill(), stop: () => run.stop() });
  const seen = new Map<string, number[]>();
  const until = performance.now() + ms;
  for (let turn = 0; performance.now() < until; turn += 1) {
    const fault = faults[turn % faults.length];
    if (!fault) break;
    const recovery = await run.weather.during(async () => {
      await fault.run();
      return recover(run, fault.name);
    });
    seen.set(fault.name, [...(seen.get(fault.name) ?? []), recovery]);
    report.progress(
      `${fault.name}: works again after ${(recovery / 1000).toFixed(1)} s, ${run.load.kept.length} uploads`,
    );
    await run.load.sendLost();
    await run.load.changeKey();
    await delay(2_000);
  }
  for (const [name, times] of seen)
    report.row(name, times.length, `recovered within ${(Math.max(...times) / 1000).toFixed(1)} s, without a hand`);
}

const recoveryLimit = 180_000;

/** Returns after how many milliseconds calls are done again and no file waits for its scan. */
async function recover({ place, requests }: Run, fault: string): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const { status } = await requests.send({ path: '/api/v3/session/server-info' }).catch(() => ({ status: 0 }));
    if (status === 200 && (await pendingScans(place)) === 0) return performance.now() - begun;
    if (performance.now() - begun > recoveryLimit)
      throw new BrokenPromise(`The service had not recovered 3 minutes after: ${fault}.`);
    await delay(200);
  }
}

function pendingScans(place: Place): Promise<number> {
  return withContext(place, async ({ db }) => {
    const pending = db.selectFrom('files').select('id').where('pending_scan', '=', 1).where('deleted_at', 'is', null);
    return (await pending.execute()).length;
  });
}

async function compare({ place, requests, load }: Run): Promise<void> {
  await checkKept(requests, load.kept);
  await checkStorage(place);
}
