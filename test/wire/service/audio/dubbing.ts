import type { MultipartPart, Reply, Route } from '../contract.ts';
import { integer, Misfit, mapping, oneOf, record, text } from '../shape.ts';
import { type AudioContext, charge, operation, plain, refuse } from './context.ts';
import { readFormat, synthesise } from './formats.ts';
import { type PartValues, readParts } from './parts.ts';
import { found, taking } from './reading.ts';
import { settingsShape } from './speech.ts';
import { inspect } from './transcriber.ts';

interface Dub {
  readonly id: string;
  readonly name: string;
  readonly languages: readonly string[];
  readonly seconds: number;
  readonly createdAt: number;
  polls: number;
}

interface Project {
  readonly id: string;
  readonly languages: Map<string, ProjectLanguage>;
  polls: number;
}

interface ProjectLanguage {
  readonly id: string;
  readonly code: string;
  polls: number;
}

const language = text({ pattern: /^[a-z]{2,3}(-[A-Za-z]{2})?$/ });

const adding = record({
  target_language: language,
  'voice_settings?': settingsShape,
  'translations?': mapping(text()),
});

export function dubbingRoutes(context: AudioContext): Route[] {
  const dubs = new Map<string, Dub>();
  const projects = new Map<string, Project>();
  const needed = () => context.script.polls ?? 1;
  const find = (id: string | undefined): Dub => found(context, dubs, id, 'Dubbing', 'dubbing_not_found');
  const stateOf = (dub: Dub) =>
    dub.polls <= needed() ? 'dubbing' : context.script.dubbingFailure === undefined ? 'dubbed' : 'failed';
  const ready = (dub: Dub, wanted: string | undefined) => {
    if (!dub.languages.includes(wanted ?? ''))
      refuse(context, 404, 'not_found', 'No such language', { param: 'language_code' });
    if (stateOf(dub) !== 'dubbed')
      refuse(context, 425, 'dubbing_not_dubbed', 'The dub is not ready', { status: 'dubbing_not_dubbed' });
  };
  const project = (id: string | undefined): Project => found(context, projects, id, 'Project');
  const oneSource = (values: PartValues): void => {
    if ((values.file === undefined) !== (values.source_url === undefined)) return;
    refuse(context, 400, 'invalid_parameters', 'Exactly one of file and source_url is needed', { param: 'file' });
  };
  const addLanguage = (to: Project, code: string): ProjectLanguage => {
    const made = { id: context.nextId('dublanguage'), code, polls: 0 };
    to.languages.set(made.id, made);
    return made;
  };
  const projectView = ({ id, languages }: Project, status: string) => ({
    project_id: id,
    status,
    language_ids: [...languages.keys()],
    revision: 1,
  });
  const languageView = ({ id }: Project, { id: languageId, code }: ProjectLanguage, status: string) => ({
    language_id: languageId,
    project_id: id,
    target_language: code,
    status,
    revision: 1,
  });
  const one = '/v1/dubbing/{id}';
  return [
    // Shapes of projects as the service's own client has them.
    operation(context, 'POST', '/v1/dubbing/project', {
      read: (exchange) =>
        readParts(exchange, {
          file: { kind: 'file' },
          source_url: { kind: 'text' },
          reference: { kind: 'text', check: text({ max: 500 }) },
          source_language: { kind: 'text' },
          model_id: { kind: 'text', check: oneOf('dubbing_v1', 'dubbing_v2') },
          keyterms: { kind: 'text', repeated: true },
          webhook_ids: { kind: 'text', repeated: true },
          target_language: { kind: 'text', check: language },
        }),
      handle: (values) => {
        oneSource(values);
        const made: Project = { id: context.nextId('dubproject'), languages: new Map(), polls: 0 };
        projects.set(made.id, made);
        if (values.target_language !== undefined) addLanguage(made, String(values.target_language));
        return { json: projectView(made, 'queued') };
      },
    }),
    plain(context, 'GET', '/v1/dubbing/project/{id}', ({ params }) => {
      const asked = project(params.id);
      asked.polls += 1;
      return { json: projectView(asked, ['queued', 'preparing', 'ready'][Math.min(2, asked.polls - 1)]!) };
    }),
    plain(context, 'DELETE', '/v1/dubbing/project/{id}', ({ params }) => {
      projects.delete(project(params.id).id);
      return { json: { status: 'ok' } };
    }),
    taking(
      context,
      'POST',
      '/v1/dubbing/project/{id}/language',
      adding,
      (body: { target_language: string }, { params }) => {
        const to = project(params.id);
        return { json: languageView(to, addLanguage(to, body.target_language), 'queued') };
      },
    ),
    plain(context, 'GET', '/v1/dubbing/project/{id}/language/{language_id}', ({ params }) => {
      const of = project(params.id);
      const made = found(context, of.languages, params.language_id, 'Language');
      made.polls += 1;
      return { json: languageView(of, made, ['queued', 'processing', 'completed'][Math.min(2, made.polls - 1)]!) };
    }),
    operation(context, 'POST', '/v1/dubbing', {
      maxBytes: 256 << 20,
      read: (exchange) =>
        readParts(exchange, {
          file: { kind: 'file' },
          source_url: { kind: 'text', check: text({ pattern: /^https:\/\// }) },
          name: { kind: 'text' },
          target_lang: { kind: 'text', required: true, check: language },
          source_lang: { kind: 'text', check: text({ pattern: /^(auto|[a-z]{2,3})$/ }) },
          num_speakers: { kind: 'number', check: integer(0, 50) },
          watermark: { kind: 'boolean' },
          start_time: { kind: 'number' },
          end_time: { kind: 'number' },
          highest_resolution: { kind: 'boolean' },
          drop_background_audio: { kind: 'boolean' },
          use_profanity_filter: { kind: 'boolean' },
          dubbing_studio: { kind: 'boolean' },
          disable_voice_cloning: { kind: 'boolean' },
        }),
      handle: (values, exchange): Reply => {
        oneSource(values);
        const file = values.file as MultipartPart | undefined;
        const seconds = file === undefined ? 60 : inspect(file.bytes, file.filename ?? '', false).seconds;
        const credits = Math.ceil(seconds / 60) * 1_000;
        charge(context, credits);
        exchange.ledger.add({ service: 'audio', operation: 'dubbing', units: credits, usd: 0 });
        const id = context.nextId('dub');
        dubs.set(id, {
          id,
          name: String(values.name ?? 'dub'),
          languages: [String(values.target_lang)],
          seconds,
          createdAt: context.now(),
          polls: 0,
        });
        return { json: { dubbing_id: id, expected_duration_sec: seconds } };
      },
    }),
    plain(context, 'GET', one, ({ params }) => {
      const dub = find(params.id);
      dub.polls += 1;
      const status = stateOf(dub);
      return {
        json: {
          dubbing_id: dub.id,
          name: dub.name,
          status,
          target_languages: dub.languages,
          created_at: new Date(dub.createdAt).toISOString(),
          error: status === 'failed' ? context.script.dubbingFailure : null,
        },
      };
    }),
    plain(context, 'DELETE', one, ({ params }) => {
      dubs.delete(find(params.id).id);
      return { json: { status: 'ok' } };
    }),
    plain(context, 'GET', `${one}/audio/{language}`, ({ params }) => {
      const dub = find(params.id);
      ready(dub, params.language);
      const audio = synthesise(readFormat(context, null, false), dub.seconds, 180);
      return { headers: { 'content-type': 'audio/mpeg' }, bytes: audio };
    }),
    operation(context, 'GET', `${one}/transcript/{language}`, {
      read: ({ request }) => {
        const format = request.query.get('format_type') ?? 'srt';
        if (!['srt', 'webvtt', 'json'].includes(format))
          throw new Misfit(['query', 'format_type'], 'enum', 'srt or webvtt', format);
        return format;
      },
      handle: (format, { params }) => {
        ready(find(params.id), params.language);
        const cue = '00:00:00,000 --> 00:00:02,000\nGuten Tag.\n';
        const body = format === 'webvtt' ? `WEBVTT\n\n${cue.replaceAll(',', '.')}` : `1\n${cue}`;
        return { headers: { 'content-type': 'text/plain; charset=utf-8' }, bytes: body };
      },
    }),
  ];
}
