import { Counter, Gauge, Registry } from '@prometheus-io/client';
import type { Config } from '../config/config.ts';
import { version } from '../config/version.ts';
import type { Context } from '../context.ts';
import type { PrivatePage } from '../http/private-port.ts';
import type { MetricsSources } from './pages-of-node.ts';

type Tally = Context['tally'];

export interface NodeMetrics {
  /** Takes the metrics of one kind of node. */
  readonly register: Registry;
  /** Returns all of them, with those of the process. */
  readonly page: () => Promise<PrivatePage>;
}

/** What every kind of node measures of itself. All metrics of a node with a region have it as a label. */
export function createNodeMetrics(
  { config: { region }, tally }: { readonly config: Pick<Config, 'region'>; readonly tally: Tally },
  { readProcess, isReady }: MetricsSources,
): NodeMetrics {
  const register = new Registry();
  if (region !== null) register.setDefaultLabels({ region });
  const registers = [register];
  new Gauge({ name: 'holdfast_build_info', help: 'Always 1.', labelNames: ['version'], registers }).set({ version }, 1);
  const ready = new Gauge({ name: 'holdfast_ready', help: '1 while /readyz returns 200.', registers });
  const countDone = doneCounters(register);
  return {
    register,
    async page() {
      countDone(tally);
      ready.set((await isReady()) ? 1 : 0);
      return { status: 200, type: register.contentType, body: `${await readProcess()}\n${await register.metrics()}` };
    },
  };
}

function doneCounters(register: Registry): (tally: Tally) => void {
  const counter = (name: string, help: string) =>
    new Counter({ name: `holdfast_${name}`, help, registers: [register] });
  const counters = {
    uploads: counter('uploads_total', 'Files stored by this process.'),
    uploadedBytes: counter('uploaded_bytes_total', 'Their bytes.'),
    downloads: counter('downloads_total', 'Downloads started by this process that count as hits.'),
    refusedConnections: counter('connections_refused_total', 'Connections beyond the limits of this process.'),
  };
  return (tally) => {
    for (const name of ['uploads', 'uploadedBytes', 'downloads', 'refusedConnections'] as const) {
      counters[name].reset();
      counters[name].inc(tally[name]);
    }
  };
}
