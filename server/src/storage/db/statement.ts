import type { Compilable, CompiledQuery } from 'kysely';
import type { Database, Transaction } from './database.ts';

export type Bound<Row> = CompiledQuery<Row>;

class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  [Symbol.toPrimitive](): never {
    throw new Error(`The text of a statement cannot depend on '${this.name}'`);
  }
}

const places = new Proxy({}, { get: (_target, name) => new Place(String(name)) });

/** The text is built once for each engine, so `build` must not decide or compute by a value. */
export function statement<Values extends object, Row>(
  build: (db: Database, values: Values) => Compilable<Row>,
): (db: Database, values: Values) => Bound<Row> {
  const compiled = new Map<unknown, CompiledQuery<Row>>();
  return (db, values) => {
    const engine = db.getExecutor().adapter.constructor;
    const known = compiled.get(engine) ?? build(db, places as Values).compile();
    compiled.set(engine, known);
    const valueAt = (parameter: unknown) =>
      parameter instanceof Place ? values[parameter.name as keyof Values] : parameter;
    return { ...known, parameters: known.parameters.map(valueAt) };
  };
}

export async function rowsOf<Row>(db: Database, bound: Bound<Row>): Promise<Row[]> {
  return (await db.executeQuery(bound)).rows;
}

type RowsOfEach<All extends readonly (Bound<unknown> | null)[]> = {
  readonly [At in keyof All]: All[At] extends Bound<infer Row> ? Row[] : never[];
};

/** Sends statements without waiting for replies. If one fails, SQLite runs the others nevertheless. */
export function runTogether<const All extends readonly (Bound<unknown> | null)[]>(
  tx: Transaction,
  all: All,
): Promise<RowsOfEach<All>> {
  return tx.getExecutor().provideConnection(async (connection) => {
    const results = await Promise.all(all.map(async (bound) => bound && connection.executeQuery(bound)));
    return results.map((result) => result?.rows ?? []) as unknown as RowsOfEach<All>;
  });
}
