/**
 * Server-sent events of a body, as they come.
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<{ event: string, data: any }>} data is JSON
 */
export async function* eventsOf(body) {
  let rest = '';
  for await (const text of textsOf(body)) {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const found = eventOf(block);
      if (found) yield found;
    }
  }
}

/**
 * Read by its reader: not every browser iterates a stream.
 * @param {ReadableStream<Uint8Array>} body
 */
async function* textsOf(body) {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read())
      yield decoder.decode(value, { stream: true });
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** @param {string} block one event, or a comment */
function eventOf(block) {
  let event = 'message';
  /** @type {string[]} */
  const data = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) event = line.slice(6).trim();
    else if (line.startsWith('data:')) data.push(line.slice(5).trimStart());
  }
  return data.length === 0 ? undefined : { event, data: JSON.parse(data.join('\n')) };
}
