import {
  anything,
  boolean,
  type Check,
  characters,
  type Fields,
  filled,
  kinds,
  list,
  nullable,
  oneOf,
  partly,
  refuse,
  required,
  requireText,
  string,
  text,
  textOr,
  url,
} from '../http/check.ts';

/** Base64 characters of 10 MB. */
const maxImageCharacters = Math.ceil(10_000_000 / 3) * 4;

function base64(most: number): Check {
  return (field, value) => {
    requireText(field, value);
    if (value.startsWith('data:')) {
      refuse(field, 'must be bare base64', 'Leave out the "data:…;base64," in front.');
    }
    if (value.length > most) refuse(field, 'is over 10 MB, the limit of one image');
  };
}

const fromUrl: Fields = { url: required(url()) };
const fromFile: Fields = { file_id: required(text) };

const imageSources: Readonly<Record<string, Fields>> = {
  base64: {
    media_type: required(oneOf(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])),
    data: required(base64(maxImageCharacters)),
  },
  url: fromUrl,
  file: fromFile,
};

const textBlock: Fields = { text: required(text) };
const image: Fields = { source: required(kinds(imageSources)) };
const citations = nullable(partly({ enabled: required(boolean) }));

const document: Fields = {
  source: required(
    kinds({
      base64: {
        media_type: required(oneOf(['application/pdf'], 'Other texts go into a "text" source.')),
        data: required(base64(Number.POSITIVE_INFINITY)),
      },
      text: { media_type: required(oneOf(['text/plain'])), data: required(text) },
      url: fromUrl,
      file: fromFile,
      content: { content: required(textOr(filled(kinds({ text: textBlock, image })))) },
    }),
  ),
  title: nullable(characters(0, 500)),
  context: nullable(string),
  citations,
};

const searchResult: Fields = {
  source: required(text),
  title: required(text),
  content: required(filled(kinds({ text: textBlock }))),
  citations,
};

/** The kinds that carry material. */
const sources: Readonly<Record<string, Fields>> = { text: textBlock, image, document, search_result: searchResult };

const results = list(kinds(sources));

/** Search results stand alone, or the service refuses the answer of the tool. */
const toolContent: Check = (field, content) => {
  if (typeof content === 'string') return;
  results(field, content);
  const types = new Set((content as { type: string }[] | undefined)?.map(({ type }) => type)); // checked above
  if (types.has('search_result') && types.size > 1) {
    refuse(field, 'mixes search_result blocks with others; if one is a search_result, all must be');
  }
};

/** Blocks of a user turn. */
export const userBlock: Check = kinds({
  ...sources,
  tool_result: { tool_use_id: required(text), is_error: boolean, content: toolContent },
  container_upload: fromFile,
});

/** Blocks of the system prompt. */
export const systemBlock: Check = kinds({ text: textBlock });

const unmarked: Check = (field, value) => {
  if (value) refuse(field, 'may not stand on a thinking block');
};
const call: Fields = { id: required(text), name: required(text), input: required(partly({})) };
const echoes: Readonly<Record<string, Check>> = {
  text: partly({ text: required(string) }),
  tool_use: partly(call),
  server_tool_use: partly(call),
  thinking: partly({
    thinking: required(string),
    signature: required(text, 'Thinking blocks are sent back exactly as they came.'),
    cache_control: unmarked,
  }),
  redacted_thinking: partly({ data: required(string), cache_control: unmarked }),
};
const ofUsers = new Set(['image', 'document', 'search_result', 'tool_result']);
const typed = partly({ type: required(string) });

/** Blocks of an assistant turn are echoes: what is not known is let through, what is known must be whole. */
export const assistantBlock: Check = (field, value) => {
  typed(field, value);
  const { type, ...block } = value as { type: string; text?: string; cache_control?: unknown }; // checked above
  if (ofUsers.has(type)) refuse(`${field}.type`, `"${type}" belongs in a user message`);
  (echoes[type] ?? anything)(field, value);
  // The service sends white-space blocks and refuses them when they come back: they are dropped, not refused.
  if (type === 'text' && block.cache_control && block.text?.trim() === '') {
    refuse(`${field}.cache_control`, 'stands on an empty text block');
  }
};
