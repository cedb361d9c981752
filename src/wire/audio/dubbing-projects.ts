import type { FormPart, WireCallOptions } from '../http/contract.ts';
import { acknowledged, checkLength, checkList, checkOneOf, checkUrl, requireId, requireText, shaped } from './check.ts';
import type { AudioContext, WithInfo } from './context.ts';
import { withInfo } from './context.ts';
import { audioOperations as operations } from './operations.ts';
import type { WaitOptions } from './poll.ts';
import { poll, throwIfFailed } from './poll.ts';
import type { VoiceSettings } from './speech-request.ts';
import { checkVoiceSettings } from './speech-request.ts';
import { checkKeyterms } from './transcript-request.ts';
import type { Upload } from './upload.ts';
import { fieldParts, filePart, repeatedParts } from './upload.ts';

export interface DubbingProjectRequest {
  readonly file?: Upload | undefined;
  readonly source_url?: string | undefined;
  readonly reference?: string | undefined;
  readonly source_language?: string | undefined;
  readonly model_id?: string | undefined;
  readonly keyterms?: readonly string[] | undefined;
  readonly webhook_ids?: readonly string[] | undefined;
  /** The first language, made as soon as the project is ready. */
  readonly target_language?: string | undefined;
}

export interface DubbingProject {
  readonly project_id: string;
  readonly status: 'queued' | 'preparing' | 'ready' | 'failed' | (string & {});
  readonly language_ids?: readonly string[] | null | undefined;
  readonly error?: unknown;
}

export interface DubbingLanguage {
  readonly language_id: string;
  readonly project_id?: string | null | undefined;
  readonly target_language?: string | null | undefined;
  /** `stale`: made, and the source was changed since. */
  readonly status: 'queued' | 'processing' | 'completed' | 'stale' | 'failed' | (string & {});
  /** Addresses to fetch the results from. */
  readonly outputs?: Readonly<Record<string, unknown>> | null | undefined;
  readonly error?: unknown;
}

/** One source, several languages. */
export interface DubbingProjectsApi {
  create(request: DubbingProjectRequest, options?: WireCallOptions): Promise<WithInfo<DubbingProject>>;
  get(projectId: string, options?: WireCallOptions): Promise<WithInfo<DubbingProject>>;
  /** Until `ready`. @throws WireError RUN_FAILED, TIMEOUT */
  wait(projectId: string, options?: WaitOptions): Promise<WithInfo<DubbingProject>>;
  delete(projectId: string, options?: WireCallOptions): Promise<{ readonly status: string }>;
  addLanguage(
    projectId: string,
    request: { readonly target_language: string; readonly voice_settings?: VoiceSettings | undefined },
    options?: WireCallOptions,
  ): Promise<WithInfo<DubbingLanguage>>;
  getLanguage(projectId: string, languageId: string, options?: WireCallOptions): Promise<WithInfo<DubbingLanguage>>;
  /** Until `completed` or `stale`. @throws WireError RUN_FAILED, TIMEOUT */
  waitLanguage(projectId: string, languageId: string, options?: WaitOptions): Promise<WithInfo<DubbingLanguage>>;
}

const projectShape = { project_id: 'string', status: 'string' } as const;
const languageShape = { language_id: 'string', status: 'string' } as const;

export function dubbingProjectsApi(context: AudioContext): DubbingProjectsApi {
  const { transport } = context;
  const at = (id: string): { readonly project_id: string } => ({ project_id: requireId('project_id', id) });
  const api: DubbingProjectsApi = {
    async create(request, options) {
      const { file, source_url, keyterms, webhook_ids, ...fields } = request;
      checkOneOf({ file, source_url });
      checkUrl('source_url', source_url);
      checkLength('reference', request.reference, 0, 500);
      checkKeyterms(context, keyterms, 1_000, 50);
      checkList('webhook_ids', webhook_ids, 3);
      const form: FormPart[] = [
        ...fieldParts({ source_url, ...fields }),
        ...repeatedParts('keyterms', keyterms),
        ...repeatedParts('webhook_ids', webhook_ids),
        ...(file === undefined ? [] : [filePart('file', file, 'media')]),
      ];
      const reply = await transport.json(operations.dubbingProject, { form, options });
      return withInfo(context, reply, shaped<DubbingProject>(reply.body, operations.dubbingProject, projectShape));
    },
    async get(projectId, options) {
      const reply = await transport.json(operations.dubbingProjectGet, { path: at(projectId), options });
      return withInfo(context, reply, shaped<DubbingProject>(reply.body, operations.dubbingProjectGet, projectShape));
    },
    wait: (projectId, options) =>
      poll(
        operations.dubbingProjectGet,
        async () => {
          const project = await api.get(projectId, options);
          options?.onStatus?.(project.status);
          throwIfFailed(operations.dubbingProjectGet, project.status, project.error);
          return project.status === 'ready' ? project : undefined;
        },
        options,
      ),
    async delete(projectId, options) {
      return acknowledged(await transport.json(operations.dubbingProjectDelete, { path: at(projectId), options }));
    },
    async addLanguage(projectId, request, options) {
      requireText('target_language', request.target_language);
      checkVoiceSettings(context, request.voice_settings, undefined);
      const call = { path: at(projectId), json: { ...request }, options };
      const reply = await transport.json(operations.dubbingLanguage, call);
      return withInfo(context, reply, shaped<DubbingLanguage>(reply.body, operations.dubbingLanguage, languageShape));
    },
    async getLanguage(projectId, languageId, options) {
      const path = { ...at(projectId), language_id: requireId('language_id', languageId) };
      const reply = await transport.json(operations.dubbingLanguageGet, { path, options });
      return withInfo(
        context,
        reply,
        shaped<DubbingLanguage>(reply.body, operations.dubbingLanguageGet, languageShape),
      );
    },
    waitLanguage: (projectId, languageId, options) =>
      poll(
        operations.dubbingLanguageGet,
        async () => {
          const language = await api.getLanguage(projectId, languageId, options);
          options?.onStatus?.(language.status);
          throwIfFailed(operations.dubbingLanguageGet, language.status, language.error);
          return language.status === 'completed' || language.status === 'stale' ? language : undefined;
        },
        options,
      ),
  };
  return api;
}
