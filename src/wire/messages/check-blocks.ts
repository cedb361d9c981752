import type { CacheControl } from './blocks.ts';
import { isRecord, mustBeOneOf, mustBeText, refuse } from './refuse.ts';

const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
/** Base64 characters of 10 MB. */
const maxImageCharacters = Math.ceil(10_000_000 / 3) * 4;
const maxTitleCharacters = 500;

/** What the walk over a request's blocks gathers for the rules that hold for the request as a whole. */
export interface Census {
  /** Cache markers in the order the service hashes them: tools, system, messages. */
  readonly markers: { field: string; ttl: '5m' | '1h' }[];
  readonly citations: { on: string | undefined; off: string | undefined };
  /** The first search result, and the first of them with citations off. */
  readonly results: { first: string | undefined; off: string | undefined };
  images: number;
  /** Characters of the large strings: a lower bound of the body's bytes. */
  weight: number;
  /** The request refers to an uploaded file. */
  files: boolean;
}

export const newCensus = (): Census => ({
  markers: [],
  citations: { on: undefined, off: undefined },
  results: { first: undefined, off: undefined },
  images: 0,
  weight: 0,
  files: false,
});

export function checkMarker(block: Record<string, unknown>, field: string, census: Census): void {
  const marker = block.cache_control;
  if (marker === undefined || marker === null) return;
  if (!isRecord(marker) || marker.type !== 'ephemeral') refuse(`${field}.cache_control.type`, 'must be "ephemeral"');
  if (marker.ttl !== undefined) mustBeOneOf(marker.ttl, `${field}.cache_control.ttl`, ['5m', '1h']);
  census.markers.push({ field: `${field}.cache_control`, ttl: (marker as unknown as CacheControl).ttl ?? '5m' }); // checked above
}

/** Four markers at most, and the long-lived ones before the short-lived. */
export function checkMarkers({ markers }: Census): void {
  if (markers.length > 4) {
    refuse(markers[4]!.field, `is cache marker number 5 of ${markers.length}; a request may hold 4`);
  }
  const short = markers.findIndex(({ ttl }) => ttl === '5m');
  const late = markers.findIndex(({ ttl }, at) => ttl === '1h' && short !== -1 && at > short);
  if (late !== -1) {
    refuse(markers[late]!.field, `of 1h stands after one of 5m (${markers[short]!.field}); 1h markers come first`);
  }
}

const noMarkerInside = (part: Record<string, unknown>, field: string, outer: string): void => {
  if (part.cache_control !== undefined && part.cache_control !== null) {
    refuse(`${field}.cache_control`, `stands inside another block; mark ${outer} instead`);
  }
};

function checkCitationSwitch(block: Record<string, unknown>, field: string, census: Census): void {
  const value = block.citations;
  if (value !== undefined && value !== null && (!isRecord(value) || typeof value.enabled !== 'boolean')) {
    refuse(`${field}.citations`, 'must be { enabled: boolean }');
  }
  const on = isRecord(value) && value.enabled === true;
  census.citations[on ? 'on' : 'off'] ??= field;
  if (block.type !== 'search_result') return;
  census.results.first ??= field;
  if (!on) census.results.off ??= field;
}

function checkAddress(value: unknown, field: string): void {
  if (typeof value !== 'string' || !/^https?:\/\/[^\s]+$/i.test(value)) refuse(field, 'must be an http(s) address');
}

function checkBase64(data: unknown, field: string, census: Census): void {
  if (typeof data !== 'string' || data === '') refuse(field, 'must be base64 text');
  if (data.startsWith('data:')) refuse(field, 'must be bare base64', 'Leave out the "data:…;base64," in front.');
  census.weight += data.length;
}

function checkFileId(value: unknown, field: string, census: Census): void {
  if (typeof value !== 'string' || value === '') refuse(field, 'must be the id of an uploaded file');
  census.files = true;
}

