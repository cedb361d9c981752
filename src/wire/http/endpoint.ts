import { isRecord } from '../../core/records.ts';
import { infoOf, type Shape, shaped, type Where } from './answer.ts';
import { type Check, requireId, requireRecord } from './check.ts';
import type {
  Call,
  FormPart,
  Operation,
  RepeatRule,
  Reply,
  ServiceName,
  StreamReply,
  Transport,
  WireCallOptions,
} from './contract.ts';

/** What the client of a service is built on. */
export interface Wiring<P> {
  readonly transport: Transport;
  readonly profile: P;
  /** Adds to an answer what the service says beside its body. */
  readonly finish?: ((body: object, reply: Reply<unknown>) => object) | undefined;
}

/** A call that is ready to be sent. */
export interface Sent<P> {
  readonly wiring: Wiring<P>;
  readonly operation: Operation;
  readonly call: Call;
}

/** Any method. */
type Method = (...args: never[]) => unknown;

/**
 * One operation as data. Its method takes the ids of the path in their order, then the request if there is one
 * (`query`, `json` or `form`), then the options. The request is checked before anything is sent.
 */
export interface Row<M extends Method, P> {
  /** Method and path template below the base address: `GET /v1/files/{id}`. */
  readonly at: `${Operation['method']} /${string}`;
  /** As in errors and traces. @default the table's prefix and the method's place in the table: `messages.files.get` */
  readonly name?: string;
  /** @default `always` for GET and DELETE, else `refused` */
  readonly repeat?: RepeatRule;
  /** @default the table's */
  readonly group?: string;
  readonly genAi?: string;
  /** The request goes into the query, after this check. */
  readonly query?: Check;
  /** The request goes into a JSON body, after this check. */
  readonly json?: Check;
  /** The request as parts of a form, checked on the way. Gets the method's own arguments, as `spell` does. */
  readonly form?: (args: Parameters<M>, profile: P) => readonly FormPart[];
  /** The ids of the path are fields of the request, and are taken out of it. */
  readonly idsInRequest?: true;
  /**
   * What differs on the wire from the arguments: goes before `query` and `json`. One of these, or `form`, stands beside
   * it where the method takes a request: the options come after that.
   */
  readonly spell?: (args: Parameters<M>, profile: P) => Partial<Call>;
  /** The fields of the answer that are relied on, or a reader of another kind. @default a JSON object */
  readonly answer?: Shape | ((sent: Sent<P>) => Promise<Awaited<ReturnType<M>>>);
  /** In place of `answer`, for a method that returns at once what is fetched later; its checks throw at once. */
  readonly pages?: (sent: Sent<P>) => ReturnType<M>;
  /** The whole method, where it is not a plain one. */
  readonly method?: (wiring: () => Wiring<P>, operation: Operation) => M;
}

/** One row per method of the client, in the same tree. */
export type Rows<Api, P> = {
  readonly [K in keyof Api]: Api[K] extends Method ? Row<Api[K], P> : Rows<Api[K], P>;
};

type Operations<Api> = {
  readonly [K in keyof Api]: Api[K] extends Method ? Operation : Operations<Api[K]>;
};

export interface EndpointTable<Api, P> {
  /** In the order of the table. */
  readonly operations: readonly Operation[];
  /** The same by method: `table.of.files.get`. */
  readonly of: Operations<Api>;
  /** The methods. */
  client(wiring: () => Wiring<P>): Api;
}

export interface TableOptions {
  readonly service: ServiceName;
  /** In front of the names of the operations. @default the service's name */
  readonly prefix?: string;
  readonly group: string;
}

/** The operations of a client as a table, and the client that follows from it. */
export function endpoints<Api, P>(options: TableOptions, rows: Rows<Api, P>): EndpointTable<Api, P> {
  const operations: Operation[] = [];
  const prefix = options.prefix ?? options.service;
  const of = mapRows<P, Operation>(rows, prefix, (row, name) => {
    const operation = operationOf(options, row, name);
    operations.push(operation);
    return operation;
  });
  return {
    operations,
    of: of as Operations<Api>, // one operation for each row
    client(wiring) {
      const methods = mapRows<P, Method>(rows, prefix, (row, name) =>
        methodOf(wiring, row, operationOf(options, row, name)),
      );
      return methods as Api; // one method for each row
    },
  };
}

