import { pathToFileURL } from 'node:url';
import { IbidError, messageOf } from '../core/errors.ts';
import type { CallOptions } from '../core/types.ts';
import type { Reader } from '../read/contract.ts';
import type { IngestSource } from './contract.ts';
import type { RecordingParts } from './folder-source.ts';

/** The input of a pipeline. */
export interface PipelineContext extends CallOptions {
  /** The paths given on the command line. */
  readonly paths: readonly string[];
  /** Absolute folder that uris are relative to. */
  readonly base: string;
  readonly reader: Reader;
  /** Absolute path of the index, when it is a local folder: not to be indexed. */
  readonly exclude?: string | undefined;
  /** Transcripts and names of speakers: for `folderSource`, which takes the whole context. */
  readonly recordings?: RecordingParts | undefined;
}

/** Turns paths into documents; `ibid ingest --pipeline <file>` runs the default export of a module. */
export interface Pipeline {
  readonly name: string;
  readonly description: string;
  source(context: PipelineContext): IngestSource | Promise<IngestSource>;
}

/** Gives editors the type, and checks the shape early. @throws IbidError INVALID_ARGUMENT without a source function */
export function definePipeline(pipeline: Pipeline): Pipeline {
  if (typeof pipeline?.source !== 'function') {
    throw new IbidError('INVALID_ARGUMENT', `pipeline "${pipeline?.name}" has no source function`, {
      hint: 'Give an object { name, description, source }.',
    });
  }
  return pipeline;
}

/** Loads the default export of a pipeline module. @throws IbidError INVALID_ARGUMENT */
export async function loadPipeline(path: string): Promise<Pipeline> {
  let module: { readonly default?: Partial<Pipeline> };
  try {
    module = await import(pathToFileURL(path).href);
  } catch (cause) {
    throw new IbidError('INVALID_ARGUMENT', `the pipeline "${path}" cannot be loaded: ${messageOf(cause)}`, {
      cause,
      hint: 'A pipeline is a JavaScript or TypeScript module with a default export made by definePipeline.',
    });
  }
  const pipeline = module.default;
  if (typeof pipeline?.source !== 'function' || typeof pipeline.name !== 'string') {
    throw new IbidError('INVALID_ARGUMENT', `"${path}" does not export a pipeline by default`, {
      hint: 'Write `export default definePipeline({ name, description, source })`.',
    });
  }
  return pipeline as Pipeline; // name and source are checked; nothing depends on the description
}