export function checkTextBlock(block: Record<string, unknown>, field: string, census: Census): void {
  census.weight += mustBeText(block.text, `${field}.text`).length;
}

function checkImage(block: Record<string, unknown>, field: string, census: Census): void {
  census.images += 1;
  const { source } = block;
  const at = `${field}.source`;
  if (!isRecord(source)) refuse(at, 'must be an object');
  if (source.type === 'url') {
    checkAddress(source.url, `${at}.url`);
    return;
  }
  if (source.type === 'file') {
    checkFileId(source.file_id, `${at}.file_id`, census);
    return;
  }
  mustBeOneOf(source.type, `${at}.type`, ['base64', 'url', 'file']);
  mustBeOneOf(source.media_type, `${at}.media_type`, imageTypes);
  checkBase64(source.data, `${at}.data`, census);
  if ((source.data as string).length > maxImageCharacters)
    refuse(`${at}.data`, 'is over 10 MB, the limit of one image');
}

function checkDocument(block: Record<string, unknown>, field: string, census: Census): void {
  const { source, title, context } = block;
  const at = `${field}.source`;
  if (!isRecord(source)) refuse(at, 'must be an object');
  switch (source.type) {
    case 'base64':
      mustBeOneOf(source.media_type, `${at}.media_type`, ['application/pdf'], 'Other texts go into a "text" source.');
      checkBase64(source.data, `${at}.data`, census);
      break;
    case 'text':
      mustBeOneOf(source.media_type, `${at}.media_type`, ['text/plain']);
      census.weight += mustBeText(source.data, `${at}.data`).length;
      break;
    case 'url':
      checkAddress(source.url, `${at}.url`);
      break;
    case 'file':
      checkFileId(source.file_id, `${at}.file_id`, census);
      break;
    case 'content':
      if (typeof source.content === 'string') mustBeText(source.content, `${at}.content`);
      else checkParts(source.content, `${at}.content`, field, ['text', 'image'], census);
      break;
    default:
      mustBeOneOf(source.type, `${at}.type`, ['base64', 'text', 'url', 'file', 'content']);
  }
  if (title !== undefined && title !== null) {
    if (typeof title !== 'string') refuse(`${field}.title`, 'must be a string');
    if (title.length > maxTitleCharacters) {
      refuse(
        `${field}.title`,
        `has ${title.length} characters, the limit is ${maxTitleCharacters}`,
        'Metadata belongs in `context`.',
      );
    }
  }
  if (context !== undefined && context !== null && typeof context !== 'string') {
    refuse(`${field}.context`, 'must be a string');
  }
  checkCitationSwitch(block, field, census);
}

function checkSearchResult(block: Record<string, unknown>, field: string, census: Census): void {
  mustBeText(block.source, `${field}.source`);
  mustBeText(block.title, `${field}.title`);
  checkParts(block.content, `${field}.content`, field, ['text'], census);
  checkCitationSwitch(block, field, census);
}

/** Blocks inside a block: a few kinds, none empty, no cache marker of their own. */
function checkParts(parts: unknown, field: string, outer: string, kinds: readonly string[], census: Census): void {
  if (!Array.isArray(parts) || parts.length === 0) refuse(field, 'must be a list of at least one block');
  parts.forEach((part: unknown, at) => {
    const path = `${field}[${at}]`;
    if (!isRecord(part)) refuse(path, 'must be a block');
    mustBeOneOf(part.type, `${path}.type`, kinds);
    noMarkerInside(part, path, outer);
    checkSource(part, path, census);
  });
}

/** The four kinds that carry material: text, image, document, search_result. */
function checkSource(block: Record<string, unknown>, field: string, census: Census): void {
  if (block.type === 'text') checkTextBlock(block, field, census);
  else if (block.type === 'image') checkImage(block, field, census);
  else if (block.type === 'document') checkDocument(block, field, census);
  else checkSearchResult(block, field, census);
}