/** An operation outside of a table. */
export function operation(
  options: Pick<TableOptions, 'service' | 'group'>,
  name: string,
  at: AnyRow<unknown>['at'],
  rest: Pick<AnyRow<unknown>, 'repeat' | 'genAi'> = {},
): Operation {
  return operationOf(options, { at, ...rest }, name);
}

type AnyRow<P> = Row<Method, P>;
interface Tree<T> {
  readonly [name: string]: T | Tree<T>;
}

function mapRows<P, T>(rows: object, prefix: string, map: (row: AnyRow<P>, name: string) => T): Tree<T> {
  const entries = Object.entries(rows).map(([key, row]: [string, object]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    // What has no `at` is a branch.
    return [key, 'at' in row ? map(row as AnyRow<P>, name) : mapRows(row, name, map)];
  });
  return Object.fromEntries(entries);
}

function operationOf(options: Pick<TableOptions, 'service' | 'group'>, row: AnyRow<never>, name: string): Operation {
  const [method, path] = row.at.split(' ', 2) as [Operation['method'], string]; // as its template says
  const repeat = row.repeat ?? (method === 'GET' || method === 'DELETE' ? 'always' : 'refused');
  return {
    name: row.name ?? name,
    service: options.service,
    method,
    path,
    repeat,
    group: row.group ?? options.group,
    ...(row.genAi === undefined ? {} : { genAi: row.genAi }),
  };
}

function methodOf<P>(wiring: () => Wiring<P>, row: AnyRow<P>, operation: Operation): Method {
  if (row.method !== undefined) return row.method(wiring, operation);
  const { pages, answer = {} } = row;
  const sentOf = (args: readonly unknown[]): Sent<P> => {
    const opened = wiring();
    return { wiring: opened, operation, call: callOf(row, operation, args, opened.profile) };
  };
  if (pages !== undefined) return (...args) => pages(sentOf(args));
  if (typeof answer === 'function') return async (...args) => answer(sentOf(args));
  return async (...args) => object(sentOf(args), answer);
}

/** The arguments of a method as a call. @throws IbidError INVALID_ARGUMENT */
function callOf<P>(row: AnyRow<P>, operation: Operation, args: readonly unknown[], profile: P): Call {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const rest = row.idsInRequest ? [...args] : args.slice(names.length);
  const takesRequest = row.query !== undefined || row.json !== undefined || row.form !== undefined;
  if (row.form !== undefined) requireRecord('', rest[0]);
  const request: unknown = takesRequest ? (rest.shift() ?? {}) : undefined;
  const ids = row.idsInRequest && isRecord(request) ? names.map((name) => request[name]) : args;
  const path = Object.fromEntries(names.map((name, at) => [name, requireId(name, ids[at])]));
  const body = row.idsInRequest && isRecord(request) ? omit(request, names) : request;
  for (const check of [row.query, row.json]) check?.('', body);
  const own = args as never[]; // the arguments of this method
  return {
    path,
    ...(row.query === undefined ? {} : { query: body as Call['query'] & object }), // flat, as the method's type says
    ...(row.json === undefined ? {} : { json: body }),
    ...(row.form === undefined ? {} : { form: row.form(own, profile) }),
    options: rest[0] as WireCallOptions | undefined, // the last argument of every method, behind the ids and the request
    ...row.spell?.(own, profile),
  };
}

const omit = (value: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** Sends, and says where the answer is from. */
export async function ask<P>({ wiring, operation, call }: Sent<P>): Promise<{ reply: Reply<unknown>; where: Where }> {
  const reply = await wiring.transport.json(operation, call);
  return { reply, where: { operation, info: infoOf(reply) } };
}

/** A JSON object with these fields. @throws WireError RESPONSE_INVALID */
export async function object<T extends object, P>(sent: Sent<P>, shape: Shape): Promise<T> {
  const { reply, where } = await ask(sent);
  const body = shaped<T>(where, reply.body, shape);
  return (sent.wiring.finish?.(body, reply) ?? body) as T; // what was added is in the method's type
}

/** The bytes as they arrive. */
export const bytes = <P>({ wiring, operation, call }: Sent<P>): Promise<StreamReply<Uint8Array>> =>
  wiring.transport.bytes(operation, call);

/** An answer nobody reads. */
export async function nothing<P>(sent: Sent<P>): Promise<void> {
  await ask(sent);
}
