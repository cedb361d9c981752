import { characters, list, partly, record, text } from '../http/check.ts';
import type { WireCallOptions } from '../http/contract.ts';
import { type Acknowledged, acknowledged } from './acknowledged.ts';
import type { Answer, AudioRows } from './context.ts';
import type { WaitOptions } from './poll.ts';
import type { VoiceSettings } from './speech-request.ts';
import { keyterms } from './transcript-request.ts';
import { fieldParts, repeatedParts, sourceParts, type Upload } from './upload.ts';

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
  create(request: DubbingProjectRequest, options?: WireCallOptions): Answer<DubbingProject>;
  get(projectId: string, options?: WireCallOptions): Answer<DubbingProject>;
  /** Until `ready`. @throws WireError RUN_FAILED, TIMEOUT */
  wait(projectId: string, options?: WaitOptions): Answer<DubbingProject>;
  delete(projectId: string, options?: WireCallOptions): Acknowledged;
  addLanguage(
    projectId: string,
    request: { readonly target_language: string; readonly voice_settings?: VoiceSettings | undefined },
    options?: WireCallOptions,
  ): Answer<DubbingLanguage>;
  getLanguage(projectId: string, languageId: string, options?: WireCallOptions): Answer<DubbingLanguage>;
  /** Until `completed` or `stale`. @throws WireError RUN_FAILED, TIMEOUT */
  waitLanguage(projectId: string, languageId: string, options?: WaitOptions): Answer<DubbingLanguage>;
}

/** What would be refused only after the film was sent. */
const checkRequest = partly({
  reference: characters(0, 500),
  keyterms: keyterms(1_000, 50),
  webhook_ids: list(text, 3),
});

const project = { project_id: 'string', status: 'string' } as const;
const language = { language_id: 'string', status: 'string' } as const;

export const dubbingProjectRows: AudioRows<Omit<DubbingProjectsApi, 'wait' | 'waitLanguage'>> = {
  create: {
    at: 'POST /v1/dubbing/project',
    group: 'dubbing',
    form: ([request]) => {
      checkRequest('', request);
      const { file, source_url, keyterms: terms, webhook_ids, ...fields } = request;
      const lists = [...repeatedParts('keyterms', terms), ...repeatedParts('webhook_ids', webhook_ids)];
      return [...fieldParts(fields), ...lists, ...sourceParts(file, source_url)];
    },
    answer: project,
  },
  get: { at: 'GET /v1/dubbing/project/{project_id}', answer: project },
  delete: { at: 'DELETE /v1/dubbing/project/{project_id}', answer: acknowledged },
  addLanguage: {
    at: 'POST /v1/dubbing/project/{project_id}/language',
    group: 'dubbing',
    json: record,
    answer: language,
  },
  getLanguage: { at: 'GET /v1/dubbing/project/{project_id}/language/{language_id}', answer: language },
};