function checkToolResult(block: Record<string, unknown>, field: string, census: Census): void {
  if (typeof block.tool_use_id !== 'string' || block.tool_use_id === '') {
    refuse(`${field}.tool_use_id`, 'must be the id of a tool_use block');
  }
  if (block.is_error !== undefined && typeof block.is_error !== 'boolean')
    refuse(`${field}.is_error`, 'must be a boolean');
  const { content } = block;
  if (content === undefined) return;
  if (typeof content === 'string') {
    census.weight += content.length;
    return;
  }
  if (!Array.isArray(content)) refuse(`${field}.content`, 'must be a string or a list of blocks');
  if (content.length === 0) return;
  checkParts(content, `${field}.content`, field, ['text', 'image', 'document', 'search_result'], census);
  const results = content.filter((part) => part.type === 'search_result').length;
  if (results > 0 && results < content.length) {
    refuse(`${field}.content`, 'mixes search_result blocks with others; if one is a search_result, all must be');
  }
}

/** Blocks of a user turn. */
export function checkUserBlock(block: Record<string, unknown>, field: string, census: Census): void {
  switch (block.type) {
    case 'text':
    case 'image':
    case 'document':
    case 'search_result':
      checkSource(block, field, census);
      break;
    case 'tool_result':
      checkToolResult(block, field, census);
      break;
    case 'container_upload':
      checkFileId(block.file_id, `${field}.file_id`, census);
      break;
    case 'tool_use':
    case 'thinking':
    case 'redacted_thinking':
    case 'server_tool_use':
      refuse(`${field}.type`, `"${block.type}" belongs in an assistant message`);
      break;
    default:
      mustBeOneOf(block.type, `${field}.type`, [
        'text',
        'image',
        'document',
        'search_result',
        'tool_result',
        'container_upload',
      ]);
  }
  checkMarker(block, field, census);
}

/** Blocks of an assistant turn are echoes: what is not known is let through, what is known must be whole. */
export function checkAssistantBlock(block: Record<string, unknown>, field: string, census: Census): void {
  if (typeof block.type !== 'string') refuse(`${field}.type`, 'must be a string');
  switch (block.type) {
    case 'text':
      if (typeof block.text !== 'string') refuse(`${field}.text`, 'must be a string');
      // The service sends white-space blocks and refuses them when they come back: they are dropped, not refused.
      if (block.text.trim() === '' && block.cache_control)
        refuse(`${field}.cache_control`, 'stands on an empty text block');
      census.weight += block.text.length;
      break;
    case 'tool_use':
    case 'server_tool_use':
      if (typeof block.id !== 'string' || block.id === '') refuse(`${field}.id`, 'must be a string');
      if (typeof block.name !== 'string' || block.name === '') refuse(`${field}.name`, 'must be a string');
      if (!isRecord(block.input)) refuse(`${field}.input`, 'must be an object');
      break;
    case 'thinking':
      if (typeof block.thinking !== 'string') refuse(`${field}.thinking`, 'must be a string ("" when it was omitted)');
      if (typeof block.signature !== 'string' || block.signature === '') {
        refuse(`${field}.signature`, 'is missing', 'Thinking blocks are sent back exactly as they came.');
      }
      if (block.cache_control) refuse(`${field}.cache_control`, 'may not stand on a thinking block');
      census.weight += block.thinking.length;
      break;
    case 'redacted_thinking':
      if (typeof block.data !== 'string') refuse(`${field}.data`, 'must be a string');
      if (block.cache_control) refuse(`${field}.cache_control`, 'may not stand on a thinking block');
      break;
    case 'image':
    case 'document':
    case 'search_result':
    case 'tool_result':
      refuse(`${field}.type`, `"${block.type}" belongs in a user message`);
      break;
    default: // server results, compaction, and kinds to come
  }
  checkMarker(block, field, census);
}
