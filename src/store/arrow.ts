import { createRequire } from 'node:module';
import type * as Arrow from 'apache-arrow';

// The database requires the CommonJS form. An import would load the package a second time, as modules.
const arrow = createRequire(import.meta.url)('apache-arrow') as typeof Arrow;

export const Binary: typeof Arrow.Binary = arrow.Binary;
export const Field: typeof Arrow.Field = arrow.Field;
export const FixedSizeList: typeof Arrow.FixedSizeList = arrow.FixedSizeList;
export const Float64: typeof Arrow.Float64 = arrow.Float64;
export const Int32: typeof Arrow.Int32 = arrow.Int32;
export const Int64: typeof Arrow.Int64 = arrow.Int64;
export const Int8: typeof Arrow.Int8 = arrow.Int8;
export const RecordBatch: typeof Arrow.RecordBatch = arrow.RecordBatch;
export const Schema: typeof Arrow.Schema = arrow.Schema;
export const Struct: typeof Arrow.Struct = arrow.Struct;
export const Table: typeof Arrow.Table = arrow.Table;
export const Uint8: typeof Arrow.Uint8 = arrow.Uint8;
export const Utf8: typeof Arrow.Utf8 = arrow.Utf8;
export const makeData: typeof Arrow.makeData = arrow.makeData;
