import type { Compilable, CompiledQuery } from 'kysely';
import type { Database, Transaction } from './database.ts';

/** A statement with its values, ready to be sent. */
export type Bound<Row> = CompiledQuery<Row>;

/** The place of a value in the text of a statement. */
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

/**
 * A statement that many calls run. Its text is built once for each engine, because that takes longer than most of them
 * run. So `build` must use each value as it is: it must not decide or compute anything by it.
 */
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

/** Runs a statement and returns its rows. */
export async function rowsOf<Row>(db: Database, bound: Bound<Row>): Promise<Row[]> {
  return (await db.executeQuery(bound)).rows;
}

type RowsOfEach<All extends readonly (Bound<unknown> | null)[]> = {
  readonly [At in keyof All]: All[At] extends Bound<infer Row> ? Row[] : never[];
};

/**
 * Sends statements of a transaction without waiting for the reply to the one before; null is none. They run in this
 * order, each as if the one before had been answered, so a row that one of them locks is locked for the next. Sent one by
 * one, Kysely would wait for each reply.
 * @throws the error of the first that fails. On SQLite the others run nevertheless, so the transaction must not commit.
 */
export function runTogether<const All extends readonly (Bound<unknown> | null)[]>(
  tx: Transaction,
  all: All,
): Promise<RowsOfEach<All>> {
  return tx.getExecutor().provideConnection(async (connection) => {
    const results = await Promise.all(all.map(async (bound) => bound && connection.executeQuery(bound)));
    return results.map((result) => result?.rows ?? []) as unknown as RowsOfEach<All>;
  });
}
